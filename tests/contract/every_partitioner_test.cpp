/// What holds for every partitioner of the catalogue. A new one is covered without a line here.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "models/partition/partitioner.hpp"
#include "sim/core/error.hpp"
#include "tests/support/partition_problem.hpp"
#include "tests/support/speed_problems.hpp"

using namespace orrery;
using test::problem_of;

namespace {

std::vector<std::uint64_t> areas_of(const Partition& partition) {
  std::vector<std::uint64_t> areas;
  for (const auto& mine : partition.rectangles) areas.push_back(mine.area());
  return areas;
}

struct SpeedSet {
  std::string name;
  std::vector<double> speeds;
};

std::vector<SpeedSet> speed_sets(std::uint32_t ranks) {
  std::mt19937 random(ranks);
  std::vector<SpeedSet> sets{{"equal", std::vector<double>(ranks, 3.0)},
                             {"random", {}},
                             {"extreme", {}},
                             {"one fast", std::vector<double>(ranks, 1e-6)},
                             {"one idle", {}}};
  sets[3].speeds[ranks / 2] = 1e9;
  for (std::uint32_t r = 0; r < ranks; ++r) {
    sets[1].speeds.push_back(1.0 + static_cast<double>(random() % 1000) / 100.0);
    sets[2].speeds.push_back(std::pow(10.0, static_cast<double>(random() % 12)));
    sets[4].speeds.push_back(r == 0 && ranks > 1 ? 0.0 : 2.0);
  }
  return sets;
}

void for_each_partition(const std::function<void(const Partition&, const SpeedSet&)>& check) {
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> grids{{1, 1},   {2, 2},     {3, 7},     {16, 16},
                                                                   {64, 16}, {128, 128}, {256, 256}, {1000, 10}};
  for (const auto& [name, entry] : partitioners().entries())
    for (const auto& [columns, rows] : grids)
      for (const std::uint32_t ranks : {1u, 2u, 3u, 5u, 8u, 13u, 29u, 47u, 200u})
        for (const auto& set : speed_sets(ranks)) {
          INFO(fmt::format("{}: {} x {} blocks, {} ranks, {} speeds", name, columns, rows, ranks, set.name));
          check(entry.make(problem_of({columns, rows}, set.speeds)), set);
        }
}

}  // namespace

TEST_SUITE("contract/every partitioner") {
  TEST_CASE("Every partitioner has the name of its file and says what it is and where it comes from") {
    REQUIRE(partitioners().names().size() >= 3);
    for (const auto& [name, entry] : partitioners().entries()) {
      INFO(name);
      CHECK(std::filesystem::exists(fmt::format("{}/models/partition/{}.cpp", ORRERY_SOURCE_DIR, name)));
      CHECK_FALSE(entry.summary.empty());
      CHECK_FALSE(entry.source.empty());
    }
  }

  TEST_CASE("Every partitioner tiles the grid exactly whatever the sizes and speeds") {
    for_each_partition([](const Partition& partition, const SpeedSet& set) {
      CHECK(partition.ranks() == set.speeds.size());
      CHECK(tiling_defect(partition) == "");
    });
  }

  TEST_CASE("Every partitioner gives equal ranks equal areas up to one row and one column") {
    for (const auto& [name, entry] : partitioners().entries())
      for (std::uint32_t ranks = 1; ranks <= 32; ++ranks) {
        INFO(fmt::format("{} on {} ranks", name, ranks));
        const std::vector<double> speeds(ranks, 5.0);
        const double ideal = 256.0 * 256.0 / ranks;
        for (const auto& mine : entry.make(problem_of({256, 256}, speeds)).rectangles)
          CHECK(std::abs(static_cast<double>(mine.area()) - ideal) <= mine.width + mine.height + 1.0);
      }
  }

  TEST_CASE("Every partitioner gives the same rectangles each time") {
    for (const auto& [name, entry] : partitioners().entries())
      for (const auto& set : speed_sets(29)) {
        const auto problem = problem_of({128, 128}, set.speeds);
        const auto first = entry.make(problem), second = entry.make(problem);
        for (std::uint32_t r = 0; r < 29; ++r) {
          CHECK(first.rectangles[r].x == second.rectangles[r].x);
          CHECK(first.rectangles[r].y == second.rectangles[r].y);
          CHECK(first.rectangles[r].area() == second.rectangles[r].area());
        }
      }
  }

  TEST_CASE("Every partitioner refuses speeds that are missing or negative or all zero or not numbers") {
    for (const auto& [name, entry] : partitioners().entries()) {
      INFO(name);
      CHECK_THROWS_WITH_AS(entry.make(problem_of({8, 8}, {})),
                           fmt::format("{}: no ranks to share the grid (at least 1). Give a layout?", name).c_str(),
                           DomainError);
      CHECK_THROWS_AS(entry.make(problem_of({8, 8}, std::vector<double>{1.0, -1.0})), DomainError);
      CHECK_THROWS_AS(entry.make(problem_of({8, 8}, std::vector<double>{0.0, 0.0})), DomainError);
      CHECK_THROWS_AS(entry.make(problem_of({8, 8}, std::vector<double>{1.0, std::nan("")})), DomainError);
    }
  }

  TEST_CASE("Every partitioner gives the areas of a speed to the ranks of that speed wherever they stand") {
    std::mt19937 random(11);
    for (const auto& [name, entry] : partitioners().entries())
      for (const std::uint32_t ranks : {1u, 2u, 7u, 24u, 60u}) {
        INFO(fmt::format("{} on {} ranks", name, ranks));
        std::vector<double> speeds;
        for (std::uint32_t r = 0; r < ranks; ++r) speeds.push_back(1.0 + static_cast<double>(random() % 3) * 1.7);
        std::vector<double> shuffled = speeds;
        std::ranges::shuffle(shuffled, random);
        const auto before = areas_of(entry.make(problem_of({96, 120}, speeds)));
        const auto after = areas_of(entry.make(problem_of({96, 120}, shuffled)));
        // Who does not look at speeds gives areas to places: all of them are the same, whoever gets them.
        const bool by_speed = entry.asks != PartitionerEntry::Asks::nothing;
        std::map<double, std::multiset<std::uint64_t>> of_speed, of_speed_after;
        for (std::uint32_t r = 0; r < ranks; ++r) {
          of_speed[by_speed ? speeds[r] : 0.0].insert(before[r]);
          of_speed_after[by_speed ? shuffled[r] : 0.0].insert(after[r]);
        }
        CHECK(of_speed == of_speed_after);
      }
  }

  TEST_CASE("Every partitioner gives a lone rank the whole grid and each rank of a full line one block") {
    for (const auto& [name, entry] : partitioners().entries()) {
      INFO(name);
      CHECK(areas_of(entry.make(problem_of({13, 7}, {0.5}))) == std::vector<std::uint64_t>{91});
      CHECK(areas_of(entry.make(problem_of({1, 1}, {3.0}))) == std::vector<std::uint64_t>{1});
      for (const std::uint32_t n : {2u, 9u, 16u}) {  // p = n: as many ranks as rows of a line
        const auto areas = areas_of(entry.make(problem_of({1, n}, std::vector<double>(n, 2.0))));
        CHECK(std::accumulate(areas.begin(), areas.end(), std::uint64_t{0}) == n);
        if (entry.asks != PartitionerEntry::Asks::nothing) CHECK(areas == std::vector<std::uint64_t>(n, 1));
      }
    }
  }

  TEST_CASE("Every partitioner that asks for speeds by size divides among ten thousand ranks with few questions") {
    // Counts what is asked, not time: a partitioner that asks for each pair of ranks would never end.
    for (const auto& [name, entry] : partitioners().entries()) {
      INFO(name);
      if (entry.asks != PartitionerEntry::Asks::speed_of_size) continue;
      std::vector<double> speeds(10'000);
      for (std::size_t r = 0; r < speeds.size(); ++r) speeds[r] = 1.0 + static_cast<double>(r % 17);
      std::uint64_t asked = 0;
      PartitionProblem problem{{1, 1'000'000}, speeds};
      problem.speed = [&](Rank rank, ShareSize) {
        ++asked;
        return speeds[index(rank)];
      };
      const auto areas = areas_of(entry.make(problem));
      CHECK(std::accumulate(areas.begin(), areas.end(), std::uint64_t{0}) == 1'000'000);
      CHECK(asked < 20'000'000);
    }
  }

  TEST_CASE("Every partitioner that asks for speeds of slices comes within one row of the least longest time") {
    // Time grows with the rows here. 'exact' is the judge; 'cpm' believes in constants and is the one that may fail.
    std::mt19937 random(23);
    for (const std::uint32_t ranks : {1u, 2u, 3u, 5u, 8u})
      for (int trial = 0; trial < 6; ++trial) {
        const std::uint32_t rows = 200 + static_cast<std::uint32_t>(random() % 60);
        auto problem = test::problem_of(rows, test::random_regimes(ranks, 3.0 * rows / ranks, random));
        problem.accuracy = 1e-6;
        double bound = 0.0;  // one row more for each
        auto best = test::heights_of("exact", problem);
        for (auto& height : best) ++height;
        bound = test::longest(problem, best);
        for (const char* name : {"geometric", "dfpa-1d"}) {
          INFO(fmt::format("{} of {} rows on {} ranks, trial {}", name, rows, ranks, trial));
          CHECK(test::longest(problem, test::heights_of(name, problem)) <= bound);
        }
      }
  }

  TEST_CASE("Every partitioner that times candidates says so when nobody can") {
    for (const auto& [name, entry] : partitioners().entries()) {
      INFO(name);
      PartitionProblem untimed = problem_of({8, 8}, {1.0, 2.0, 3.0});
      untimed.time_of = {};
      if (entry.asks_time())
        CHECK_THROWS_WITH_AS(
            entry.make(untimed),
            doctest::Contains((name + ": nobody tells the time of a candidate (it asks for it). Choose '").c_str()),
            DomainError);
      else
        CHECK(tiling_defect(entry.make(untimed)) == "");
    }
  }
}
