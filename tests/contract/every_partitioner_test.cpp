/// What holds for every partitioner of the catalogue. A new one is covered without a line here.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "models/partition/partitioner.hpp"
#include "sim/core/error.hpp"

using namespace orrery;

namespace {

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
          check(entry.make(columns, rows, set.speeds), set);
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
        for (const auto& mine : entry.make(256, 256, speeds).rectangles)
          CHECK(std::abs(static_cast<double>(mine.area()) - ideal) <= mine.width + mine.height + 1.0);
      }
  }

  TEST_CASE("Every partitioner gives the same rectangles each time") {
    for (const auto& [name, entry] : partitioners().entries())
      for (const auto& set : speed_sets(29)) {
        const auto first = entry.make(128, 128, set.speeds), second = entry.make(128, 128, set.speeds);
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
      CHECK_THROWS_WITH_AS(entry.make(8, 8, {}),
                           fmt::format("{}: no ranks to share the grid (at least 1). Give a layout?", name).c_str(),
                           DomainError);
      CHECK_THROWS_AS(entry.make(8, 8, std::vector<double>{1.0, -1.0}), DomainError);
      CHECK_THROWS_AS(entry.make(8, 8, std::vector<double>{0.0, 0.0}), DomainError);
      CHECK_THROWS_AS(entry.make(8, 8, std::vector<double>{1.0, std::nan("")}), DomainError);
    }
  }
}
