#include "models/allocation/execution_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "sim/core/error.hpp"

namespace orrery {

/// Runs that one fit goes through.
struct ExecutionTimes::Series {
  struct Point {
    double n, p, q;
    double first;  ///< what the terms have beside p and q: n, or the time of the n-t model
    double seconds;
    Configuration configuration;
  };
  std::string of;
  std::vector<Point> points;
};

namespace {

constexpr std::size_t p_at = 1, q_at = 2;  // among the variables

double evaluate(const Term& term, double first, double p, double q) {
  const std::array<double, 3> values{first, p, q};
  return term(values);
}

/// The sum of the terms without q, and of those with it.
std::array<double, 2> stages_of(const FittedTime& fit, double first, double p, double q) {
  std::array<double, 2> sums{};
  for (std::size_t j = 0; j < fit.terms.size(); ++j)
    sums[fit.terms[j].uses(q_at) ? 1 : 0] += fit.fit.coefficients[j] * evaluate(fit.terms[j], first, p, q);
  return sums;
}

double value(const FittedTime& fit, double first, double p, double q) {
  const auto [own, shared] = stages_of(fit, first, p, q);
  return own + shared;
}

/// The work that p(n) of the glitch rule is a speed of: the first term that falls with p, on one rank.
double work_of(const std::vector<Term>& terms, double n) {
  for (const Term& term : terms)
    if (term.uses(p_at)) return evaluate(term, n, 1.0, 1.0);
  return evaluate(terms.front(), n, 1.0, 1.0);
}

/// [points] glitches of each configuration by itself.
template <class Points>
std::vector<bool> glitches_of(const Points& points, const TimeModelChoice& choice) {
  std::vector<bool> found(points.size(), false);
  if (!choice.glitches) return found;
  std::map<std::string, std::vector<std::size_t>> by_configuration;
  for (std::size_t i = 0; i < points.size(); ++i) by_configuration[points[i].configuration.text()].push_back(i);
  for (const auto& [text, which] : by_configuration) {
    std::vector<Performance> speeds;
    for (const std::size_t i : which)
      speeds.push_back({points[i].n, work_of(choice.np_terms, points[i].n) / points[i].seconds});
    const auto glitch = glitches(speeds, *choice.glitches);
    for (std::size_t k = 0; k < which.size(); ++k) found[which[k]] = glitch[k];
  }
  return found;
}

std::vector<Term> kept_terms(const std::vector<Term>& terms, const std::vector<bool>& kept) {
  std::vector<Term> some;
  for (std::size_t j = 0; j < terms.size(); ++j)
    if (kept[j]) some.push_back(terms[j]);
  return some;
}

}  // namespace

const std::vector<std::string>& np_variables() {
  static const std::vector<std::string> names{"n", "p", "q"};
  return names;
}
const std::vector<std::string>& p_variables() {
  static const std::vector<std::string> names{"t", "p"};
  return names;
}

std::optional<FittedTime> ExecutionTimes::fitted(const Series& series, const std::vector<Term>& terms) const {
  const auto glitch = glitches_of(series.points, choice_);
  FittedTime found{.of = series.of, .terms = terms};
  std::vector<Observation> observations;
  std::set<std::pair<double, double>> distinct;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const auto& point = series.points[i];
    if (glitch[i]) {
      ++found.excluded;
      continue;
    }
    Observation one{.terms = {}, .value = point.seconds, .weight = choice_.relative ? 1.0 / point.seconds : 1.0};
    for (const Term& term : terms) one.terms.push_back(evaluate(term, point.first, point.p, point.q));
    const bool first = observations.empty();
    found.n_least = first ? point.n : std::min(found.n_least, point.n);
    found.n_most = std::max(found.n_most, point.n);
    found.p_least = first ? point.p : std::min(found.p_least, point.p);
    found.p_most = std::max(found.p_most, point.p);
    distinct.emplace(point.n, point.p);
    observations.push_back(std::move(one));
  }
  found.runs = observations.size();
  if (distinct.size() < terms.size()) return {};
  if (choice_.simplify) {
    const auto kept = terms_worth_keeping(observations, choice_.method);
    found.terms = kept_terms(terms, kept);
    observations = with_terms(observations, kept);
  }
  found.fit = fit(observations, choice_.method);
  found.left_out = leave_one_out(observations, choice_.method);
  return found;
}

void ExecutionTimes::fit_groups(std::map<Group, Series>& alone, std::map<Group, Series>& several) {
  for (auto& [group, series] : alone)
    if (auto found = fitted(series, choice_.n_terms)) alone_.emplace(group, std::move(*found));
  for (auto& [group, series] : several) {
    if (choice_.model == TimeModel::p_t) {
      double least = std::numeric_limits<double>::infinity();
      for (const auto& point : series.points) least = std::min(least, point.p);
      Series at_least{.of = series.of + fmt::format(", {:g} ranks", least), .points = {}};
      for (const auto& point : series.points)
        if (point.p == least) at_least.points.push_back(point);
      auto reference = fitted(at_least, choice_.n_terms);
      if (!reference) continue;
      for (auto& point : series.points) point.first = value(*reference, point.n, least, 0.0);
      reference_.emplace(group, std::move(*reference));
    }
    const auto& terms = choice_.model == TimeModel::p_t ? choice_.p_terms : choice_.np_terms;
    if (auto found = fitted(series, terms)) several_.emplace(group, std::move(*found));
  }
}

ExecutionTimes::ExecutionTimes(TimeModelChoice choice, const Platform& platform, std::span<const SizedRun> runs)
    : choice_(std::move(choice)) {
  for (const NodeType& type : platform.node_types) {
    names_.push_back(type.name);
    cores_.push_back(type.cores());
  }
  std::map<Group, Series> alone, several;
  std::map<std::string, Series> whole;
  for (const SizedRun& run : runs) {
    if (!(run.seconds > 0.0) || !(run.n > 0.0))
      throw InputError("np-t: the run of size {:g} on ({}) takes {:g} s (both above 0). Leave it out?", run.n,
                       run.configuration.text(), run.seconds);
    const double p = ranks_of(run.configuration);
    Series::Point point{run.n, p, 0.0, run.n, run.seconds, run.configuration};
    if (choice_.model == TimeModel::n_t) {
      Series& series = whole[run.configuration.text()];
      series.of = "(" + run.configuration.text() + ")";
      series.points.push_back(point);
      continue;
    }
    if (run.configuration.types() != 1) continue;
    for (std::uint32_t type = 0; type < run.configuration.parts.size(); ++type) {
      const auto part = run.configuration.parts[type];
      if (part.nodes == 0) continue;
      point.q = p - part.per_core * cores_[type];
      Series& series = (part.nodes == 1 ? alone : several)[{type, part.per_core}];
      series.of = fmt::format("{}, {} to a core{}", names_[type], part.per_core, part.nodes == 1 ? ", one node" : "");
      series.points.push_back(point);
    }
  }
  for (const auto& [text, series] : whole)
    if (auto found = fitted(series, choice_.n_terms)) whole_.emplace(text, std::move(*found));
  fit_groups(alone, several);
  if (fits().empty())
    throw InputError(
        "np-t: {} runs fix no fit (of each sub-cluster and ranks to a core {} runs of other sizes or ranks; "
        "of each configuration {}). Name more runs in 'fit-on', or fewer terms in 'basis'?",
        runs.size(), choice_.np_terms.size(), choice_.n_terms.size());
}

double ExecutionTimes::ranks_of(const Configuration& configuration) const {
  double ranks = 0.0;
  for (std::size_t type = 0; type < configuration.parts.size(); ++type)
    ranks += cores_[type] * configuration.parts[type].nodes * configuration.parts[type].per_core;
  return ranks;
}

bool ExecutionTimes::inside(const FittedTime& fit, double n, double p) const {
  return choice_.extrapolate || (fit.n_least <= n && n <= fit.n_most && fit.p_least <= p && p <= fit.p_most);
}

std::array<double, 2> ExecutionTimes::time_of_part(std::uint32_t type, Configuration::Part part, double n, double p,
                                                   bool single) const {
  const Group group{type, part.per_core};
  const auto& fits = single ? alone_ : several_;
  const auto found = fits.find(group);
  if (found == fits.end() || !inside(found->second, n, p)) return {unknown, unknown};
  const double q = p - part.per_core * cores_[type];
  if (!single && choice_.model == TimeModel::stage_t) return stages_of(found->second, n, p, q);
  if (single || choice_.model != TimeModel::p_t) return {value(found->second, n, p, q), 0.0};
  const FittedTime& reference = reference_.at(group);
  return {value(found->second, value(reference, n, reference.p_least, 0.0), p, q), 0.0};
}

double ExecutionTimes::time(const Configuration& configuration, double n) const {
  const double p = ranks_of(configuration);
  if (choice_.model == TimeModel::n_t) {
    const auto found = whole_.find(configuration.text());
    return found == whole_.end() || !inside(found->second, n, p) ? unknown : value(found->second, n, p, 0.0);
  }
  const bool single = configuration.nodes() == 1;
  constexpr double never = -std::numeric_limits<double>::infinity();
  std::array<double, 2> longest{never, never};
  for (std::uint32_t type = 0; type < configuration.parts.size(); ++type) {
    if (configuration.parts[type].nodes == 0) continue;
    const auto stages = time_of_part(type, configuration.parts[type], n, p, single);
    if (std::isnan(stages[0])) return unknown;
    for (std::size_t s = 0; s < 2; ++s) longest[s] = std::max(longest[s], stages[s]);
  }
  return longest[0] + longest[1];
}

std::vector<const FittedTime*> ExecutionTimes::fits() const {
  std::vector<const FittedTime*> all;
  for (const auto* of_groups : {&alone_, &several_, &reference_})
    for (const auto& [group, fit] : *of_groups) all.push_back(&fit);
  for (const auto& [text, fit] : whole_) all.push_back(&fit);
  return all;
}

std::vector<const FittedTime*> ExecutionTimes::fits_of(const Configuration& configuration) const {
  std::vector<const FittedTime*> some;
  if (const auto found = whole_.find(configuration.text()); found != whole_.end()) some.push_back(&found->second);
  const auto& fits = configuration.nodes() == 1 ? alone_ : several_;
  for (std::uint32_t type = 0; type < configuration.parts.size(); ++type)
    if (const auto found = fits.find({type, configuration.parts[type].per_core});
        configuration.parts[type].nodes > 0 && found != fits.end())
      some.push_back(&found->second);
  return some;
}

std::string ExecutionTimes::beyond(const Configuration& configuration, double n) const {
  const double p = ranks_of(configuration);
  for (const FittedTime* fit : fits_of(configuration)) {
    if (n < fit->n_least || n > fit->n_most)
      return fmt::format("size {:g} lies outside the fitted range {:g}..{:g} of {}", n, fit->n_least, fit->n_most,
                         fit->of);
    if (p < fit->p_least || p > fit->p_most)
      return fmt::format("{:g} ranks lie outside the fitted range {:g}..{:g} of {}", p, fit->p_least, fit->p_most,
                         fit->of);
  }
  return {};
}

std::string ExecutionTimes::reason(const Configuration& configuration, double n) const {
  const std::size_t needed = choice_.model == TimeModel::n_t ? 1 : configuration.types();
  if (fits_of(configuration).size() < needed)
    return fmt::format("no fitted runs say anything of configuration ({}). Name some in 'fit-on'?",
                       configuration.text());
  const std::string outside = beyond(configuration, n);
  return outside.empty() ? "" : outside + " (no extrapolation). Fit to it too, or set 'extrapolate: true'?";
}

}  // namespace orrery
