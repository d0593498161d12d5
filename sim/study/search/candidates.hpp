/// The points of a sweep that a search may simulate, with what is known of each in advance.
#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/refusal.hpp"
#include "sim/study/play/run_scenario.hpp"
#include "sim/study/search/quantity.hpp"

namespace orrery::study {

inline constexpr double never = std::numeric_limits<double>::infinity();

/// A valid point before its simulation; a smaller objective is better.
struct Candidate {
  std::size_t point = 0;
  PointFacts facts;
  double at_best = -never;  ///< lower bound of its objective, or a model's prediction
};

/// Points that are never simulated, whatever the others' results.
struct LeftOut {
  std::vector<Refusal> refused;                 ///< reasons
  std::map<std::string, std::size_t> by_bound;  ///< number of points that cannot meet the bound
};

/// The objective with a sign such that less is better.
inline double worth(const SearchSpec& spec, const Quantity& quantity) {
  return spec.most ? -quantity.value : quantity.value;
}
/// "cost at most 12".
std::string words_of(const SearchSpec::Bound& bound);
bool keeps(const SearchSpec::Bound& bound, const Quantity& quantity);
/// Relative excess of a quantity over a bound that it violates.
double beyond(const SearchSpec::Bound& bound, const Quantity& quantity);

/// In the order of the sweep; with a model `at_best` is its prediction. Throws InputError if the prediction does not
/// determine the objective.
std::pair<std::vector<Candidate>, LeftOut> candidates_of(const Scenario& scenario, const RunOptions& options);

}  // namespace orrery::study
