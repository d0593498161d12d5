// Routes as a file writes them.
#include "platforms/graph_stated.hpp"

#include <doctest/doctest.h>

#include "platforms/routes.hpp"
#include "sim/core/error.hpp"
#include "tests/support/plain_platform.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;

namespace {

using Names = std::vector<std::string>;

/// a and b on bus 'one', b and c on bus 'two'; cables a-c (twice) and from bus 'two' to d.
GraphTopology places() {
  const auto cable = [](const char* from, const char* to, const char* name) {
    return GraphTopology::Edge{from, to, 1_GBps, 1_us, Sharing::full_duplex, name};
  };
  return {{"a", "b", "c", "d"},
          {{"node:0-0", "a", {}, {}},
           {"node:1-1", "b", {}, {}},
           {"node:2-2", "c", {}, {}},
           {"node:3-3", "d", {}, {}},
           {"node:4-4", "one", {}, {}},
           cable("a", "c", "ac"),
           cable("a", "c", "ac2"),
           cable("two", "d", "drop"),
           cable("d", "a", "da")},
          {{"one", 1_GBps, 1_us, Sharing::half_duplex, {"a", "b"}},
           {"two", 1_GBps, 1_us, Sharing::half_duplex, {"b", "c"}}},
          {}};
}

/// Names of the links between the adapters of two nodes.
Names way(const GraphTopology& graph, std::uint32_t from, std::uint32_t to) {
  const Platform platform = test::platform_of(5, graph);
  const auto routes = build_routes(platform, platform.networks.front());
  Names names;
  for (const LinkId id : routes->route(NodeId{from}, NodeId{to})) names.push_back(routes->link(id).name);
  return names;
}

std::string refusal(GraphTopology::Route route) {
  GraphTopology graph = places();
  route.where = "p.yaml:9";
  graph.routes = {std::move(route)};
  try {
    way(graph, 0, 1);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("platforms/stated routes") {
  TEST_CASE("A route takes the links that it names and the way back the same") {
    GraphTopology graph = places();
    CHECK(way(graph, 0, 2) == Names{"nic-out:0", "link:a>c#0", "nic-in:2"});
    graph.routes = {{"a", "c", {"ac2"}, ""}};
    CHECK(way(graph, 0, 2) == Names{"nic-out:0", "link:a>c#2", "nic-in:2"});
    CHECK(way(graph, 2, 0) == Names{"nic-out:2", "link:c>a#3", "nic-in:0"});
    graph.routes.push_back({"c", "a", {"two", "drop", "da"}, ""});
    CHECK(way(graph, 0, 2) == Names{"nic-out:0", "link:a>c#2", "nic-in:2"});
    CHECK(way(graph, 2, 0) ==
          Names{"nic-out:2", "link:c>two#15", "link:two>d#4", "link:d>a#6", "medium:two", "nic-in:0"});
  }

  TEST_CASE("A medium is entered from a switch on it or another medium or a link that ends there") {
    GraphTopology graph = places();
    graph.routes = {{"a", "c", {"one", "two"}, ""}, {"one", "d", {"two", "drop"}, ""}, {"d", "c", {"drop", "two"}, ""}};
    CHECK(way(graph, 0, 2) == Names{"nic-out:0", "link:a>one#9", "link:one>b#10", "link:b>two#13", "link:two>c#14",
                                    "medium:one", "medium:two", "nic-in:2"});
    CHECK(way(graph, 2, 0) == Names{"nic-out:2", "link:c>two#15", "link:two>b#12", "link:b>one#11", "link:one>a#8",
                                    "medium:two", "medium:one", "nic-in:0"});
    CHECK(way(graph, 4, 3) ==
          Names{"nic-out:4", "link:one>b#10", "link:b>two#13", "link:two>d#4", "medium:one", "medium:two", "nic-in:3"});
    CHECK(way(graph, 3, 2) == Names{"nic-out:3", "link:d>two#5", "link:two>c#14", "medium:two", "nic-in:2"});
  }

  TEST_CASE("Latencies and the narrowest link of a route are those of what it names") {
    GraphTopology graph = places();
    graph.routes = {{"a", "c", {"one", "two"}, ""}};
    graph.media[1].bandwidth = 0.5_GBps;
    const Platform platform = test::platform_of(5, graph);
    const Network& network = platform.networks.front();
    const auto routes = build_routes(platform, network);
    CHECK(routes->latency(NodeId{0}, NodeId{2}).si() == test::near(network.latency.si() + 2e-6));
    CHECK(routes->bandwidth(NodeId{0}, NodeId{2}) == 0.5_GBps);
  }

  TEST_CASE("What does not follow is refused") {
    CHECK(refusal({"a", "x", {"ac"}, ""}) ==
          "p.yaml:9: 'to' is an unknown switch or medium 'x' (known: a, b, c, d, one, two). Did you mean 'a'?");
    CHECK(refusal({"a", "c", {"ca"}, ""}) ==
          "p.yaml:9: unknown link or medium 'ca' (known: ac, ac2, da, drop, one, two). Did you mean 'ac'?");
    CHECK(refusal({"a", "a", {"ac"}, ""}) == "p.yaml:9: a route from 'a' to itself. Name another end?");
    CHECK(refusal({"b", "c", {"ac"}, ""}) ==
          "p.yaml:9: the route is at switch 'b' before 'ac', but link 'ac' joins switch 'a' and switch 'c'. Name in "
          "'over' what lies between?");
    CHECK(
        refusal({"d", "c", {"two"}, ""}) ==
        "p.yaml:9: the route is at switch 'd' before 'two', but medium 'two' is not joined to it. Name in 'over' what "
        "lies between?");
    CHECK(refusal({"a", "b", {"ac"}, ""}) ==
          "p.yaml:9: the route ends at switch 'c', not at 'b'. Add to 'over' what leads there?");
    CHECK(refusal({"a", "c", {"ac", "ac"}, ""}) == "p.yaml:9: 'ac' is twice in 'over' (once each). Remove one?");
    CHECK(refusal({"d", "b", {"drop", "da", "ac", "two"}, ""}).starts_with("p.yaml:9: "));
    GraphTopology graph = places();
    graph.routes = {{"a", "c", {"ac"}, "p.yaml:8"}, {"a", "c", {"ac2"}, "p.yaml:9"}};
    CHECK_THROWS_WITH_AS(way(graph, 0, 1), "p.yaml:9: a second route from 'a' to 'c' (one each). Remove one?",
                         InputError);
  }
}
