#include "models/partition/apportion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/core/error.hpp"

namespace orrery {

std::vector<std::uint32_t> apportion(std::uint32_t total, std::span<const double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (!(sum > 0.0 && std::isfinite(sum)) || std::ranges::any_of(weights, [](double weight) { return weight < 0.0; }))
    throw DomainError(
        "partition: the weights of {} parts sum to {:g} (finite, none negative and one above "
        "0). Check their speeds?",
        weights.size(), sum);
  const auto positive = std::ranges::count_if(weights, [](double weight) { return weight > 0.0; });
  const bool one_each = positive <= std::int64_t{total};
  std::vector<double> share(weights.size());
  std::vector<std::uint32_t> part(weights.size(), 0);
  std::int64_t left = total;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    share[i] = total * (weights[i] / sum);
    part[i] = static_cast<std::uint32_t>(std::floor(share[i]));
    if (one_each && weights[i] > 0.0) part[i] = std::max(part[i], 1u);
    left -= part[i];
  }
  const auto above = [&](std::size_t i) { return part[i] - share[i]; };
  for (; left > 0; --left) {
    std::size_t best = weights.size();
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (weights[i] > 0.0 && (best == weights.size() || above(i) < above(best))) best = i;
    ++part[best];
  }
  const std::uint32_t least = one_each ? 1 : 0;
  for (; left < 0; ++left) {
    std::size_t best = weights.size();
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (part[i] > least && (best == weights.size() || above(i) > above(best))) best = i;
    --part[best];
  }
  return part;
}

Partition slices_of(GridSize grid, std::span<const std::uint32_t> heights) {
  Partition partition{grid.columns, grid.rows, {}};
  std::uint32_t y = 0;
  for (const std::uint32_t height : heights) {
    partition.rectangles.push_back({0, y, grid.columns, height});
    y += height;
  }
  return partition;
}

std::vector<std::uint32_t> even_heights(std::uint32_t rows, const std::vector<bool>& takes_part) {
  const auto parts = static_cast<std::uint64_t>(std::ranges::count(takes_part, true));
  std::vector<std::uint32_t> heights(takes_part.size(), 0);
  std::uint64_t part = 0;
  for (std::size_t i = 0; i < heights.size(); ++i)
    if (takes_part[i]) {
      heights[i] = static_cast<std::uint32_t>((part + 1) * rows / parts - part * rows / parts);
      ++part;
    }
  return heights;
}

std::vector<bool> taking_part(const PartitionProblem& problem) {
  std::vector<bool> taking_part;
  for (const double speed : problem.speeds) taking_part.push_back(speed > 0.0);
  return taking_part;
}

void check_speeds(const std::string& partitioner, std::span<const double> speeds) {
  if (speeds.empty()) throw DomainError("{}: no ranks to share the grid (at least 1). Give a layout?", partitioner);
  for (std::size_t r = 0; r < speeds.size(); ++r)
    if (!std::isfinite(speeds[r]) || speeds[r] < 0.0)
      throw DomainError("{}: rank {} has speed '{}' (finite and not negative). Check its compute model?", partitioner,
                        r, speeds[r]);
  if (std::ranges::all_of(speeds, [](double speed) { return speed == 0.0; }))
    throw DomainError("{}: all {} ranks have speed 0 (at least one positive). Check the compute model?", partitioner,
                      speeds.size());
}

}  // namespace orrery
