#include "models/partition/rounds.hpp"

#include <algorithm>

#include "models/partition/balanced_rows.hpp"

namespace orrery {

std::vector<ShareSize> slice_sizes(GridSize grid, std::span<const std::uint32_t> heights) {
  std::vector<ShareSize> sizes;
  for (const std::uint32_t height : heights) sizes.push_back({double{1} * grid.columns, double{1} * height});
  return sizes;
}

double imbalance_of(const BenchmarkRun& run) {
  Seconds shortest = PartitionProblem::never, longest;
  for (const Seconds time : run.times)
    if (time > Seconds{}) {
      shortest = std::min(shortest, time);
      longest = std::max(longest, time);
    }
  return longest > Seconds{} ? (longest - shortest) / shortest : 0.0;
}

Seconds longest_of(const BenchmarkRun& run) { return std::ranges::max(run.times); }

void KnownSpeeds::add(std::size_t rank, SpeedPoint point) {
  auto& points = points_[rank];
  const auto place = std::ranges::lower_bound(points, point.size, {}, &SpeedPoint::size);
  if (place != points.end() && place->size == point.size)
    place->speed = point.speed;
  else
    points.insert(place, point);
}

Seconds KnownSpeeds::predicted(std::span<const std::uint32_t> rows) const {
  double longest = 0.0;
  for (std::size_t i = 0; i < points_.size(); ++i)
    if (any(i)) longest = std::max(longest, SpeedFunction(points_[i]).time(rows[i]));
  return Seconds(longest);
}

std::vector<std::uint32_t> KnownSpeeds::balanced(std::uint32_t n, const std::vector<bool>& takes_part,
                                                 const std::string& partitioner) const {
  std::vector<SpeedFunction> functions;
  std::vector<bool> takes = takes_part;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    takes[i] = takes[i] && any(i);
    functions.push_back(any(i) ? SpeedFunction(points_[i]) : SpeedFunction({{1.0, 1.0}}));
  }
  return balanced_rows(
      n, takes, [&](std::size_t i, std::uint32_t rows) { return functions[i].time(rows); }, partitioner);
}

}  // namespace orrery
