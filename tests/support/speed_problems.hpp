/// Problems over one line of rows whose ranks have cache, memory and paging regimes, and what a division of them takes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "models/partition/partitioner.hpp"

namespace orrery::test {

/// Fast while its rows fit into a cache, slower beyond, slow once memory is full. Time grows with the rows throughout.
struct Regimes {
  double fast, cache_rows, memory_rows;

  double speed(double rows) const {
    if (rows <= cache_rows) return fast;
    if (rows <= memory_rows) return fast / (1.0 + 0.5 * (rows - cache_rows) / memory_rows);
    return fast / (1.5 + (rows - memory_rows));
  }
};

inline PartitionProblem problem_of(std::uint32_t rows, std::vector<Regimes> ranks) {
  PartitionProblem problem{{1, rows}, std::vector<double>(ranks.size(), 1.0)};
  problem.speed = [ranks = std::move(ranks)](Rank rank, ShareSize size) { return ranks[index(rank)].speed(size.rows); };
  return problem;
}

inline std::vector<Regimes> random_regimes(std::uint32_t ranks, double memory_rows, std::mt19937& random) {
  const auto draw = [&](double from, double to) {
    return from + (to - from) * static_cast<double>(random() % 1000) / 1000.0;
  };
  std::vector<Regimes> regimes;
  for (std::uint32_t r = 0; r < ranks; ++r)
    regimes.push_back({draw(1, 20), draw(0.1, 0.5) * memory_rows, draw(0.5, 1.0) * memory_rows});
  return regimes;
}

inline std::vector<std::uint32_t> heights_of(const std::string& partitioner, const PartitionProblem& problem) {
  std::vector<std::uint32_t> heights;
  for (const auto& mine : partitioners().at(partitioner, "test").make(problem).rectangles)
    heights.push_back(mine.height);
  return heights;
}

inline double longest(const PartitionProblem& problem, const std::vector<std::uint32_t>& heights) {
  double time = 0.0;
  for (std::uint32_t r = 0; r < heights.size(); ++r)
    if (heights[r] > 0)
      time = std::max(time, problem.time(Rank{r}, {double{1} * problem.grid.columns, double{1} * heights[r]}));
  return time;
}

}  // namespace orrery::test
