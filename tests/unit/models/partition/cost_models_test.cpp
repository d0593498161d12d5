#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/core/error.hpp"
#include "tests/support/speed_problems.hpp"

using namespace orrery;
using test::heights_of;
using Heights = std::vector<std::uint32_t>;

namespace {

/// Of Table 1 of the source: a PE of linux01, of linux lab and of beowulf; only the last is far.
PartitionProblem three_machines(std::uint32_t rows) {
  PartitionProblem problem{{1, rows}, {1.0, 1.0, 1.0}};
  problem.processors = {{2.4, Bytes(2), Bytes(2), Seconds(1e-4)},
                        {3.4, Bytes(4), Bytes(3), Seconds(1e-4)},
                        {2.0, Bytes(8), Bytes(6), Seconds(2e-4)}};
  return problem;
}

}  // namespace

TEST_SUITE("models/partition/cost models") {
  TEST_CASE("Cost models divide by clock then also cache then also memory then also latency") {
    CHECK(heights_of("cm0", three_machines(78)) == Heights{24, 34, 20});
    CHECK(heights_of("cm1", three_machines(344)) == Heights{48, 136, 160});     // 4.8, 13.6, 16
    CHECK(heights_of("cm2", three_machines(960)) == Heights{240, 453, 267});    // 2.4, 4.533, 2.667
    CHECK(heights_of("cm3a", three_machines(1227)) == Heights{240, 453, 534});  // the far one twice as much
  }

  TEST_CASE("Factors before the parameters of a cost model change no share and exponents do") {
    for (const char* model : {"cm0", "cm1", "cm2", "cm3a"}) {
      auto scaled = three_machines(1227);
      for (auto& facts : scaled.processors) {  // a = 7, b = 0.1, c = 1000, d = 3
        facts.cpu *= 7.0;
        facts.cache *= 0.1;
        facts.memory *= 1000.0;
        facts.latency *= 3.0;
      }
      CHECK(heights_of(model, scaled) == heights_of(model, three_machines(1227)));
    }
    auto weighed = three_machines(960);
    weighed.weights = CostWeights{1.0, 1.0, 1.0};
    CHECK(heights_of("cm-weighted", weighed) == heights_of("cm2", three_machines(960)));
    weighed.weights = CostWeights{1.0, 0.0, 0.0};
    CHECK(heights_of("cm-weighted", weighed) == heights_of("cm0", three_machines(960)));
    weighed.weights = CostWeights{0.0, 1.0, 0.0};
    CHECK(heights_of("cm-weighted", weighed) == Heights{137, 274, 549});  // 2, 4, 8
  }

  TEST_CASE("Fitted weights find the powers that speeds follow and stay with the clock where nothing tells more") {
    PartitionProblem problem{{1, 6000}, {1.0, 1.0, 1.0, 1.0, 1.0}};
    problem.processors = {{2e9, Bytes(1e6), Bytes(4e9), {}},
                          {3e9, Bytes(1e6), Bytes(2e9), {}},
                          {3e9, Bytes(4e6), Bytes(4e9), {}},
                          {2e9, Bytes(8e6), Bytes(1e9), {}},
                          {4e9, Bytes(2e6), Bytes(8e9), {}}};
    problem.speed = [&](Rank rank, ShareSize) {
      const auto& facts = problem.processors[index(rank)];
      return std::pow(facts.cpu, 0.7) * std::pow(facts.cache.si(), 0.25) / std::pow(facts.memory.si(), -0.1);
    };
    std::string told;
    problem.tell = [&](std::string note) { told = std::move(note); };
    std::size_t rounds = 0;
    problem.watch = [&](const PartitionRound&) { ++rounds; };
    const auto heights = heights_of("cm-weighted", problem);
    CHECK(told == "cm-weighted: fitted to 3 runs, a processor is worth cpu^0.700 cache^0.250 / memory^-0.100");
    CHECK(rounds == 3);
    std::vector<double> times;
    for (std::uint32_t r = 0; r < 5; ++r) times.push_back(heights[r] / problem.speed(Rank{r}, {}));
    CHECK(*std::ranges::max_element(times) / *std::ranges::min_element(times) < 1.01);

    for (auto& facts : problem.processors) facts = {2e9, Bytes(1e6), Bytes(4e9), {}};  // one kind
    problem.speed = [](Rank rank, ShareSize) { return 1.0 + static_cast<double>(index(rank)); };
    heights_of("cm-weighted", problem);
    CHECK(told == "cm-weighted: fitted to 3 runs, a processor is worth cpu^1.000 cache^0.000 / memory^0.000");
  }

  TEST_CASE("CM3b leaves far ranks out only where the program is faster without them") {
    auto problem = three_machines(780);
    problem.processors[1].latency = Seconds(1e-6);
    problem.weights = CostWeights{1.0, 0.0, 0.0};
    double far = 0.0;  // seconds that a row on rank 2 costs beyond its computation
    problem.time_of = [&](const Partition& candidate) {
      double longest = 0.0;
      for (std::size_t r = 0; r < 3; ++r) {
        const double rows = candidate.rectangles[r].height;
        longest = std::max(longest, rows / problem.processors[r].cpu + (r == 2 ? far * rows : 0.0));
      }
      return Seconds(longest);
    };
    std::string told;
    problem.tell = [&](std::string note) { told = std::move(note); };
    CHECK(heights_of("cm3b", problem) == Heights{240, 340, 200});
    CHECK(
        told ==
        "cm3b: 229.4 s with ranks up to 0.001 ms away (2 left out), 134.6 s with ranks up to 0.1 ms away (1 left out), "
        "100 s with ranks up to 0.2 ms away (0 left out)");
    far = 0.2;
    CHECK(heights_of("cm3b", problem) == Heights{323, 457, 0});
    problem.time_of = {};
    CHECK_THROWS_WITH_AS(heights_of("cm3b", problem),
                         "cm3b: nobody tells the time of a candidate (it asks for it). Choose 'cm3a'?", DomainError);
  }

  TEST_CASE("A rank at the threshold of latency gets nothing") {
    auto problem = three_machines(694);
    problem.latency_max = Seconds(2e-4);
    CHECK(heights_of("cm3a", problem) == Heights{240, 454, 0});
    problem.latency_max = Seconds(1e-4);
    CHECK_THROWS_WITH_AS(heights_of("cm3a", problem),
                         "cm3a: every rank is 0.0001 s away or more (at least one nearer). Raise 'latency-max'?",
                         DomainError);
  }

  TEST_CASE("A cost model that lacks a parameter of a rank names the column to add") {
    auto problem = three_machines(10);
    problem.processors[1].cache = Bytes{};
    CHECK(heights_of("cm0", problem).size() == 3);
    CHECK_THROWS_WITH_AS(
        heights_of("cm1", problem),
        "cm1: nobody says 'cache_B' of rank 1 (a positive parameter). Name 'processors' with that column?",
        DomainError);
  }
}
