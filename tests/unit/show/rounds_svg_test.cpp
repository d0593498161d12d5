#include "sim/show/charts/rounds_svg.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace orrery;
using show::rounds_svg;

namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// Two ranks of 3 and 1 rows/s, first evenly, then in proportion.
std::vector<PartitionRound> two_rounds() {
  const std::vector<std::vector<SpeedPoint>> known{{{20.0, 3.0}}, {{20.0, 1.0}}};
  return {{.shares = {{1, 20}, {1, 20}}, .run = {{Seconds(20.0 / 3), Seconds(20)}, {}}, .known = {}, .imbalance = 2.0},
          {.shares = {{1, 30}, {1, 10}},
           .run = {{Seconds(10), Seconds(10)}, {}},
           .known = known,
           .predicted = Seconds(10)}};
}

}  // namespace

TEST_SUITE("report/rounds picture") {
  TEST_CASE("A sheet has a panel for each round and the line that divided all but the first") {
    const std::string svg = rounds_svg(two_rounds(), {.title = "two <ranks>", .rank_names = {"fast", "slow"}});
    CHECK(svg.find("two &lt;ranks&gt;") != std::string::npos);
    CHECK(count(svg, "class=\"frame\"/>") == 2);
    CHECK(svg.find("round 1: slowest 3 times the fastest") != std::string::npos);
    CHECK(svg.find("round 2: slowest 1 times the fastest") != std::string::npos);
    CHECK(count(svg, "stroke-dasharray=\"7 4\"") == 1);
    CHECK(svg.find("fast: 30 rows in 10 s") != std::string::npos);
    CHECK(count(svg, "<animate") == 0);
  }

  TEST_CASE("A moving picture shows one round after another without a script") {
    const std::string svg = rounds_svg(two_rounds(), {.title = "", .moving = true});
    CHECK(svg.find("values=\"visible;hidden\"") != std::string::npos);
    CHECK(svg.find("values=\"hidden;visible\"") != std::string::npos);
    CHECK(svg.find("dur=\"3.2s\"") != std::string::npos);
    CHECK(svg.find("<script") == std::string::npos);
    CHECK(svg.find("rank 1") != std::string::npos);
  }

  TEST_CASE("Of many rounds a sheet keeps the first ones and the last and of many ranks four") {
    std::vector<PartitionRound> rounds(40, two_rounds().front());
    for (auto& round : rounds) {
      round.shares.assign(9, {1, 20});
      round.run.times.assign(9, Seconds(20));
    }
    const std::string svg = rounds_svg(rounds, {.title = "many"});
    CHECK(count(svg, "<g transform=") == 12);
    CHECK(svg.find("round 11:") != std::string::npos);
    CHECK(svg.find("round 12:") == std::string::npos);
    CHECK(svg.find("round 40:") != std::string::npos);
    CHECK(count(svg, "<g><title>rank") == 4 * 12);
  }
}
