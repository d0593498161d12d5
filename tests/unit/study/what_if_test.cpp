// `what-if` of a scenario: places, effects, what is refused, and each place of a machine.
#include "sim/show/summary/what_if.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "platforms/faults.hpp"
#include "sim/core/error.hpp"
#include "sim/show/result/json.hpp"
#include "sim/study/play/run_scenario.hpp"
#include "sim/study/read/point.hpp"
#include "sim/study/read/scenario.hpp"
#include "tests/support/plain_platform.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;

namespace {

/// 40 nodes on two leaves under two spines, ten cables between each two of them.
std::string ampere(const std::string& rest, int ranks = 40) {
  return "source: test\nengine: flow\nplatform: " + std::string(ORRERY_SOURCE_DIR) +
         "/platforms/ampere40.yaml\nnetwork: infiniband\nlayout: {per-node: 1, ranks: " + std::to_string(ranks) +
         "}\n"
         "kernel: {name: collective, operation: alltoall, message: 64KiB}\n" +
         rest;
}

Scenario scenario_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return parse_scenario(config::parse_yaml(text, "s.yaml"), "s.yaml", overrides);
}

LoadedPoint point_of(const std::string& what_if) {
  return PointLoader(".", "flow").load(scenario_of(ampere("what-if: " + what_if + "\n")).points.front());
}

std::string refusal(const std::string& what_if, const std::vector<std::string>& overrides = {}) {
  try {
    const Scenario scenario = scenario_of(ampere("what-if: " + what_if + "\n"), overrides);
    for (const PointSpec& point : scenario.points) PointLoader(".", "flow").load(point);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// How much longer the rank computes than on the healthy machine.
double slower(const LoadedPoint& point, std::uint32_t rank) {
  const LoadedPoint healthy = point_of("none");
  const Compute work{.work = Work::dgemm, .flops = Flops{1e9}};
  return point.compute->compute_time(work, Rank{rank}) / healthy.compute->compute_time(work, Rank{rank});
}

std::vector<std::string> labels(const std::string& what_if) {
  const Scenario scenario = scenario_of(ampere("what-if: " + what_if + "\n"));
  std::vector<std::string> labels;
  for (std::size_t p = 0; p < scenario.points.size(); ++p) labels.push_back(scenario.points.settings(p).back().second);
  return labels;
}

}  // namespace

TEST_SUITE("scenario/what-if") {
  TEST_CASE("A slower node stretches its own computation by exactly so much") {
    const LoadedPoint point = point_of("{node: 17, slower: 20%}");
    CHECK(slower(point, 17) == near(1.2, 1e-15));
    CHECK(slower(point, 16) == 1.0);
    CHECK(point.what_if.platform == nullptr);  // no link is touched
    const LoadedPoint twice = point_of("[{node: 17, slower: 20%}, {nodes: [16, node-17], slower: 50%}]");
    CHECK(slower(twice, 17) == near(1.8, 1e-15));
    CHECK(slower(twice, 16) == near(1.5, 1e-15));
    CHECK(point.id != twice.id);
    CHECK(point.id != point_of("none").id);
  }

  TEST_CASE("Nodes that are drawn are so many of those with ranks and follow the seed") {
    const auto drawn = [](const std::string& seed) {
      const LoadedPoint point = point_of("{nodes: random 5, seed: " + seed + ", slower: 10%}");
      return point.what_if.factors;
    };
    const auto first = drawn("1");
    CHECK(std::ranges::count(first, 1.1) == 5);
    CHECK(std::ranges::count(first, 1.0) == 35);
    CHECK(drawn("1") == first);
    CHECK(drawn("2") != first);
  }

  TEST_CASE("Links of every kind of place get what is said of them") {
    const auto faults = [](const std::string& what_if) { return point_of(what_if).what_if.network->faults->links; };
    CHECK(faults("{adapter: {node: 3}, bandwidth: 50%}").size() == 2);
    CHECK(faults("{rail: 0, latency: +1us}").size() == 80);
    CHECK(faults("{rail: 0, latency: +1us}").begin()->second.latency == Seconds{0.5e-6});  // half at each end
    CHECK(faults("{node: 3, latency: 1us}").begin()->second.latency == Seconds{1e-6});
    CHECK(faults("{link: [leaf-1, spine-0], down: true}").size() == 20);
    CHECK(faults("{link: [leaf switch 1, spine switch 0], down: true}").size() == 20);  // as reports call them
    CHECK(faults("{link: [spine-0, leaf-1], cable: 3, down: true}").size() == 2);
    CHECK(faults("{switch: spine-1, bandwidth: 25%}").size() == 40);
    CHECK(faults("{switch: spine-1, bandwidth: 25%}").begin()->second.bandwidth == 0.25);
    const LoadedPoint point = point_of("{switch: spine-1, down: true}");
    CHECK(point.network->faults == nullptr);  // models and partitions see the healthy one
    CHECK(point.replay_input({}).network == point.what_if.network);
  }

  TEST_CASE("A fault of something half-duplex is one of what its directions share") {
    const auto faults = [](const std::string& network, const std::string& what_if) {
      const std::string text = "source: test\nengine: flow\nplatform: " + std::string(ORRERY_SOURCE_DIR) +
                               "/platforms/beowulf.yaml\nnetwork: " + network +
                               "\nlayout: {per-node: 1, ranks: 16}\nkernel: {name: collective, operation: alltoall, "
                               "message: 1KiB}\nwhat-if: " +
                               what_if + "\n";
      return PointLoader(".", "flow").load(scenario_of(text).points.front()).what_if.network->faults->links;
    };
    const auto adapter = faults("half-duplex-switch", "{adapter: {node: 3}, bandwidth: 50%, latency: 1us}");
    REQUIRE(adapter.size() == 3);  // out, in, and both together
    CHECK(adapter.rbegin()->second.bandwidth == 0.5);
    CHECK(adapter.rbegin()->second.latency == Seconds{});
    const auto cable = faults("bus", "{switch: cable, bandwidth: 50%}");
    REQUIRE(cable.size() == 2 * 16 + 16 + 1);  // adapters on it, and the cable
    CHECK(cable.rbegin()->second.bandwidth == 0.5);
    CHECK(faults("full-duplex-switch", "{adapter: {node: 3}, bandwidth: 50%}").size() == 2);
  }

  TEST_CASE("A fault of a medium is one of its bandwidth and what joins it to a switch has none") {
    const Medium spine{"spine", 1_GBps, 1_us, Sharing::half_duplex, {"a", "b"}};
    const Platform platform = test::platform_of(
        2, GraphTopology{{"a", "b"}, {{"node:0-0", "a", {}, {}}, {"node:1-1", "b", {}, {}}}, {spine}});
    const Network& network = platform.networks.front();
    Layout layout;
    for (const std::uint32_t node : {0u, 1u}) layout.placements.push_back({NodeId{node}, HostId{node}, 0, 1, false, 0});
    const auto bandwidth = [&](const WhatIf& what) {
      const Faulted all = faulted({what}, platform, network, layout);
      return build_routes(*all.platform, *all.network)->bandwidth(NodeId{0}, NodeId{1});
    };
    WhatIf of_medium{.where = "s.yaml:1"}, of_switch = of_medium, of_wire = of_medium;
    of_medium.bandwidth = of_switch.bandwidth = of_wire.bandwidth = 0.5;
    of_medium.from_switch = "spine";
    of_switch.from_switch = "a";
    of_wire.link = {"spine", "a"};
    CHECK(bandwidth(of_medium) == 0.5_GBps);
    CHECK(bandwidth(of_switch) == 1_GBps);  // its NIC is at half of 10 GB/s
    CHECK_THROWS_WITH_AS(bandwidth(of_wire),
                         "s.yaml:1: what joins 'spine' and 'a' has no bandwidth but that of the medium. Write 'switch' "
                         "and the name of the medium?",
                         InputError);
    of_wire.bandwidth.reset();
    of_wire.down = true;
    CHECK_THROWS_AS(bandwidth(of_wire), InputError);  // no other way
  }

  TEST_CASE("Each place is a run after the healthy one") {
    const auto nodes = labels("{node: each, slower: 20%}");
    REQUIRE(nodes.size() == 41);
    CHECK(nodes[0] == "none");
    CHECK(nodes[1].ends_with("slower=20%"));
    CHECK(labels("{adapter: each, bandwidth: 50%}").size() == 41);
    const auto links = labels("{link: each of level 2, down: true}");
    REQUIRE(links.size() == 41);
    CHECK(links[1] == "link=[leaf-0, spine-0] cable=1 down=true");
    CHECK(labels("{link: each, down: true}").size() == 41);
    CHECK(labels("{switch: each, bandwidth: 50%}").size() == 5);
    CHECK(labels("[{switch: each, bandwidth: 50%}, {node: 3, slower: 1%}]")[1] ==
          "[switch=leaf-0 bandwidth=50%, node=3 slower=1%]");
    const Scenario two =
        scenario_of(ampere("sweep: {kernel.message: [1KiB, 1MiB], what-if: [{switch: each, bandwidth: "
                           "50%}, {node: 3, slower: 5%}]}\n"));
    CHECK(two.points.size() == 2 * 6);
    // The keys of one fault can be swept themselves.
    CHECK(scenario_of(ampere("what-if: {node: 3, slower: 5%}\nsweep: {what-if.slower: [5%, 10%]}\n")).points.size() ==
          2);
  }

  TEST_CASE("What cannot be done is refused with its place") {
    CHECK(refusal("{slower: 20%}") ==
          "s.yaml:7:10: 'what-if' names 0 places (one of node, nodes, gpu, adapter, rail, link, switch). Write a list "
          "with an entry for each?");
    CHECK(refusal("{node: 3}") ==
          "s.yaml:7:10: 'what-if' says nothing of its node (one or more of slower, bandwidth, latency; or down). Write "
          "'slower: 20%' or 'down: true'?");
    CHECK(refusal("{link: [leaf-0, spine-0], slower: 20%}") ==
          "s.yaml:7:44: 'slower' of a link (nodes and GPUs compute). Write 'bandwidth: 50%'?");
    CHECK(
        refusal("{node: 3, down: true}") ==
        "s.yaml:7:26: 'down' of a node (its ranks cannot go elsewhere). Leave it out of 'layout', or write 'adapter'?");
    CHECK(refusal("{node: 40, slower: 20%}") == "s.yaml:7:10: 'ampere40' has no node 40 (0 to 39). Choose another?");
    CHECK(
        refusal("{link: [leaf-0, spine-7], down: true}") ==
        "s.yaml:7:10: network 'infiniband' has no switch 'spine-7' (known: leaf-0, leaf-1, spine-0, spine-1). Did you "
        "mean 'spine-0'?");
    CHECK(refusal("{link: [leaf-0, leaf-1], down: true}") ==
          "s.yaml:7:10: no cable joins 'leaf-0' and 'leaf-1' on network 'infiniband'. Name its two ends?");
    CHECK(refusal("{link: [leaf-0, spine-0], cable: 11, down: true}") ==
          "s.yaml:7:10: 'cable' is 11, of 10 between 'leaf-0' and 'spine-0'. Choose another?");
    CHECK(refusal("{adapter: {node: 3, index: 1}, bandwidth: 50%}") ==
          "s.yaml:7:20: node 3 has 1 adapter, and 'index' is 1 (from 0). Choose another?");
    CHECK(refusal("{nodes: random 50, slower: 1%}") ==
          "s.yaml:7:10: 'nodes' is 'random 50', of 40 nodes with ranks (random 1 to random 40). Take fewer?");
    CHECK(refusal("[none, {node: 3, slower: 20%}]").find("'none' stands alone") != std::string::npos);
    CHECK(refusal("{link: each of level 3, down: true}") ==
          "s.yaml:7:10: 'what-if' is of each link, and messages and ranks of this run have none. Name another place?");
    CHECK(refusal("{node: each, slower: 1%}", {"layout.ranks=[4, 8]"}) ==
          "s.yaml:7:10: 'what-if' is of each place beside the axis 'layout.ranks' (places are of one machine and "
          "layout). Write a scenario for each?");
    CHECK(refusal("[{node: each, slower: 1%}, {switch: each, bandwidth: 5%}]").find("two faults at 'each' place") !=
          std::string::npos);
  }

  TEST_CASE("Ports that all take what their network states cannot be slower one by one") {
    const Scenario scenario =
        scenario_of("source: test\nengine: flow\nplatform: " + std::string(ORRERY_SOURCE_DIR) +
                    "/platforms/lab-mixed.yaml\nnetwork: ethernet\nlayout: {ranks: 2, per-node: 1}\n"
                    "kernel: {name: pingpong}\nwhat-if: {adapter: {node: 1}, bandwidth: 50%}\n");
    CHECK_THROWS_WITH_AS(PointLoader(".", "flow").load(scenario.points.front()),
                         "s.yaml:7:10: ports of network 'ethernet' have 'discipline: fifo', and all take what it "
                         "states. Change its 'nic' of a node type?",
                         InputError);
  }

  TEST_CASE("Faults come sorted by harm beside the healthy run and on its picture") {
    const Scenario scenario = scenario_of(
        ampere("sweep: {what-if: [{switch: leaf-1, down: true}, {node: 3, slower: 5%}, none, {adapter: {node: 9}, "
               "bandwidth: 10%}, {switch: spine-0, down: true}]}\n"));
    const auto result = study::run_scenario(scenario, {.jobs = 1, .progress = false}).result;
    const auto rows = show::what_if_rows(result);
    REQUIRE(rows.size() == 4);
    CHECK(rows[0].fault == "switch=leaf-1 down=true");
    CHECK(std::isinf(rows[0].slowdown));
    CHECK(result.points[0].failure.text().find("has no way from node") != std::string::npos);
    CHECK(rows[1].fault == "adapter={node: 9} bandwidth=10%");
    CHECK(rows[1].slowdown > 5.0);
    CHECK(rows[2].fault == "switch=spine-0 down=true");
    CHECK(rows[2].slowdown > 1.0);
    CHECK(rows[3].slowdown == 1.0);  // an all-to-all computes nothing
    for (const auto& row : rows) CHECK(row.base == 2);
    CHECK(result.points[4].metrics.back().name == "slowdown");
    const auto& picture = result.points[2].network_loads.back();
    REQUIRE(picture.what_if);
    CHECK(std::ranges::count_if(picture.slots, [](const LinkLoad& slot) { return slot.most >= 1.0f; }) >= 4);
    const auto again = show::from_json(show::to_json(result), "test");
    CHECK(again.points[2].network_loads.back().what_if);
    CHECK_FALSE(again.points[2].network_loads.front().what_if);
    CHECK(show::what_if_sentence(result) ==
          "what-if: of 4 faults switch=leaf-1 down=true hurts most (cannot run), 1 change nothing");
    CHECK(std::ranges::find(result.notes, show::what_if_sentence(result)) != result.notes.end());
  }

  TEST_CASE("A fault that nothing of the run meets is a note") {
    const auto notes = [](const std::string& what_if) {  // eight nodes of the first leaf
      const Scenario scenario = scenario_of(ampere("what-if: " + what_if + "\n", 8));
      auto said = study::run_scenario(scenario, {.jobs = 1, .progress = false}).result.notes;
      std::erase_if(said, [](const std::string& note) { return !note.starts_with("what-if"); });
      return said;
    };
    CHECK(
        notes("{adapter: {node: 39}, bandwidth: 10%}") ==
        std::vector<std::string>{"what-if adapter={node: 39} bandwidth=10% changes nothing: no message of this run is "
                                 "there"});
    CHECK(
        notes("{link: [leaf-0, spine-1], down: true}") ==
        std::vector<std::string>{"what-if link=[leaf-0, spine-1] down=true changes nothing: no message of this run is "
                                 "there"});
    CHECK(notes("{node: 39, slower: 5%}") ==
          std::vector<std::string>{"what-if node=39 slower=5% changes nothing: no rank of this run is there"});
    CHECK(notes("{adapter: {node: 7}, bandwidth: 10%}").empty());
    CHECK(notes("{switch: leaf-0, bandwidth: 10%}").empty());
    CHECK(notes("{switch: spine-0, bandwidth: 10%}").size() == 1);
  }
}
