#include "models/partition/confirmed.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery {

namespace {

bool same_rectangles(const Partition& a, const Partition& b) {
  return std::ranges::equal(a.rectangles, b.rectangles, [](const Rectangle& one, const Rectangle& other) {
    return one.x == other.x && one.y == other.y && one.width == other.width && one.height == other.height;
  });
}

}  // namespace

Partition confirmed(const PartitionProblem& problem, const std::string& who, const std::vector<Partition>& candidates) {
  if (!problem.played) return candidates.front();
  const Partition* best = nullptr;
  Seconds first, least;
  std::size_t played = 0;
  for (auto candidate = candidates.begin(); candidate != candidates.end(); ++candidate) {
    if (std::any_of(candidates.begin(), candidate,
                    [&](const Partition& other) { return same_rectangles(other, *candidate); }))
      continue;
    const Seconds time = problem.played(*candidate);
    if (played++ == 0) first = time;
    if (best != nullptr && !(time < least)) continue;
    best = &*candidate;
    least = time;
  }
  if (problem.tell)
    problem.tell(fmt::format(
        "{}: {} candidate{} played; the one predicted to be best takes {:.4g} s{}", who, played, played == 1 ? "" : "s",
        first.si(),
        least < first ? fmt::format(", another {:.4g} s: that one is taken", least.si()) : " and is taken"));
  return *best;
}

}  // namespace orrery
