// The locations of a panel's pivots: how many of its jb pivot rows each process row holds. It depends on the matrix.
//
//   random     column i of the panel takes its pivot from the rows i .. M - 1 with equal probability, as in elimination
//              on a random matrix (like HPL's); computed from pivot-seed, k and i, so every process knows all
//   expected   jb rows(d) / M at distance d, rounded so that groups add up
//
// Pivots of the diagonal block's own process row stay there and count 0. A row selected twice is counted twice.
#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/hpl/steps.hpp"

namespace orrery::hpl {

namespace {

/// splitmix64: Steele, Lea & Flood, OOPSLA 2014.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace

PivotRows::PivotRows(const GridPosition& place, const Panel& panel) : before_(place.plan.p + 1, 0) {
  const Plan& plan = place.plan;
  if (plan.pivots == Pivots::expected) {
    const double own = numroc(panel.rows, plan.block, 0, plan.p);
    for (std::uint32_t d = 2; d <= plan.p; ++d)
      before_[d] = static_cast<std::uint32_t>(
          std::round(panel.jb * (numroc_before(panel.rows, plan.block, d, plan.p) - own) / panel.rows));
    return;
  }
  const std::uint64_t stream = mixed(plan.pivot_seed + mixed(panel.k));
  for (std::uint32_t i = 0; i < panel.jb; ++i) {
    // 32 random bits times the rows left, upper half: less than M / 2^32 from even.
    const std::uint64_t drawn = mixed(stream + i) >> 32;
    const auto row = i + static_cast<std::uint32_t>((drawn * (panel.rows - i)) >> 32);
    if (const std::uint32_t distance = row / plan.block % plan.p; distance != 0) ++before_[distance + 1];
  }
  for (std::uint32_t d = 1; d <= plan.p; ++d) before_[d] += before_[d - 1];
}

std::uint32_t PivotRows::in_group(std::uint32_t first, std::uint32_t count) const {
  const auto processes = static_cast<std::uint32_t>(before_.size() - 1), power = std::bit_floor(processes);
  const auto range = [&](std::uint32_t from, std::uint32_t to) {
    return before_[std::min(to, processes)] - before_[std::min(from, processes)];
  };
  return range(first, first + count) + range(first + power, first + power + count);
}

}  // namespace orrery::hpl
