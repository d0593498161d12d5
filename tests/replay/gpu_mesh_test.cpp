// GPUs that several switches or a mesh of links join: closed forms, on both engines. A link has 8 GB/s.
#include <doctest/doctest.h>

#include "inside_of_nodes.hpp"
#include "kernels/collectives/collective.hpp"
#include "platforms/fabric_ways.hpp"
#include "platforms/gpu_parameters.hpp"
#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

constexpr double N = 8e9, W = 1e9, m = 1e9;

/// GPUs at one socket by slow PCI Express; nothing else joins them yet.
Cluster gpus_alone(std::uint32_t nodes, std::uint32_t gpus) {
  Cluster cluster = two_sockets(nodes, gpus);
  Fabric& fabric = cluster.type().fabric;
  for (std::uint32_t gpu = 2; gpu < 2 + gpus; ++gpu)
    fabric.cables.push_back({ResourceKind::pcie, gpu, 0, BytesPerSecond{4e8}, 0_s});
  fabric.cables.push_back({ResourceKind::upi, 0, 1, BytesPerSecond{1e9}, 0_s});
  GpuMessages messages{1_us, cluster.shared()};
  messages.protocol.hop_latency = {2_us, 3_us, 5_us};
  messages.multicast = GpuMessages::Multicast{.efficiency = 1.0, .latency = 4_us, .staging = {}};
  cluster.type().gpu_messages = messages;
  cluster.wire().gpu_direct = true;
  cluster.wire().hop_latency = {20_us, 30_us, 50_us};
  put_adapters(cluster, std::vector<std::uint32_t>(gpus, 0));
  return cluster;
}

void join(Cluster& cluster, std::uint32_t a, std::uint32_t b, double links) {
  cluster.type().fabric.cables.push_back({ResourceKind::nvlink, 2 + a, 2 + b, BytesPerSecond{links * N}, 0.1_us});
}

/// A rank on each GPU of each node.
void seat_all(Cluster& cluster, std::uint32_t nodes) {
  for (std::uint32_t node = 0; node < nodes; ++node)
    for (std::uint32_t gpu = 0; gpu < cluster.type().gpus.size(); ++gpu) seat(cluster, node, 2 + gpu);
  cluster.layout.gpus = gpu_parameters(cluster.platform, cluster.platform.networks.front(), cluster.layout);
}

/// Each GPU has `links` links to every one of `switches`.
Cluster switched(std::uint32_t gpus, const std::vector<double>& links) {
  Cluster cluster = gpus_alone(1, gpus);
  for (std::uint32_t k = 0; k < links.size(); ++k) {
    cluster.type().fabric.switches.push_back("nvs-" + std::to_string(k));
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
      cluster.type().fabric.cables.push_back(
          {ResourceKind::nvlink, 2 + gpu, 2 + gpus + k, BytesPerSecond{links[k] * N}, 0.1_us});
  }
  std::vector<std::uint32_t> none;
  REQUIRE(join_switches(cluster.type(), none).empty());
  seat_all(cluster, 1);
  return cluster;
}

double allreduce_time(Cluster& cluster, const char* algorithm, double bytes) {
  const Group world = Group::world(cluster.layout.ranks());
  const collectives::Nodes nodes = collectives::nodes_of(world, &cluster.layout);
  return makespan(cluster, [=](Rank me) {
    return collectives::allreduce({.group = world, .me = me, .algorithm = algorithm, .element = 4_B, .nodes = nodes},
                                  Bytes{bytes});
  });
}

/// Of 4 m bytes more, whatever a collective takes to begin.
double of_four_more(Cluster& cluster, const char* algorithm) {
  return allreduce_time(cluster, algorithm, 8 * m) - allreduce_time(cluster, algorithm, 4 * m);
}

}  // namespace

TEST_SUITE("replay/gpu mesh") {
  TEST_CASE("Messages of GPUs on four switches have the bandwidth of all four") {
    Cluster cluster = switched(8, {5, 4, 4, 5});
    const auto one = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield send(Rank{5}, Bytes{m}, Tag{0});
      if (me == Rank{5}) co_yield recv(Rank{0}, Bytes{m}, Tag{0});
    };
    CHECK(makespan(cluster, one) == near(1e-6 + 0.2e-6 + m / (18 * N)));
    const auto all_to_one = [](Rank me) -> Generator<Step> {
      if (me != Rank{0}) co_yield send(Rank{0}, Bytes{m}, Tag{0});
      for (std::uint32_t from = 1; me == Rank{0} && from < 8; ++from)
        co_yield irecv(Rank{from}, Bytes{m}, Tag{0}, RequestId{from});
      if (me == Rank{0}) co_yield wait_all();
    };
    CHECK(makespan(cluster, all_to_one) == near(1e-6 + 0.2e-6 + 7 * m / (18 * N)));
  }

  TEST_CASE("Collectives of GPUs on four switches take what they take on one as wide") {
    for (const char* algorithm : {"nccl_ring", "nccl_tree", "nccl_nvls"}) {
      CAPTURE(algorithm);
      Cluster four = switched(8, {5, 4, 4, 5}), one = switched(8, {18});
      CHECK(allreduce_time(four, algorithm, m) == allreduce_time(one, algorithm, m));
    }
    Cluster cluster = switched(8, {5, 4, 4, 5});
    CHECK(of_four_more(cluster, "nccl_ring") == near(2 * 7.0 / 8 * 4 * m / (18 * N), 1e-2));
    CHECK(of_four_more(cluster, "nccl_nvls") == near(9.0 / 8 * 4 * m / (18 * N), 3e-2));
  }

  TEST_CASE("GPUs that no switch joins cannot reduce in one") {
    Cluster cluster = gpus_alone(1, 4);
    cluster.type().fabric.switches = {"nvs-0", "nvs-1"};
    for (std::uint32_t gpu = 0; gpu < 4; ++gpu)
      cluster.type().fabric.cables.push_back(
          {ResourceKind::nvlink, 2 + gpu, 6 + gpu / 2, BytesPerSecond{N}, 0.1_us});
    seat_all(cluster, 1);
    CHECK(cluster.layout.gpus->in_switch == BytesPerSecond{});
    CHECK_THROWS_WITH_AS(allreduce_time(cluster, "nccl_nvls", m),
                         "platform 'test': GPUs of 'node' are asked to reduce or multicast by a switch, and none joins "
                         "all of them (PCI Express does neither). Choose algorithm 'nccl_ring'?",
                         InputError);
    cluster.layout.placements.resize(2);  // both on nvs-0
    cluster.layout.gpus = gpu_parameters(cluster.platform, cluster.platform.networks.front(), cluster.layout);
    CHECK(of_four_more(cluster, "nccl_nvls") == near(1.5 * 4 * m / N, 3e-2));
  }

  TEST_CASE("Rings of a square of links go along its sides in both directions") {
    Cluster cluster = gpus_alone(1, 4);
    for (const auto& [a, b] : {std::pair{0u, 2u}, {2u, 1u}, {1u, 3u}, {3u, 0u}}) join(cluster, a, b, 1);
    seat_all(cluster, 1);
    REQUIRE(cluster.layout.gpus->mesh);
    CHECK(cluster.layout.gpus->detour.empty());
    CHECK(of_four_more(cluster, "nccl_ring") == near(1.5 * 4 * m / (2 * N), 1e-2));
    // A chain from its head: each side carries half of the vector up and half down, but for a side of each chain.
    CHECK(of_four_more(cluster, "nccl_tree") == near(2 * 0.75 * 4 * m / (2 * N), 5e-2));
  }

  TEST_CASE("Three rings both ways carry an allreduce over a hypercube mesh") {
    Cluster cluster = gpus_alone(1, 8);
    const std::uint32_t pairs[][3] = {{0, 1, 1}, {0, 2, 1}, {0, 3, 2}, {0, 4, 2}, {1, 2, 2}, {1, 3, 1},
                                      {1, 5, 2}, {2, 3, 2}, {2, 6, 1}, {3, 7, 1}, {4, 5, 1}, {4, 6, 1},
                                      {4, 7, 2}, {5, 6, 2}, {5, 7, 1}, {6, 7, 2}};
    for (const auto& [a, b, links] : pairs) join(cluster, a, b, links);
    seat_all(cluster, 1);
    CHECK(of_four_more(cluster, "nccl_ring") == near(2 * 7.0 / 8 * 4 * m / (6 * N), 1e-2));
    CHECK(cluster.layout.gpus->link.si() == near(6 * N));
  }

  TEST_CASE("Rings over two nodes of a mesh keep to its links and load each adapter alike") {
    Cluster cluster = gpus_alone(2, 4);
    for (const auto& [a, b] : {std::pair{0u, 2u}, {2u, 1u}, {1u, 3u}, {3u, 0u}}) join(cluster, a, b, 1);
    for (auto& cable : cluster.type().fabric.cables)
      if (cable.kind == ResourceKind::pcie) cable.bandwidth = BytesPerSecond{4e9};
    seat_all(cluster, 2);
    // 2 (p - 1) / p of the vector over four adapters of each node.
    CHECK(of_four_more(cluster, "nccl_ring") == near(2 * 7.0 / 8 * 4 * m / (4 * W), 2e-2));
  }

  TEST_CASE("GPUs in pairs have no ring and say where it leaves their links") {
    Cluster cluster = gpus_alone(1, 4);
    join(cluster, 0, 1, 1);
    join(cluster, 2, 3, 1);
    seat_all(cluster, 1);
    CHECK(cluster.layout.gpus->detour == "GPU 1 to GPU 2");
    CHECK(cluster.layout.gpus->link.si() == near(4e8));
    cluster.layout.placements.resize(2);
    cluster.layout.gpus = gpu_parameters(cluster.platform, cluster.platform.networks.front(), cluster.layout);
    CHECK(cluster.layout.gpus->detour.empty());
    CHECK(cluster.layout.gpus->link.si() == near(N));
  }
}
