#include "sim/core/nccl_cost.hpp"

#include <doctest/doctest.h>

#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::literals;
using test::near;

namespace {

const GpuParameters parameters{.link = 400_GBps,
                               .adapters = 100_GBps,
                               .hop = {1_us, 2_us, 4_us},
                               .network_hop = {10_us, 20_us, 30_us},
                               .in_switch = 300_GBps,
                               .in_switch_latency = 12_us};

double time_us(NcclCall call, NcclAlgorithm algorithm, GpuProtocol protocol) {
  return nccl_cost(call, algorithm, protocol, parameters).time(call.bytes).si() * 1e6;
}

}  // namespace

TEST_SUITE("core/nccl cost") {
  TEST_CASE("NCCL's ring costs its hops and the bytes that pass its narrowest link") {
    const NcclCall inside{Operation::allreduce, Bytes{8e9}, 8, 1};
    // 8.4 + 14 * 4 us; 2 * 7 / 8 of 8 GB at 400 GB/s.
    CHECK(time_us(inside, NcclAlgorithm::ring, GpuProtocol::simple) == near(8.4 + 56 + 35000));
    CHECK(time_us(inside, NcclAlgorithm::ring, GpuProtocol::ll) == near(6.6 + 14 + 70000));
    CHECK(time_us(inside, NcclAlgorithm::ring, GpuProtocol::ll128) == near(14 + 28 + 35000 * 128.0 / 120));
    const NcclCall over{Operation::allreduce, Bytes{16e9}, 16, 2};
    // 26 hops within and 4 between nodes, all 1.4 times; 30 / 16 of 16 GB at 100 GB/s.
    CHECK(time_us(over, NcclAlgorithm::ring, GpuProtocol::simple) == near(8.4 + 1.4 * (26 * 4 + 4 * 30) + 300000));
    const NcclCall scatter{Operation::reduce_scatter, Bytes{16e9}, 16, 2};
    CHECK(time_us(scatter, NcclAlgorithm::ring, GpuProtocol::simple) == near(8.4 + 14 * 4 + 30 + 150000));
  }

  TEST_CASE("NCCL's tree costs the chain of a node and the height of the tree twice") {
    const NcclCall over{Operation::allreduce, Bytes{64.0}, 32, 4};
    CHECK(nccl_cost(over, NcclAlgorithm::tree, GpuProtocol::ll, parameters).latency.si() ==
          near((6.8 + 2 * (7 * 1 + 2 * 10)) * 1e-6));
    // Four nodes: the busiest sends two bytes for each of the vector. 2^26 x 64 B: beyond the table of corrections.
    const NcclCall large{Operation::allreduce, Bytes{64.0 * (1 << 26)}, 32, 4};
    CHECK(nccl_cost(large, NcclAlgorithm::tree, GpuProtocol::simple, parameters).bandwidth.si() == near(50e9));
    // 64 KiB: 2^10 x 64 B, for which NCCL's table says 0.6.
    const NcclCall middle{Operation::allreduce, Bytes{65536.0}, 32, 4};
    CHECK(nccl_cost(middle, NcclAlgorithm::tree, GpuProtocol::simple, parameters).bandwidth.si() == near(30e9));
  }

  TEST_CASE("NCCL's switch costs two operations and each GPU's share beside the vector") {
    const NcclCall inside{Operation::allreduce, Bytes{9e9}, 8, 1};
    CHECK(time_us(inside, NcclAlgorithm::nvls, GpuProtocol::simple) == near(23 + 24 + 9e9 * 9 / 8 / 300e9 * 1e6));
    CHECK_FALSE(nccl_cost(inside, NcclAlgorithm::nvls_tree, GpuProtocol::simple, parameters).possible());
    const NcclCall over{Operation::allreduce, Bytes{9e9}, 16, 2};
    CHECK(time_us(over, NcclAlgorithm::nvls_tree, GpuProtocol::simple) == near(23 + 24 + 60 + 90000));
    const NcclCall alone{Operation::allreduce, Bytes{9e9}, 4, 4};
    CHECK_FALSE(nccl_cost(alone, NcclAlgorithm::nvls_tree, GpuProtocol::simple, parameters).possible());
  }

  TEST_CASE("NCCL's broadcast costs one hop from each GPU to the next and its bytes once") {
    const NcclCall over{Operation::bcast, Bytes{16e9}, 16, 2};
    CHECK(time_us(over, NcclAlgorithm::ring, GpuProtocol::simple) == near(8.4 + 14 * 4 + 2 * 30 + 160000));
    const NcclCall inside{Operation::reduce, Bytes{8e9}, 8, 1};
    CHECK(time_us(inside, NcclAlgorithm::ring, GpuProtocol::ll) == near(6.6 + 8 * 1 + 40000));
    CHECK_FALSE(nccl_cost(over, NcclAlgorithm::tree, GpuProtocol::simple, parameters).possible());
  }

  TEST_CASE("NCCL gives low latency between nodes no more than its limit") {
    GpuParameters limited = parameters;
    limited.ll_limit = 20_GBps;
    const NcclCall over{Operation::allreduce, Bytes{64.0 * (1 << 26)}, 32, 4}, inside{Operation::allreduce, 8_B, 8, 1};
    const auto bandwidth = [&](const NcclCall& call, NcclAlgorithm algorithm, GpuProtocol protocol) {
      return nccl_cost(call, algorithm, protocol, limited).bandwidth.si();
    };
    CHECK(bandwidth(over, NcclAlgorithm::tree, GpuProtocol::ll) == near(10e9));
    CHECK(bandwidth(over, NcclAlgorithm::ring, GpuProtocol::ll) == near(32.0 / 62 * 20e9));
    CHECK(bandwidth(over, NcclAlgorithm::ring, GpuProtocol::simple) == near(32.0 / 62 * 100e9));
    CHECK(bandwidth(inside, NcclAlgorithm::ring, GpuProtocol::ll) == near(8.0 / 14 * 200e9));
  }

  TEST_CASE("NCCL chooses by the latency it is told and costs what hops take") {
    GpuParameters told = parameters;
    const NcclCall call{Operation::allreduce, 16_MiB, 16, 2};
    CHECK(nccl_choice(call, told).name == "nccl_nvls_tree");
    told.reckoned_hop = {80_us, 84_us, 164_us};
    const NcclChoice choice = nccl_choice(call, told);
    CHECK(choice.name == "nccl_tree_ll128");
    CHECK(choice.cost.latency.si() ==
          near(nccl_cost(call, choice.algorithm, choice.protocol, parameters).latency.si()));
  }

  TEST_CASE("NCCL uses no protocol that the network does not carry") {
    GpuParameters simple_alone = parameters;
    simple_alone.carried = {false, false, true};
    CHECK(nccl_choice({Operation::allreduce, 8_B, 16, 2}, simple_alone).protocol == GpuProtocol::simple);
    CHECK_FALSE(nccl_named("nccl_tree_ll", {Operation::allreduce, 8_B, 16, 2}, simple_alone).cost.possible());
    CHECK(nccl_choice({Operation::allreduce, 8_B, 8, 1}, simple_alone).protocol == GpuProtocol::simple);
  }

  TEST_CASE("A ring over nodes crosses a GPU's link with all hops of a node but the one that leaves it") {
    GpuParameters wide = parameters;
    wide.adapters = 1000_GBps;
    const NcclCall call{Operation::allreduce, Bytes{1e9}, 16, 2};
    CHECK(nccl_cost(call, NcclAlgorithm::ring, GpuProtocol::simple, wide).bandwidth.si() ==
          near(16.0 / 30 * 400e9 * 8 / 7));
  }

  TEST_CASE("NCCL gives LL between nodes what it has seen of it and less of it from three nodes on") {
    const auto bus = [](std::uint32_t nodes) {
      const NcclCall call{Operation::allreduce, Bytes{1e9}, 8 * nodes, nodes};
      return nccl_cost(call, NcclAlgorithm::ring, GpuProtocol::ll, parameters).bandwidth.si() * (16.0 * nodes - 2) /
             (8 * nodes);
    };
    CHECK(bus(2) == near(39e9));
    CHECK(bus(3) == near(20.4e9));
  }

  TEST_CASE("NCCL takes rings of long vectors from three nodes on and trees of switches where there are many") {
    const GpuParameters hopper{.link = 366_GBps,
                               .adapters = 388_GBps,
                               .hop = {0.6_us, 1.9_us, 3.4_us},
                               .network_hop = {5_us, 8.5_us, 14_us},
                               .in_switch = 305_GBps,
                               .in_switch_latency = 1_us};
    const auto chosen = [&](Bytes bytes, std::uint32_t nodes) {
      return nccl_choice({Operation::allreduce, bytes, 8 * nodes, nodes}, hopper).name;
    };
    CHECK(chosen(8192_MiB, 2) == "nccl_nvls_tree");
    CHECK(chosen(8192_MiB, 4) == "nccl_ring");
    CHECK(chosen(512_MiB, 128) == "nccl_nvls_tree");
    CHECK(chosen(64_KiB, 128) == "nccl_tree_ll");
    CHECK(chosen(16_MiB, 16) == "nccl_tree_ll128");
  }

  TEST_CASE("NCCL takes low latency for short messages and the switch for long ones") {
    CHECK(nccl_choice({Operation::allreduce, 8_B, 8, 1}, parameters).name == "nccl_ring_ll");
    CHECK(nccl_choice({Operation::allreduce, 1024_MiB, 8, 1}, parameters).name == "nccl_nvls");
    CHECK(nccl_choice({Operation::allreduce, 8_B, 16, 2}, parameters).name == "nccl_tree_ll");
    CHECK(nccl_choice({Operation::allreduce, 1024_MiB, 16, 2}, parameters).name == "nccl_nvls_tree");
    CHECK(nccl_choice({Operation::allgather, 1024_MiB, 16, 2}, parameters).name == "nccl_ring");
    CHECK(nccl_choice({Operation::bcast, 1024_MiB, 16, 2}, parameters).name == "nccl_ring");
    CHECK(nccl_choice({Operation::reduce, 8_B, 16, 2}, parameters).name == "nccl_ring_ll");
    CHECK(nccl_choice({Operation::alltoall, 1024_MiB, 16, 2}, parameters).name.empty());
    CHECK(nccl_named("nccl_tree_ll128", {Operation::allreduce, 8_B, 16, 2}, parameters).protocol == GpuProtocol::ll128);
    CHECK(nccl_named("lr", {Operation::allreduce, 8_B, 16, 2}, parameters).name.empty());
  }
}
