#include "sim/study/read/flag_text.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "platforms/layouts.hpp"
#include "sim/core/error.hpp"
#include "sim/study/read/load.hpp"

namespace orrery {

TEST_SUITE("scenario/flag text") {
  TEST_CASE("A flag's name and value part at the first equals sign and the value may hold more") {
    CHECK(name_and_value("blocks=64", "--param").name == "blocks");
    CHECK(name_and_value("blocks=64", "--param").value == "64");
    CHECK(name_and_value("kernel.text=a=b", "--set").value == "a=b");
    CHECK(name_and_value("kernel.file=", "--set").value.empty());
    const auto settings = settings_from({"noise=0.1", "spread=0"}, "--compute-param");
    REQUIRE(settings.size() == 2);
    CHECK(settings[1].name == "spread");
    CHECK(settings[1].value == "0");
    CHECK(settings[1].where == "--compute-param");
  }

  TEST_CASE("A parameter that is given twice is refused") {
    CHECK_THROWS_WITH_AS(settings_from({"points=64", "points=128"}, "--param"),
                         "--param: 'points' is given twice (once each). Leave one out?", InputError);
  }
  TEST_CASE("A flag's text without a name or a value is refused in the same words whatever the flag") {
    CHECK_THROWS_WITH_AS(name_and_value("network", "--set"),
                         "--set: 'network' is not 'name=value'. Write '--set network=...'?", InputError);
    CHECK_THROWS_WITH_AS(settings_from({"a=1", "noise"}, "--compute-param"),
                         "--compute-param: 'noise' is not 'name=value'. Write '--compute-param noise=...'?",
                         InputError);
    CHECK_THROWS_WITH_AS(name_and_value("=5", "--param"), "--param: '=5' is not 'name=value'. Write '--param name=5'?",
                         InputError);
  }

  TEST_CASE("A layout is named by table and row and a table of one row by itself") {
    const LayoutSpec m10 = layout_from("rico-gallego16-table1:M10", "--layout");
    CHECK(m10.table == "rico-gallego16-table1");
    CHECK(m10.row == "M10");
    CHECK(m10.where == "--layout");
    const LayoutSpec here = layout_from("C:/tables/mine.yaml:M1", "--layout");  // the last colon counts
    CHECK(here.table == "C:/tables/mine.yaml");
    CHECK(here.row == "M1");

    const auto folder = std::filesystem::temp_directory_path() / "orrery-flag-text-test";
    std::filesystem::create_directories(folder);
    const auto write = [&](const char* name, const char* rows) {
      const std::string file = (folder / name).string();
      std::ofstream(file) << "name: mine\nsource: a test\nplatform: fermi\nrows:\n" << rows;
      return file;
    };
    const std::string one = write("one.yaml", "  A: {ranks: 4}\n");
    CHECK(layout_from(one, "--layout").row == "A");
    const std::string two = write("two.yaml", "  A: {ranks: 4}\n  B: {ranks: 8}\n");
    CHECK_THROWS_WITH_AS(layout_from(two, "--layout"),
                         ("--layout: '" + two +
                          "' has 2 rows and none is named (TABLE:ROW; known rows: A, B). Write "
                          "'--layout " +
                          two + ":A'?")
                             .c_str(),
                         InputError);
  }
  TEST_CASE("Numbers of ranks on the command line are a layout of their own and not beside a table") {
    const LayoutSpec gpus = layout_from(LayoutFlags{.ranks = 12, .gpus = 4});
    REQUIRE(gpus.own.has_value());
    CHECK(gpus.own->name == "12 ranks");
    CHECK(gpus.own->spread->gpus == 4);
    CHECK(gpus.own->spread->per_node == 0);
    CHECK(layout_from(LayoutFlags{.layout = "rico-gallego16-table1:M1"}).row == "M1");
    CHECK(layout_from(LayoutFlags{.ranks = 12, .order = "round-robin"}).own->spread->round_robin);
    CHECK_THROWS_WITH_AS(layout_from(LayoutFlags{.layout = "rico-gallego16-table1:M1", .order = "round-robin"}),
                         "--order: --layout is given too (it says how many ranks run where). Remove --order?",
                         InputError);
    CHECK_THROWS_WITH_AS(layout_from(LayoutFlags{.gpus = 2, .order = "round-robin"}),
                         "--order: 'round-robin' deals out ranks on cores ('--gpus 0'). Remove --gpus?", InputError);
    CHECK_THROWS_WITH_AS(layout_from(LayoutFlags{.layout = "rico-gallego16-table1:M1", .gpus = 4}),
                         "--gpus: --layout is given too (it says how many ranks run where). Remove --gpus?",
                         InputError);
    CHECK_THROWS_WITH_AS(layout_from(LayoutFlags{.gpus = -1}),
                         "--gpus: '-1' is less than 0 (0 or more). Write '--gpus 0'?", InputError);
  }
  TEST_CASE("Ranks come evenly to the nodes that a flag lists") {
    const auto nodes = [](const LayoutFlags& flags) {
      std::vector<std::size_t> of_ranks;
      const LayoutSpec spec = layout_from(flags);
      for (const Placement& place : build_layout(load_platform_named("fermi", "test"), *spec.own).placements)
        of_ranks.push_back(index(place.node));
      return of_ranks;
    };
    CHECK(nodes({.ranks = 4, .node_list = "0,15,1,14"}) == std::vector<std::size_t>{0, 15, 1, 14});
    CHECK(nodes({.ranks = 4, .node_list = "15,0"}) == std::vector<std::size_t>{15, 15, 0, 0});
    CHECK(nodes({.ranks = 4, .order = "round-robin", .node_list = "15,0"}) == std::vector<std::size_t>{15, 0, 15, 0});
    CHECK_THROWS_WITH_AS(nodes({.ranks = 3, .node_list = "0,15"}),
                         "--node-list: 3 ranks do not come to as many on each of the 2 nodes of 'node-list' (2 or 4 "
                         "ranks do). State '--per-node 2', to fill one after the other?",
                         InputError);
  }
  TEST_CASE("Nodes are chosen on the command line by type or number or list") {
    const auto spread = [](const LayoutFlags& flags) { return *layout_from(flags).own->spread; };
    CHECK(spread({.ranks = 4, .type = "xeon8"}).nodes.type == "xeon8");
    CHECK(spread({.ranks = 12, .nodes = 4}).ranks == 12);
    CHECK(spread({.ranks = 12, .nodes = 4}).nodes.most == 4);
    CHECK(spread({.per_node = 2, .nodes = 4}).per_node == 2);
    CHECK(spread({.node_list = "3,0-1"}).nodes.listed == std::vector{NodeId{3}, NodeId{0}, NodeId{1}});
    const auto refusal = [](const LayoutFlags& flags) {
      try {
        layout_from(flags);
      } catch (const InputError& error) {
        return std::string(error.what());
      }
      return std::string();
    };
    CHECK(refusal({.type = "xeon8", .node_list = "0-3"}) ==
          "--node-list: --type is given too (both choose the nodes). Remove one?");
    CHECK(refusal({.layout = "rico-gallego16-table1:M1", .type = "xeon8"}) ==
          "--type: --layout is given too (it says how many ranks run where). Remove --type?");
    CHECK(refusal({.node_list = "3-1"}) ==
          "--node-list: 'node-list[1]' is '3-1' (the number of a node, or a range). Write '0-7'?");
    CHECK(refusal({.nodes = -1}) == "--nodes: '-1' is less than 0 (0 or more). Write '--nodes 0'?");
  }
}

}  // namespace orrery
