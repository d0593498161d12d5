#include "sim/config/dist2.hpp"

#include <doctest/doctest.h>

#include <random>

#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "tests/support/partition_problem.hpp"
#include "tests/support/partitions.hpp"

using namespace orrery;
using config::parse_dist2;

namespace {

const std::string head = "#size 2\n#N 4\n#kb 8\n#host rank_intra i j x y w h w*h mem time\n";

std::string shipped(const std::string& name) {
  return std::string(ORRERY_SOURCE_DIR) + "/scenarios/partitions/" + name + ".2dist";
}

void check_same(const Partition& a, const Partition& b) {
  CHECK(a.columns == b.columns);
  CHECK(a.rows == b.rows);
  REQUIRE(a.ranks() == b.ranks());
  for (std::uint32_t r = 0; r < a.ranks(); ++r) {
    CHECK(a.rectangles[r].x == b.rectangles[r].x);
    CHECK(a.rectangles[r].y == b.rectangles[r].y);
    CHECK(a.rectangles[r].width == b.rectangles[r].width);
    CHECK(a.rectangles[r].height == b.rectangles[r].height);
  }
}

void refuses(const std::string& text, const char* message) {
  CHECK_THROWS_WITH_AS(parse_dist2(text, "p.2dist"), message, InputError);
}

}  // namespace

TEST_SUITE("config/dist2") {
  TEST_CASE("The shipped partitions of figures 8 and 9 are the ones that tests use") {
    const auto fig8 = config::read_dist2(shipped("rico-gallego16-fig8"));
    check_same(fig8.partition, test::fig8());
    CHECK(fig8.block == 32);
    CHECK(fig8.processes[4].host == "n1");
    CHECK(fig8.processes[4].rank_on_host == 1);
    const auto fig9 = config::read_dist2(shipped("rico-gallego16-fig9"));
    check_same(fig9.partition, test::fig9());
    CHECK(fig9.processes[1].host == fig9.processes[6].host);
    CHECK(fig9.processes[1].host != fig9.processes[2].host);
  }

  TEST_CASE("A partition written as text reads back the same and writes the same text again") {
    for (const auto& partitioner : partitioners().names()) {
      config::Dist2 dist2{
          16, partitioners().at(partitioner, "test").make(test::problem_of({20, 12}, {3, 1, 4, 1, 5})), {}};
      for (std::uint32_t r = 0; r < 5; ++r)
        dist2.processes.push_back({"node" + std::to_string(r / 2), r % 2, 1.5e9, 0.25});
      const std::string text = config::dist2_text(dist2);
      const auto read = parse_dist2(text, "p.2dist");
      check_same(read.partition, dist2.partition);
      CHECK(read.block == 16);
      CHECK(read.processes[3].host == "node1");
      CHECK(read.processes[3].memory_B == 1.5e9);
      CHECK(read.processes[3].time_s == 0.25);
      CHECK(config::dist2_text(read) == text);
    }
  }

  TEST_CASE("The text form of figure 8 numbers columns and places as the paper's file does") {
    config::Dist2 dist2{32, test::fig8(), {}};
    for (std::uint32_t r = 0; r < 6; ++r) dist2.processes.push_back({r < 3 ? "n0" : "n1", r % 3, 0, 0});
    std::string shipped_text = config::read_file(shipped("rico-gallego16-fig8"));
    shipped_text.erase(0, shipped_text.find("#size"));
    CHECK(config::dist2_text(dist2) == shipped_text);
  }

  TEST_CASE("A .2dist file without its headers is refused and the message says which to write") {
    refuses("", "p.2dist:1: no '#size' line (the number of ranks). Write '#size 6'?");
    refuses("n0 0 0 0 0 0 4 4 16 0 0\n",
            "p.2dist:1: no '#size' line before the first rank (the number of ranks). Write '#size 6'?");
    refuses("#size 1\nn0 0 0 0 0 0 4 4 16 0 0\n",
            "p.2dist:2: no '#N' line before the first rank (blocks along a side). Write '#N 256'?");
    refuses("#size 1\n#N 4\n#N 8\n", "p.2dist:3: '#N' is given twice (first in line 2). Remove one?");
    refuses("#size many\n", "p.2dist:1: '#size' is 'many' (a whole number from 1 to 100000000). Correct the number?");
  }

  TEST_CASE("A rank of a .2dist file with missing or wrong fields is refused with its line") {
    refuses(head + "n0 0 0 0 0 0 4 2\n",
            "p.2dist:5: 8 fields (11: host rank_intra i j x y w h w*h mem time). Add the missing ones?");
    refuses(head + "n0 0 0 0 -1 0 4 2 8 0 0\n",
            "p.2dist:5: 'x' is '-1' (a whole number from 0 to 100000000). Correct the number?");
    refuses(head + "n0 0 0 0 0 0 4 2 9 0 0\n",
            "p.2dist:5: 'w*h' is '9' where w is 4 and h is 2 (their product). Write '8'?");
    refuses(head + "n0 0 0 0 0 0 4 2 8 0 fast\n", "p.2dist:5: 'time' is 'fast' (a number, 0 or more). Write '0'?");
  }

  TEST_CASE("Rectangles of a .2dist file that overlap or stick out or leave gaps are refused") {
    refuses(head + "n0 0 0 0 0 0 4 2 8 0 0\nn0 1 0 0 2 1 2 3 6 0 0\n",
            "p.2dist:6: rank 1 overlaps rank 0 (line 5) at column 2, row 1 (rectangles are disjoint). Correct one of "
            "them?");
    refuses(head + "n0 0 0 0 1 0 4 2 8 0 0\n",
            "p.2dist:5: rank 0 reaches column 5 and row 2 (the grid is 4 x 4). Correct its x, y, w or h?");
    refuses(head + "n0 0 0 0 0 0 4 2 8 0 0\nn0 1 0 0 0 2 3 2 6 0 0\n",
            "p.2dist:6: nobody owns the block at column 3, row 2 (14 of 16 blocks are owned). Enlarge a rectangle?");
  }

  TEST_CASE("A thousand damaged .2dist files are each read as a whole tiling or refused with file and line") {
    const std::string whole = config::read_file(shipped("rico-gallego16-fig8"));
    const std::string letters = "0123456789 -#\nxN.";
    std::mt19937 random(1);
    int refused = 0;
    for (int draw = 0; draw < 1000; ++draw) {
      std::string text = whole;
      for (auto changes = 1 + random() % 3; changes > 0; --changes) {
        const std::size_t at = random() % text.size();
        if (random() % 4 == 0)
          text.erase(at, 1 + random() % 40);
        else
          text[at] = letters[random() % letters.size()];
      }
      try {
        const auto read = parse_dist2(text, "p.2dist");
        CHECK(tiling_defect(read.partition) == "");
      } catch (const InputError& refusal) {
        ++refused;
        CHECK(std::string(refusal.what()).starts_with("p.2dist:"));
      }
    }
    CHECK(refused > 300);
  }

  TEST_CASE("A .2dist file with too few or too many ranks is refused") {
    refuses(head + "n0 0 0 0 0 0 4 2 8 0 0\n",
            "p.2dist:5: rank 1 is missing ('#size' is 2, 1 ranks follow). Add its line, or write '#size 1'?");
    refuses(head + "n0 0 0 0 0 0 4 2 8 0 0\nn0 1 0 0 0 2 4 2 8 0 0\nn0 2 0 0 0 0 0 0 0 0 0\n",
            "p.2dist:7: rank 2 is one too many ('#size' is 2). Write '#size 3'?");
  }
}
