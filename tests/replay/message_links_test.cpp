// The links of messages, worked out after the run: what the messages bring to each link is what the engines say it carried.
#include "sim/engine/message_links.hpp"

#include <doctest/doctest.h>

#include <map>

#include "inside_of_nodes.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::Cluster;
using test::near;
using Kind = Routing::Kind;

namespace {

constexpr double m = 1e6;

/// A spine over every two leaves; leaves of four nodes.
Cluster tree(Routing routing) {
  Cluster cluster = test::a_rank_per_node(8);
  cluster.network().topology = FatTreeTopology{{4, 2}, {1, 2}, {1, 1}};
  cluster.network().routing = routing;
  return cluster;
}

/// Each to all others, of different sizes.
double size(std::size_t from, std::size_t to) { return m * static_cast<double>(1 + from + 3 * to); }

RunResult play_all_to_all(const Cluster& cluster) {
  const auto ranks = static_cast<std::uint32_t>(cluster.layout.ranks());
  return test::play(cluster, [ranks](Rank me) -> Generator<Step> {
    for (std::uint32_t d = 1; d < ranks; ++d) {
      const Rank to{(static_cast<std::uint32_t>(me) + d) % ranks},
          from{(static_cast<std::uint32_t>(me) + ranks - d) % ranks};
      co_yield irecv(from, Bytes{size(index(from), index(me))}, Tag{0}, RequestId{0});
      co_yield isend(to, Bytes{size(index(me), index(to))}, Tag{0}, RequestId{1});
      co_yield wait_all();
    }
  });
}

/// B by link, as `MessageLinks` divides them; `of_split`: a part of a message over each of so many cables.
std::map<std::uint32_t, double> brought(const Cluster& cluster, std::uint32_t of_split = 1) {
  const test::SecondsAsFlops seconds;
  const ReplayInput input{nullptr, &cluster.platform, &cluster.network(), &cluster.layout, &seconds, cluster.options};
  engine::MessageLinks links(input);
  const auto routes = build_routes(cluster.platform, cluster.network());
  std::map<std::uint32_t, double> bytes;
  for (std::uint32_t from = 0; from < cluster.layout.ranks(); ++from)
    for (std::uint32_t to = 0; to < cluster.layout.ranks(); ++to)
      for (const LinkId link :
           from == to ? std::vector<LinkId>() : links.of(Rank{from}, Rank{to}, Bytes{size(from, to)})) {
        const bool cable = routes->first_cable() <= link && link < routes->end_of_cables();
        bytes[static_cast<std::uint32_t>(link)] += size(from, to) / (cable ? of_split : 1);
      }
  return bytes;
}

std::map<std::uint32_t, double> carried(const RunResult& run) {
  std::map<std::uint32_t, double> bytes;
  for (const auto& resource : run.resources)
    if (resource.link != no_link) bytes[resource.link] = resource.bytes.si();
  return bytes;
}

void check_same(const std::map<std::uint32_t, double>& brought, const std::map<std::uint32_t, double>& carried) {
  REQUIRE(brought.size() == carried.size());
  for (const auto& [link, bytes] : carried) {
    REQUIRE(brought.contains(link));
    CHECK(brought.at(link) == near(bytes, 1e-9));
  }
}

}  // namespace

TEST_SUITE("replay/message_links") {
  TEST_CASE("What messages bring to each link is what it carried whatever decides the way") {
    for (const Routing& routing :
         {Routing{Kind::deterministic, 1, 1}, Routing{Kind::hash, 2, 1}, Routing{Kind::hash, 2, 7}}) {
      const Cluster cluster = tree(routing);
      check_same(brought(cluster), carried(play_all_to_all(cluster)));
    }
    const Cluster split = tree({Kind::split, 2, 1});
    check_same(brought(split, 2), carried(play_all_to_all(split)));
  }

  TEST_CASE("Nodes with two adapters and two ranks use the adapter that is nearer") {
    Cluster cluster = test::two_sockets(4);
    for (std::uint32_t node = 0; node < 4; ++node)
      for (std::uint32_t socket = 0; socket < 2; ++socket) test::seat(cluster, node, socket);
    test::put_adapters(cluster, {0, 1});
    cluster.network().topology = FatTreeTopology{{4, 2}, {1, 2}, {1, 1}};
    check_same(brought(cluster), carried(play_all_to_all(cluster)));
  }

  TEST_CASE("Where each message takes a way of its own the way that the run kept of it leads over what it took") {
    for (const Kind kind : {Kind::valiant, Kind::adaptive})
      for (const bool dragonfly : {false, true}) {
        Cluster cluster = dragonfly ? test::a_rank_per_node(12) : tree({kind, 2, 1});
        if (dragonfly) {
          cluster.network().topology = DragonflyTopology{3, 2, 2, 1};
          cluster.network().routing = {kind, 4, 1};
        }
        const RunResult run = play_all_to_all(cluster);
        REQUIRE(run.deliveries.size() == cluster.layout.ranks() * (cluster.layout.ranks() - 1));
        const test::SecondsAsFlops seconds;
        engine::MessageLinks links(
            {nullptr, &cluster.platform, &cluster.network(), &cluster.layout, &seconds, cluster.options});
        std::map<std::uint32_t, double> bytes;
        std::uint32_t others = 0;
        for (const Delivery& one : run.deliveries) {
          others += one.way > 0;
          for (const LinkId link : links.of(one.from, one.to, one.message, one.way))
            bytes[static_cast<std::uint32_t>(link)] += one.message.si();
        }
        CHECK(others > 0);  // not all took the first of theirs
        check_same(bytes, carried(run));
      }
  }
}
