#include "models/partition/partition_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/core/error.hpp"

namespace orrery {

BenchmarkRun PartitionProblem::run(const std::vector<ShareSize>& shares, Seconds cut_off) const {
  BenchmarkRun run;
  if (benchmark) {
    run = benchmark(shares, cut_off);
  } else {
    for (std::uint32_t r = 0; r < ranks(); ++r) {
      const bool idle = shares[r].blocks() <= 0.0;
      run.times.push_back(idle ? Seconds{} : Seconds(time(Rank{r}, shares[r])));
      run.cost = std::max(run.cost, std::min(run.times.back(), cut_off));
    }
  }
  for (std::uint32_t r = 0; r < ranks(); ++r)
    if (shares[r].blocks() > 0.0 && !(run.times[r] > Seconds{} && std::isfinite(run.times[r].si())))
      throw DomainError(
          "partition: rank {} takes '{}' s for {:g} x {:g} blocks (a positive time). Check the compute "
          "model?",
          r, run.times[r].si(), shares[r].columns, shares[r].rows);
  return run;
}

}  // namespace orrery
