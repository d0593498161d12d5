/// Division of the points of a sweep among N runs that know nothing of each other: no shared file, no daemon. The
/// scenario and N determine every shard.
///
///   const auto costs = predicted_costs(scenario, points);     // predicted_costs.hpp
///   const auto shards = packed(costs, 20);                    // [20] the points of each, the longest first
///
/// The longest point goes to the shard with the least work so far (the first of several), then the next longest: no
/// shard then has more work than the mean plus one point.
///
/// Source   Graham, SIAM J. Appl. Math. 17(2), 1969: longest processing time first
/// Checked  tests/unit/study/shards_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace orrery::study {

/// "3/20": the third of twenty.
struct ShardNumber {
  std::uint32_t number = 1, of = 1;

  std::string text() const;
};

/// Equal to the maximum number of points.
inline constexpr std::uint32_t shards_max = 100'000;

/// Throws InputError for a text that is no K/N with 1 <= K <= N.
ShardNumber shard_number(const std::string& text);

/// [shards] the points of each; every point is in one of them. If there are more shards than points, some are empty.
///   costs  [points]  any unit
std::vector<std::vector<std::size_t>> packed(std::span<const std::uint64_t> costs, std::uint32_t shards);

}  // namespace orrery::study
