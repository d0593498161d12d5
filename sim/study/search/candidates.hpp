/// The points of a sweep that a search may play, with what is known of each before.
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

/// A point that can be, before it is played; less is better of what is sought.
struct Candidate {
  std::size_t point = 0;
  PointFacts facts;
  double at_best = -never;  ///< it is no better than this, or so a model says
};

/// Points that are not played, whatever others take.
struct LeftOut {
  std::vector<Refusal> refused;                 ///< why
  std::map<std::string, std::size_t> by_bound;  ///< how many cannot keep it
};

/// What is sought, so that less of it is better.
inline double worth(const SearchSpec& spec, const Quantity& quantity) {
  return spec.most ? -quantity.value : quantity.value;
}
/// "cost at most 12".
std::string words_of(const SearchSpec::Bound& bound);
bool keeps(const SearchSpec::Bound& bound, const Quantity& quantity);
/// By how much a quantity that does not keep a bound is beyond it, relative to the bound.
double beyond(const SearchSpec::Bound& bound, const Quantity& quantity);

/// In the order of the sweep; with a model `at_best` is what it predicts. Throws InputError where nothing of what is
/// sought follows from that.
std::pair<std::vector<Candidate>, LeftOut> candidates_of(const Scenario& scenario, const RunOptions& options);

}  // namespace orrery::study
