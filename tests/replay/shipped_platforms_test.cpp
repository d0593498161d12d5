// The point-to-point table of 'orrery show platform' is what the engine plays, on every shipped platform.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "platforms/layouts.hpp"
#include "platforms/loader.hpp"
#include "platforms/point_to_point.hpp"
#include "play.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;

namespace {

std::vector<Platform> shipped_platforms() {
  std::vector<Platform> platforms;
  for (const auto& entry : std::filesystem::directory_iterator(ORRERY_SOURCE_DIR "/platforms"))
    if (entry.path().extension() == ".yaml") platforms.push_back(load_platform(entry.path().string()));
  return platforms;
}

/// One core on each of the two nodes; on the same node, of the same socket.
Layout two_ranks(const Platform& platform, NodeId a, NodeId b) {
  Layout layout;
  for (const NodeId node : {a, b})
    layout.placements.push_back({node, host_of(platform, node, false, 0), platform.type_of(node), 1, false, 0});
  return layout;
}

/// On both engines; machines of so many links that single ones have no load curves, which `play` compares, on our own.
double simulated(const test::Cluster& cluster, Bytes m) {
  const FunctionProgram program("message", 2, [m](Rank me) -> Generator<Step> {
    if (me == Rank{0}) co_yield send(Rank{1}, m, Tag{1});
    if (me == Rank{1}) co_yield recv(Rank{0}, m, Tag{1});
  });
  if (build_routes(cluster.platform, cluster.network())->links() < 19000)
    return test::play(cluster, program).makespan.si();
  const test::SecondsAsFlops compute;
  return make_flow_engine()
      ->replay({&program, &cluster.platform, &cluster.network(), &cluster.layout, &compute, cluster.options})
      .makespan.si();
}

void check(const Platform& platform, const Network& network, NodeId a, NodeId b, const PointToPoint& pair) {
  for (const Bytes m : {8_B, 4_KiB, 64_KiB, 1_MiB}) {
    CAPTURE(platform.name);
    CAPTURE(network.name);
    CAPTURE(m.si());
    test::Cluster cluster(1);
    cluster.platform = platform;
    std::ranges::rotate(cluster.platform.networks,
                        cluster.platform.networks.begin() + (&network - platform.networks.data()));
    for (auto& one : cluster.platform.networks) one.protocol.overhead_variation = 0.0;  // the table has the mean
    cluster.platform.start_skew = Seconds{};
    for (auto& type : cluster.platform.node_types) {  // it is of ranks with own cores
      type.time_sharing_overhead = 0.0;
      type.waiting = Waiting::blocks;
    }
    cluster.network().routing = {};  // the table has the deterministic way
    cluster.layout = two_ranks(platform, a, b);
    CHECK(simulated(cluster, m) == near(pair.time(m).si()));
  }
}

}  // namespace

TEST_SUITE("replay/shipped_platforms") {
  TEST_CASE("A message inside a node takes the time that the platform's table says") {
    for (const auto& platform : shipped_platforms())
      for (std::uint32_t type = 0; type < platform.node_types.size(); ++type) {
        const NodeId node = platform.first_node_of(type);
        check(platform, platform.networks[0], node, node, PointToPoint(platform.node_types[type]));
      }
  }
  TEST_CASE("A message between near and far nodes takes the time that the platform's table says") {
    for (const auto& platform : shipped_platforms())
      for (const auto& network : platform.networks) {
        const auto routes = build_routes(platform, network);
        for (const NodeId to : {NodeId{1}, NodeId{platform.nodes() - 1}})
          check(platform, network, NodeId{0}, to, {platform, network, *routes, NodeId{0}, to});
      }
  }
}
