#include "sim/study/shard/shards.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "sim/core/error.hpp"

using namespace orrery;
using study::packed;

namespace {

std::vector<std::uint64_t> drawn_costs(std::size_t points, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::uint64_t> costs;
  for (std::size_t i = 0; i < points; ++i) costs.push_back(1 + random() % (random() % 7 == 0 ? 1'000'000 : 100));
  return costs;
}

std::uint64_t load_of(const std::vector<std::size_t>& shard, const std::vector<std::uint64_t>& costs) {
  return std::accumulate(shard.begin(), shard.end(), std::uint64_t{0},
                         [&](std::uint64_t sum, std::size_t point) { return sum + costs[point]; });
}

}  // namespace

TEST_SUITE("app/shards") {
  TEST_CASE("Shards are disjoint and complete for every number of them and every number of points") {
    for (std::size_t points = 0; points <= 40; ++points) {
      const auto costs = drawn_costs(points, static_cast<std::uint32_t>(points));
      for (std::uint32_t shards = 1; shards <= points + 3; ++shards) {
        const auto all = packed(costs, shards);
        REQUIRE(all.size() == shards);
        std::vector<std::size_t> seen;
        for (const auto& shard : all) seen.insert(seen.end(), shard.begin(), shard.end());
        std::ranges::sort(seen);
        std::vector<std::size_t> every(points);
        std::iota(every.begin(), every.end(), std::size_t{0});
        REQUIRE(seen == every);
      }
    }
  }
  TEST_CASE("No shard has more to do than the mean and the longest point") {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
      const auto costs = drawn_costs(500, seed);
      const std::uint64_t total = std::accumulate(costs.begin(), costs.end(), std::uint64_t{0});
      for (const std::uint32_t shards : {1u, 2u, 3u, 7u, 64u, 499u, 500u})
        for (const auto& shard : packed(costs, shards))
          CHECK(load_of(shard, costs) <= total / shards + std::ranges::max(costs));
    }
  }
  TEST_CASE("A shard plays its longest point first") {
    const auto costs = drawn_costs(300, 5);
    for (const auto& shard : packed(costs, 11))
      CHECK(std::ranges::is_sorted(shard, std::greater{}, [&](std::size_t point) { return costs[point]; }));
  }
  TEST_CASE("Points of equal cost are dealt in turn") {
    const std::vector<std::uint64_t> costs(5, 7);
    CHECK(packed(costs, 2) == std::vector<std::vector<std::size_t>>{{0, 2, 4}, {1, 3}});
    CHECK(packed(std::vector<std::uint64_t>(3, 0), 2) == std::vector<std::vector<std::size_t>>{{0, 2}, {1}});
  }
  TEST_CASE("A shard is written K/N and anything else is refused") {
    CHECK(study::shard_number("3/20").text() == "3/20");
    CHECK_THROWS_WITH_AS(study::shard_number("21/20"),
                         "--shard: '21/20' is no shard (K/N: the K-th of N, 1 to N of at most 100000). Write '3/20'?",
                         InputError);
    for (const char* wrong : {"", "/", "3", "3/", "/3", "0/3", "-1/3", "3/x", "1/2/3", "1/100001", "1.5/2"})
      CHECK_THROWS_AS(study::shard_number(wrong), InputError);
  }
}
