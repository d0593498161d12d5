/// S_i = CPU_i^a L2_i^b / RAM_i^c with weights given by the user, or fitted to a few runs in which all ranks run an
/// equal share of the rows, half of it and a quarter. Symbols and the fit are in models/partition/cost_models.hpp.
///
/// Source   Belikov, Loidl, Michaelson & Trinder, "Architecture-aware cost modelling for parallel performance
///          portability", section 3.1 (tuning of the scaling factors, left to do) and section 6
/// Valid    as far as a product of powers says what processors do; three exponents, so four kinds of them at least
/// Differs  exponents instead of the source's factors, which cancel in C_i = n S_i / sum S_j
/// Checked  tests/unit/models/partition/cost_models_test.cpp, tests/contract/every_partitioner_test.cpp
#include <fmt/format.h>

#include <cmath>

#include "models/partition/apportion.hpp"
#include "models/partition/cost_models.hpp"
#include "models/partition/partitioner.hpp"
#include "models/partition/rounds.hpp"

namespace orrery::cm_weighted_partitioner {

namespace {

/// Rows per second of each rank on its share, when all run at once.
RoundSpeeds speeds_of(const PartitionProblem& problem, const std::vector<std::uint32_t>& heights) {
  PartitionRound round{.shares = slice_sizes(problem.grid, heights)};
  round.run = problem.run(round.shares);
  round.imbalance = imbalance_of(round.run);
  RoundSpeeds speeds(heights.size(), 0.0);
  for (std::size_t i = 0; i < heights.size(); ++i)
    if (heights[i] > 0) speeds[i] = heights[i] / round.run.times[i].si();
  if (problem.watch) problem.watch(round);
  return speeds;
}

CostWeights weights_of(const PartitionProblem& problem) {
  if (problem.weights) return *problem.weights;
  std::vector<RoundSpeeds> rounds;
  for (const std::uint32_t part : {1u, 2u, 4u}) {
    const std::uint32_t rows = problem.grid.rows / part;
    if (rows == 0) break;
    rounds.push_back(speeds_of(problem, even_heights(rows, taking_part(problem))));
  }
  const auto rounded = [](double weight) { return std::round(weight * 1e3) / 1e3 + 0.0; };  // no -0.000
  const CostWeights weights = fitted_weights("cm-weighted", problem, rounds);
  if (problem.tell)
    problem.tell(
        fmt::format("cm-weighted: fitted to {} runs, a processor is worth cpu^{:.3f} cache^{:.3f} / memory^{:.3f}",
                    rounds.size(), rounded(weights.cpu), rounded(weights.cache), rounded(weights.memory)));
  return weights;
}

const bool entered = partitioners().add({
    .name = "cm-weighted",
    .summary = "slices by clock, cache and memory with weights as exponents, stated or fitted to three runs",
    .source = "Belikov, Loidl, Michaelson & Trinder (architecture-aware cost modelling), section 3.1, left to do",
    .asks = PartitionerEntry::Asks::processors_and_speed,
    .weighs = true,
    .make =
        [](const PartitionProblem& problem) {
          check_speeds("cm-weighted", problem.speeds);
          const auto powers = weighted_powers("cm-weighted", problem, weights_of(problem));
          return slices_of(problem.grid, apportion(problem.grid.rows, powers));
        },
});

}  // namespace

}  // namespace orrery::cm_weighted_partitioner
