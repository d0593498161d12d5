// Messages that kernels of GPUs hand over, and what a switch does itself. NVLink 8 GB/s and 0.1 us, network 1 GB/s and
// 10 us (tests/support/cluster.hpp); every run on both engines.
#include <doctest/doctest.h>

#include "inside_of_nodes.hpp"
#include "kernels/collectives/collective.hpp"
#include "platforms/gpu_parameters.hpp"
#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

constexpr double N = 8e9, m = 1e6, W = 1e9;

/// `gpus` GPUs to a node on one switch, each with an adapter of its own beside it; a rank on each.
Cluster gpu_nodes(std::uint32_t nodes, std::uint32_t gpus) {
  Cluster cluster = two_sockets(nodes, gpus);
  Fabric& fabric = cluster.type().fabric;
  fabric.switches = {"nvswitch"};
  std::vector<std::uint32_t> at;
  for (std::uint32_t gpu = 2; gpu < 2 + gpus; ++gpu) {
    fabric.switches.push_back("plx");
    at.push_back(2 + gpus + gpu - 1);
    fabric.cables.push_back({ResourceKind::nvlink, gpu, 2 + gpus, BytesPerSecond{N}, 0.1_us});
    fabric.cables.push_back({ResourceKind::pcie, gpu, at.back(), BytesPerSecond{4e9}, 0_s});
    fabric.cables.push_back({ResourceKind::pcie, at.back(), 0, BytesPerSecond{4e9}, 0_s});
  }
  fabric.cables.push_back({ResourceKind::upi, 0, 1, BytesPerSecond{1e9}, 0_s});
  GpuMessages messages{1_us, cluster.shared()};
  messages.protocol.hop_latency = {2_us, 3_us, 5_us};
  messages.protocol.send_overhead = messages.protocol.receive_overhead = PiecewiseLinear{7e-6};
  messages.multicast = GpuMessages::Multicast{.efficiency = 0.5, .latency = 4_us, .staging = BytesPerSecond{1e9}};
  cluster.type().gpu_messages = messages;
  cluster.wire().gpu_direct = true;
  cluster.wire().hop_latency = {20_us, 30_us, 50_us};
  put_adapters(cluster, at);
  for (std::uint32_t node = 0; node < nodes; ++node)
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) seat(cluster, node, 2 + gpu);
  return cluster;
}

Send by_gpu(Rank to, double bytes, GpuProtocol protocol, InSwitch in_switch = InSwitch::nothing) {
  return {.to = to, .message = Bytes{bytes}, .protocol = protocol, .in_switch = in_switch};
}

/// Steps of one rank of four whose GPUs are the team of a collective.
Generator<Step> among_four(Generator<Step> steps) {
  const CollectiveCall call{Operation::allreduce, 0, "test", Bytes{m}, Group::world(4)};
  const std::vector<Rank> team{Rank{0}, Rank{1}, Rank{2}, Rank{3}};
  co_yield collective_begin(call, team);
  co_yield elements_of(std::move(steps));
  co_yield collective_end();
}

/// In turn around the ring each rank has the switch do something with m bytes.
std::function<Generator<Step>(Rank)> around(InSwitch what) {
  const auto steps = [what](Rank me) -> Generator<Step> {
    const auto i = static_cast<std::uint32_t>(me);
    co_yield irecv(Rank{(i + 1) % 4}, Bytes{m}, any_tag, RequestId{0});
    co_yield Step(Isend{by_gpu(Rank{(i + 3) % 4}, m, GpuProtocol::simple, what), RequestId{1}});
    co_yield wait_all();
  };
  return [steps](Rank me) { return among_four(steps(me)); };
}

/// An allreduce among all ranks by an algorithm.
double allreduce_time(Cluster& cluster, const char* algorithm, double bytes) {
  const std::uint32_t ranks = cluster.layout.ranks();
  const Group world = Group::world(ranks);
  const collectives::Nodes nodes = collectives::nodes_of(world, &cluster.layout);
  return makespan(cluster, [=](Rank me) {
    return collectives::allreduce({.group = world, .me = me, .algorithm = algorithm, .element = 4_B, .nodes = nodes},
                                  Bytes{bytes});
  });
}

/// What 4 GB more of a vector take; the launch of kernels, which takes this cluster's cores long, falls out.
double of_four_more(Cluster& cluster, const char* algorithm) {
  return allreduce_time(cluster, algorithm, 8e9) - allreduce_time(cluster, algorithm, 4e9);
}

}  // namespace

TEST_SUITE("replay/gpu messages") {
  TEST_CASE("A message that kernels hand over takes its protocol's hop and no core's time") {
    for (const auto& [protocol, hop, between] :
         {std::tuple(GpuProtocol::ll, 2e-6, 20e-6), std::tuple(GpuProtocol::ll128, 3e-6, 30e-6),
          std::tuple(GpuProtocol::simple, 5e-6, 50e-6)}) {
      Cluster cluster = gpu_nodes(2, 2);
      for (const std::uint32_t to : {1u, 2u}) {
        const auto steps = [protocol = protocol, to](Rank me) -> Generator<Step> {
          if (me == Rank{0}) co_yield Step(by_gpu(Rank{to}, m, protocol));
          if (me == Rank{to}) co_yield recv(Rank{0}, Bytes{m}, any_tag);
        };
        CHECK(makespan(cluster, steps) == near(to == 1 ? hop + m / N : between + m / W));
      }
    }
  }

  TEST_CASE("A message of kernels from the eager limit on waits for its receiver and keeps its adapter a gap") {
    Cluster cluster = gpu_nodes(2, 2);
    cluster.wire().eager = Bytes{m};
    cluster.wire().hop_rendezvous = 15_us;
    cluster.wire().hop_gap = 4_us;
    for (const auto& [bytes, rendezvous] : {std::pair(m / 2, 0.0), std::pair(m, 15e-6)}) {
      const double size = bytes;
      const auto one = [size](Rank me) -> Generator<Step> {
        if (me == Rank{0}) co_yield Step(by_gpu(Rank{2}, size, GpuProtocol::simple));
        if (me == Rank{2}) co_yield recv(Rank{0}, Bytes{size}, any_tag);
      };
      CHECK(makespan(cluster, one) == near(50e-6 + rendezvous + 4e-6 + size / W));
    }
  }

  TEST_CASE("A protocol without a hop of its own among others is refused") {
    Cluster cluster = gpu_nodes(2, 2);
    cluster.wire().hop_latency = {Seconds{}, Seconds{}, 50_us};
    const auto one = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield Step(by_gpu(Rank{2}, m, GpuProtocol::ll));
      if (me == Rank{2}) co_yield recv(Rank{0}, Bytes{m}, any_tag);
    };
    CHECK_THROWS_WITH_AS(makespan(cluster, one),
                         "platform 'test': network 'net' carries no messages of NCCL's protocol 'll' ('hop-latency' "
                         "does not have it). Choose algorithm 'nccl', which takes another?",
                         InputError);
  }

  TEST_CASE("Links between GPUs carry headers beside all messages together") {
    Cluster cluster = gpu_nodes(1, 2);
    cluster.type().gpu_messages->protocol.wire_efficiency = PiecewiseFactor{{{0.0, 0.8}}};
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield Step(by_gpu(Rank{1}, m, GpuProtocol::simple));
      if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{m}, any_tag);
    };
    CHECK(makespan(cluster, steps) == near(5e-6 + m / 0.8 / N));
  }

  TEST_CASE("A switch that reduces reads from all GPUs at once and writes to one") {
    Cluster cluster = gpu_nodes(1, 4);
    const auto one = [](Rank me) -> Generator<Step> {
      if (me == Rank{1}) co_yield Step(by_gpu(Rank{0}, m, GpuProtocol::simple, InSwitch::reduce));
      if (me == Rank{0}) co_yield recv(Rank{1}, Bytes{m}, any_tag);
    };
    CHECK(makespan(cluster, [&](Rank me) { return among_four(one(me)); }) == near(4e-6 + m / 0.5 / N));
    CHECK_THROWS_WITH_AS(makespan(cluster, one),
                         "rank 1 has the switch of its GPU reduce or multicast, but is in no collective with a team "
                         "(only collectives name the GPUs that take part)",
                         ReplayError);
    // Of four at once each link out carries all four, each link in one.
    CHECK(makespan(cluster, around(InSwitch::reduce)) == near(4e-6 + 4 * m / 0.5 / N));
  }

  TEST_CASE("A switch that multicasts reads from one GPU and writes to all at once") {
    Cluster cluster = gpu_nodes(1, 4);
    CHECK(makespan(cluster, around(InSwitch::multicast)) == near(4e-6 + 4 * m / 0.5 / N));
  }

  TEST_CASE("What a switch reduces and what it multicasts share each link and differ in direction") {
    Cluster cluster = gpu_nodes(1, 4);
    // Rank 0 is given a sum while rank 1 multicasts: links out of 1 and into 0 carry both.
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{3}) co_yield Step(by_gpu(Rank{0}, m, GpuProtocol::simple, InSwitch::reduce));
      if (me == Rank{1}) co_yield Step(by_gpu(Rank{2}, m, GpuProtocol::simple, InSwitch::multicast));
      if (me == Rank{0}) co_yield recv(Rank{3}, Bytes{m}, any_tag);
      if (me == Rank{2}) co_yield recv(Rank{1}, Bytes{m}, any_tag);
    };
    CHECK(makespan(cluster, [&](Rank me) { return among_four(steps(me)); }) == near(4e-6 + 2 * m / 0.5 / N));
  }

  TEST_CASE("A switch that only passes messages on is not asked for more") {
    Cluster silent = gpu_nodes(1, 4);
    silent.type().gpu_messages->multicast.reset();
    Cluster processors = two_sockets(1, 4);
    for (std::uint32_t core = 0; core < 4; ++core) seat(processors, 0, core % 2);
    for (Cluster* cluster : {&silent, &processors})
      CHECK_THROWS_WITH_AS(makespan(*cluster, around(InSwitch::reduce)),
                           "platform 'test': the switch of 'node' is asked to reduce or multicast (only where "
                           "'gpu-messages' has 'multicast', among GPUs that it joins). Choose algorithm 'nccl_ring'?",
                           InputError);
  }

  TEST_CASE("A rank that waits for any of its requests goes on with the first that completes") {
    Cluster cluster = gpu_nodes(1, 4);
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{1}) co_yield Step(by_gpu(Rank{0}, m, GpuProtocol::simple));
      if (me == Rank{2}) co_yield Step(by_gpu(Rank{0}, 0.0, GpuProtocol::ll));
      if (me != Rank{0}) co_return;
      co_yield irecv(Rank{1}, Bytes{m}, any_tag, RequestId{0});
      co_yield irecv(Rank{2}, Bytes{0.0}, any_tag, RequestId{1});
      const std::vector<RequestId> both{RequestId{0}, RequestId{1}};
      std::uint32_t found = 7;
      co_yield wait_any(both, found);
      CHECK(found == 1);
      co_yield wait(both[found]);
      co_yield compute_for(1.0);  // from the arrival of the second: the first comes meanwhile
      co_yield wait(RequestId{0});
    };
    CHECK(makespan(cluster, steps) == near(2e-6 + 1.0));
  }

  TEST_CASE("A ring of GPUs over two nodes sends what each adapter carries and pays each hop between nodes once") {
    Cluster cluster = gpu_nodes(2, 2);
    // One element a share: one ring, of whose 2 (p - 1) hops every other one crosses.
    CHECK(allreduce_time(cluster, "nccl_ring_ll", 16.0) == near(3 * 2e-6 + 3 * 20e-6, 1e-2));
    // Long: each of two rings sends 2 (p - 1) / p of its half over each adapter.
    CHECK(allreduce_time(cluster, "nccl_ring", 4e9) == near(1.5 * 4e9 / 2 / W, 1e-3));
  }

  TEST_CASE("Rings of four GPUs that are joined pairwise use all cables between them") {
    Cluster cluster = two_sockets(1, 4);
    Fabric& fabric = cluster.type().fabric;
    for (std::uint32_t a = 2; a < 6; ++a) {
      fabric.cables.push_back({ResourceKind::pcie, a, 0, BytesPerSecond{4e8}, 0_s});
      for (std::uint32_t b = a + 1; b < 6; ++b)
        fabric.cables.push_back({ResourceKind::nvlink, a, b, BytesPerSecond{N}, 0.1_us});
    }
    fabric.cables.push_back({ResourceKind::upi, 0, 1, BytesPerSecond{1e9}, 0_s});
    GpuMessages messages{1_us, cluster.shared()};
    messages.protocol.hop_latency = {2_us, 3_us, 5_us};
    cluster.type().gpu_messages = messages;
    for (std::uint32_t gpu = 0; gpu < 4; ++gpu) seat(cluster, 0, 2 + gpu);
    cluster.layout.gpus = gpu_parameters(cluster.platform, cluster.platform.networks.front(), cluster.layout);
    REQUIRE(cluster.layout.gpus);
    CHECK(cluster.layout.gpus->pairwise);
    // 2 (p - 1) p / p of the vector leave each GPU over its three cables.
    CHECK(of_four_more(cluster, "nccl_ring") == near(1.5 * 4e9 / 3 / N, 1e-3));
    CHECK(of_four_more(cluster, "nccl_tree") == near(1.5 * 4e9 / 3 / N, 2e-2));
  }

  TEST_CASE("A job of one node has the protocols that its network does without and one of two nodes has not") {
    const auto low_latency = [](Cluster cluster) {
      cluster.network().protocol.hop_latency = {Seconds{}, Seconds{}, 20_us};
      cluster.layout.gpus = gpu_parameters(cluster.platform, cluster.platform.networks.front(), cluster.layout);
      REQUIRE(cluster.layout.gpus);
      return cluster.layout.gpus->carried[static_cast<std::size_t>(GpuProtocol::ll) - 1];
    };
    CHECK(low_latency(gpu_nodes(1, 4)));
    CHECK_FALSE(low_latency(gpu_nodes(2, 2)));
  }

  TEST_CASE("An allreduce by the switch loads each link with the vector and its own share") {
    Cluster cluster = gpu_nodes(1, 4);
    CHECK(allreduce_time(cluster, "nccl_nvls", 4e9) == near(1.25 * 4e9 / 0.5 / N, 2e-2));
  }

  TEST_CASE("A switch that spans two nodes reduces for the GPUs of both") {
    Cluster cluster = gpu_nodes(2, 2);
    cluster.type().fabric.span = 2;
    cluster.type().gpu_messages->multicast->staging = {};
    cluster.type().fabric.shared = 4;  // the switch: after two sockets and two GPUs
    cluster.layout.gpus = gpu_parameters(cluster.platform, cluster.platform.networks.front(), cluster.layout);
    REQUIRE(cluster.layout.gpus);
    CHECK(cluster.layout.gpus->span == 2);
    CHECK(of_four_more(cluster, "nccl_nvls") == near(1.25 * 4e9 / 0.5 / N, 2e-2));
    CHECK(of_four_more(cluster, "nccl_ring") == near(1.5 * 4e9 / N, 1e-2));
  }

  TEST_CASE("An allreduce by trees over two nodes sends the vector once through the adapters of each") {
    Cluster cluster = gpu_nodes(2, 2);
    CHECK(allreduce_time(cluster, "nccl_tree", 4e9) == near(4e9 / 2 / W, 2e-2));
    CHECK(allreduce_time(cluster, "nccl_nvls_tree", 4e9) == near(4e9 / 2 / W, 2e-2));
  }
}
