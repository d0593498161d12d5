// The flow engine against SimGrid where a cluster has everything at once: several adapters with message rates,
// striping, a fabric inside the nodes, GPUs and sockets, every routing on every topology. `play` compares the engines
// to 1e-9.
#include <doctest/doctest.h>

#include "inside_of_nodes.hpp"
#include "sim/core/mixed.hpp"

using namespace orrery;
using test::Cluster;
using test::seat;

namespace {

/// Six nodes: two sockets, two GPUs behind a PCIe switch each, joined by NVLink over a switch that two nodes share.
Cluster pod(Topology topology, Routing routing) {
  Cluster cluster = test::two_sockets(6, 2);
  Fabric& fabric = cluster.type().fabric;
  fabric.switches = {"plx-0", "plx-1", "nvswitch"};
  const auto cable = [&](ResourceKind kind, std::uint32_t a, std::uint32_t b, double gbps) {
    fabric.cables.push_back({kind, a, b, gbps * 1_GBps, 0.1_us});
  };
  cable(ResourceKind::upi, 0, 1, 0.7);
  for (const std::uint32_t side : {0u, 1u}) {
    cable(ResourceKind::pcie, side, 4 + side, 1.3);
    cable(ResourceKind::pcie, 4 + side, 2 + side, 1.1);
    cable(ResourceKind::nvlink, 2 + side, 6, 4.0);
  }
  fabric.span = 2;
  fabric.shared = 6;
  cluster.shared().copies = {1, 1};
  cluster.shared().eager = Bytes{3e4};
  cluster.shared().handshake = 1;
  cluster.type().gpu_messages = GpuMessages{1_us, cluster.wire()};
  Network& network = cluster.network();
  network.protocol.eager = Bytes{5e4};
  network.protocol.handshake = 2;
  network.protocol.bandwidth_factor = PiecewiseFactor{{{0.0, 0.9}}};
  network.protocol.wire_efficiency = PiecewiseFactor{{{0.0, 0.95}}};
  network.link_bandwidth = BytesPerSecond{0.6e9};
  network.link_latency = 0.3_us;
  network.topology = std::move(topology);
  network.routing = routing;
  network.adapters.at = {{4, 5}};
  network.adapters.message_rate = PiecewiseRate(PerSecond{4e4});
  network.adapters.stripe_over = 2;
  network.adapters.stripe_from = Bytes{2e5};
  for (std::uint32_t node = 0; node < 6; ++node)
    for (const std::uint32_t element : {0u, 1u, 2u, 3u}) seat(cluster, node, element);
  return cluster;
}

/// Every rank sends to three others, of all sizes; no two ranks go in step.
Generator<Step> mingling(Rank me) {
  constexpr std::uint32_t ranks = 24, strides[] = {1, 5, 14};
  const auto i = static_cast<std::uint32_t>(me);
  const auto size = [](std::uint32_t from, std::uint32_t k) {
    return 1e3 * static_cast<double>(1 + mixed(from * 8 + k) % 400);
  };
  for (std::uint32_t round = 0; round < 2; ++round) {
    co_yield test::compute_for(1e-5 * (1.0 + 1e-3 * static_cast<double>(mixed(i) % 1000)));
    for (std::uint32_t k = 0; k < 3; ++k) {
      const std::uint32_t from = (i + ranks - strides[k]) % ranks;
      co_yield irecv(Rank{from}, Bytes{size(from, k)}, Tag{round}, RequestId{k});
    }
    for (std::uint32_t k = 0; k < 3; ++k)
      co_yield isend(Rank{(i + strides[k]) % ranks}, Bytes{size(i, k)}, Tag{round}, RequestId{3 + k});
    co_yield wait_all();
  }
}

}  // namespace

TEST_SUITE("replay/pods agree") {
  TEST_CASE("Both engines agree on pods with every routing over every topology") {
    const std::vector<Topology> topologies{StarTopology{},
                                           FatTreeTopology{{4, 3}, {1, 2}, {1, 1}},
                                           TorusTopology{{3, 2}},
                                           TorusTopology{{6}, {false}},
                                           DragonflyTopology{3, 2, 2, 2},
                                           DragonflyPlusTopology{3, 2, 2, 2, 1}};
    using Kind = Routing::Kind;
    for (const Topology& topology : topologies)
      for (const Kind kind : {Kind::deterministic, Kind::hash, Kind::split, Kind::valiant, Kind::adaptive}) {
        CAPTURE(topology.index());
        CAPTURE(static_cast<int>(kind));
        const RunResult result = test::play(pod(topology, {kind, 4, 3}), mingling);
        CHECK(result.messages == 24 * 3 * 2);
      }
  }

  TEST_CASE("Both engines agree where pairs of ranks are limited") {
    for (const auto kind : {Routing::Kind::deterministic, Routing::Kind::adaptive}) {
      Cluster cluster = pod(DragonflyTopology{3, 2, 2, 2}, {kind, 4, 3});
      cluster.wire().pair_bandwidth = BytesPerSecond{0.3e9};
      cluster.wire().pair_from = Bytes{1e5};
      CHECK(test::play(cluster, mingling).messages == 24 * 3 * 2);
    }
  }

  TEST_CASE("Rails on leaves of their own and messages that are not direct agree as well") {
    Cluster cluster = pod(FatTreeTopology{{3, 4}, {1, 2}, {1, 1}}, {Routing::Kind::adaptive, 4, 1});
    cluster.network().adapters.rail_leaves = true;
    CHECK(test::play(cluster, mingling).messages == 24 * 3 * 2);
    cluster.wire().copies = {1, 1};
    cluster.wire().copy_mode = CopyMode::pipelined;
    CHECK(test::play(cluster, mingling).messages == 24 * 3 * 2);
  }
}
