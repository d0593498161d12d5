/// CM3b: work goes only to ranks for which offloading pays. For every latency t of some rank, rows are divided by S_i =
/// CPU_i^a L2_i^b / RAM_i^c among the ranks with latency at most t, and the program's time is computed. The least time
/// wins, of equal ones that of the nearer ranks. Symbols: models/partition/cost_models.hpp.
///
/// Source   Belikov, Loidl, Michaelson & Trinder, "Architecture-aware cost modelling for parallel performance
///          portability", section 3.1: the model that it names CM3b and leaves as ongoing work ("quantify the
///          relationship among the benefit of offloading work and the communication overhead that can cancel out the
///          benefits, as well as to automate the choice of a suitable threshold value")
/// Valid    where time_of is given. Latency is the one criterion: a near rank on a slow wire is kept
/// Differs  the latency stands in the condition alone and not in S_i, where a far rank would get more for being far
/// Checked  tests/unit/models/partition/cost_models_test.cpp, tests/contract/every_partitioner_test.cpp
#include <fmt/format.h>

#include <algorithm>

#include "models/partition/apportion.hpp"
#include "models/partition/cost_models.hpp"
#include "models/partition/partitioner.hpp"
#include "sim/core/error.hpp"

namespace orrery::cm3b_partitioner {

namespace {

constexpr std::size_t thresholds_max = 256;  // each is a run of the program
constexpr double same = 1.0 + 1e-9;          // latencies that differ by rounding alone

/// Latencies of the ranks that take part, ascending, each once.
std::vector<Seconds> latencies_of(const PartitionProblem& problem, const std::vector<double>& powers) {
  std::vector<Seconds> latencies;
  for (std::size_t i = 0; i < powers.size(); ++i)
    if (powers[i] > 0.0) latencies.push_back(i < problem.processors.size() ? problem.processors[i].latency : Seconds{});
  std::ranges::sort(latencies);
  const auto alike = [](Seconds a, Seconds b) { return b <= a * same; };
  latencies.erase(std::unique(latencies.begin(), latencies.end(), alike), latencies.end());
  if (latencies.size() > thresholds_max)
    throw DomainError("cm3b: {} different latencies, each of which would be timed (at most {}). Divide by 'cm3a'?",
                      latencies.size(), thresholds_max);
  return latencies;
}

Partition cm3b(const PartitionProblem& problem) {
  const std::vector<double> powers = weighted_powers("cm3b", problem, problem.weights.value_or(CostWeights{}));
  if (!problem.time_of)
    throw DomainError("cm3b: nobody tells the time of a candidate (it asks for it). Choose 'cm3a'?");
  Partition best;
  Seconds least = PartitionProblem::never;
  std::string tried;
  for (const Seconds threshold : latencies_of(problem, powers)) {
    std::vector<double> near = powers;
    std::size_t left_out = 0;
    for (std::size_t i = 0; i < near.size() && i < problem.processors.size(); ++i)
      if (problem.processors[i].latency > threshold * same) {
        left_out += near[i] > 0.0;
        near[i] = 0.0;
      }
    Partition candidate = slices_of(problem.grid, apportion(problem.grid.rows, near));
    const Seconds time = problem.time_of(candidate);
    tried += fmt::format("{}{:.4g} s with ranks up to {:.3g} ms away ({} left out)", tried.empty() ? "" : ", ",
                         time.si(), 1e3 * threshold.si(), left_out);
    if (!(time < least)) continue;
    least = time;
    best = std::move(candidate);
  }
  if (problem.tell) problem.tell("cm3b: " + tried);
  return best;
}

const bool entered = partitioners().add({
    .name = "cm3b",
    .summary =
        "as cm2 (or with weights) among the ranks near enough for offloading to pay: the threshold is found by time",
    .source = "Belikov, Loidl, Michaelson & Trinder (architecture-aware cost modelling), section 3.1, ongoing work",
    .asks = PartitionerEntry::Asks::processors_and_time,
    .weighs = true,
    .make = cm3b,
});

}  // namespace

}  // namespace orrery::cm3b_partitioner
