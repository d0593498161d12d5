#include "models/partition/dfpa.hpp"

#include <set>

namespace orrery {

std::vector<std::uint32_t> Dfpa::divide(const Line& line) {
  std::vector<std::uint32_t> rows = line.start, best;
  std::set<std::vector<std::uint32_t>> seen;
  while (seen.insert(rows).second) {
    const BenchmarkRun run = line.run(rows);
    const double imbalance = imbalance_of(run);
    if (best.empty() || longest_of(run) < longest_of(best_)) {
      best = rows;
      best_ = run;
    }
    std::vector<ShareSize> shares;
    shares.reserve(rows.size());
    for (const std::uint32_t height : rows) shares.push_back({line.columns, double{1} * height});
    line.watch({.shares = shares,
                .run = run,
                .known = known_.any_at_all() ? known_.points() : decltype(PartitionRound::known){},
                .predicted = known_.any_at_all() ? known_.predicted(rows) : Seconds{},
                .imbalance = imbalance});
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i] > 0) known_.add(i, {double{1} * rows[i], rows[i] / run.times[i].si()});
    if (imbalance <= line.accuracy) {
      best_ = run;
      return rows;
    }
    rows = known_.balanced(line.rows, line.takes_part, line.partitioner);
  }
  return best;
}

}  // namespace orrery
