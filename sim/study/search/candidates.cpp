#include "sim/study/search/candidates.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sim/core/doing.hpp"
#include "sim/core/suggest.hpp"
#include "sim/study/play/candidate_time.hpp"
#include "sim/study/play/progress.hpp"
#include "sim/study/read/loaded_points.hpp"

namespace orrery::study {

namespace {

/// A bound that the point cannot keep, whatever its run is like.
const SearchSpec::Bound* broken_before(const SearchSpec& search, const PointSpec& spec, const LoadedPoint& point,
                                       const PointFacts& facts, Seconds at_least) {
  for (const auto& bound : search.bounds) {
    if (is_fact(bound.quantity)) {
      if (!keeps(bound, fact(facts, bound.quantity))) return &bound;
    } else if (at_least > Seconds{} &&
               follows(spec, point, bound.quantity) == (bound.at_most ? Follows::as_time : Follows::as_rate)) {
      if (!keeps(bound, *quantity_of(run_of(spec, point, at_least), bound.quantity))) return &bound;
    }
  }
  return nullptr;
}

/// What a model says of what is sought.
double proposed(const SearchSpec& search, CandidateTime& time, const PointSpec& spec, const LoadedPoint& point) {
  const PointResult predicted = run_of(spec, point, time.predicted(point, search.model));
  if (const auto quantity = quantity_of(predicted, search.objective)) return worth(search, *quantity);
  throw InputError("{}: a model tells times, from which '{}' does not follow{}", search.where, search.objective,
                   known_names(search.objective, quantities_of(predicted)));
}

class Examination {
 public:
  Examination(const Scenario& scenario, const RunOptions& options)
      : scenario_(scenario), spec_(scenario.search), options_(options), time_(scenario, options.jobs) {}

  void examine();
  std::vector<Candidate> candidates = {};
  LeftOut left_out = {};

 private:
  void examine(const LoadedPoint& point, std::size_t number);

  const Scenario& scenario_;
  const SearchSpec& spec_;
  const RunOptions& options_;
  CandidateTime time_;
};

void Examination::examine() {
  const LoadedPoints points(scenario_, false, std::ref(time_));
  Progress progress(spec_.model.empty() ? "examining points" : "predicting by " + spec_.model, points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    throw_if_interrupted(Refusal("{} of {} points were examined\n{}", i, points.size(), nothing_played(scenario_)));
    try {
      examine(*points.at(i), i);
    } catch (const InputError& error) {
      left_out.refused.push_back(error.refusal());
    } catch (const DomainError& error) {
      left_out.refused.push_back(error.refusal());
    }
    if (options_.progress) progress.update(i + 1);
  }
}

void Examination::examine(const LoadedPoint& point, std::size_t number) {
  const About about("examining", label_of(scenario_.points.settings(number), scenario_));
  const PointSpec spec = scenario_.points[number];
  Candidate candidate{.point = number, .facts = PointFacts::of(point)};
  const Seconds at_least = scenario_.steady > 0.0 ? Seconds{} : least_time(point);
  if (const auto* bound = broken_before(spec_, spec, point, candidate.facts, at_least)) {
    ++left_out.by_bound[words_of(*bound)];
    return;
  }
  const Follows how = follows(spec, point, spec_.objective);
  if (!spec_.model.empty())
    candidate.at_best = proposed(spec_, time_, spec, point);
  else if (is_fact(spec_.objective))
    candidate.at_best = worth(spec_, fact(candidate.facts, spec_.objective));
  else if (at_least > Seconds{} && how == (spec_.most ? Follows::as_rate : Follows::as_time))
    candidate.at_best = worth(spec_, *quantity_of(run_of(spec, point, at_least), spec_.objective));
  candidates.push_back(candidate);
}

}  // namespace

std::string words_of(const SearchSpec::Bound& bound) {
  return fmt::format("{} at {} {}", bound.quantity, bound.at_most ? "most" : "least", bound.value);
}

bool keeps(const SearchSpec::Bound& bound, const Quantity& quantity) {
  const double limit = bound_in(bound.value, quantity.unit, bound.quantity, bound.where);
  return bound.at_most ? quantity.value <= limit : quantity.value >= limit;
}

double beyond(const SearchSpec::Bound& bound, const Quantity& quantity) {
  const double limit = bound_in(bound.value, quantity.unit, bound.quantity, bound.where);
  return limit == 0.0 ? std::abs(quantity.value) : std::abs(quantity.value / limit - 1.0);
}

std::pair<std::vector<Candidate>, LeftOut> candidates_of(const Scenario& scenario, const RunOptions& options) {
  Examination examination(scenario, options);
  examination.examine();
  return {std::move(examination.candidates), std::move(examination.left_out)};
}

}  // namespace orrery::study
