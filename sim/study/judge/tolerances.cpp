#include "sim/study/judge/tolerances.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "models/stats/sample.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/show/summary/summary.hpp"
#include "sim/study/judge/compare.hpp"

namespace orrery::study {

namespace {

/// Two numbers that a tolerance is about, in words and as values: s, or mu of an average.
struct Compared {
  std::string what;  ///< "taulop (timeline) predicts"
  double value = 0.0, against = 0.0;
  std::string at;
  bool of_average = false;
  bool of_number = false;  ///< no time: an average, or a metric that is none
};

std::string in_words(double value, bool of_number) {
  return of_number ? fmt::format("{:.4g}", value) : to_text(Seconds(value));
}

/// mu, the relative error, or where the bound is a window the signed one.
double error_of(const Compared& compared, const ToleranceBound& bound) {
  const Seconds a(compared.value), b(compared.against);
  if (bound.is_mu) return proportional_error(a, b);
  return bound.least && a != b ? (a - b) / b : relative_error(a, b);
}

/// By how much an error lies outside the bound; not above 0 where it is kept.
double excess(double error, const ToleranceBound& bound) {
  return bound.least ? std::max(error - bound.value, *bound.least - error) : error - bound.value;
}

std::string percent(double share) { return fmt::format("{:.3g} %", 100.0 * share); }

std::string error_text(double error, const ToleranceBound& bound) {
  if (bound.is_mu) return fmt::format("mu {:.4g}", error);
  if (!bound.least) return percent(error) + " apart";
  return percent(std::abs(error)) + (error < 0.0 ? " below" : " above");
}

std::string broken_sentence(const Tolerance& tolerance, const Compared& compared, double error) {
  const ToleranceBound& bound = tolerance.bound;
  const std::string most = bound.is_mu ? fmt::format("{:g}", bound.value) : percent(bound.value);
  std::string sides =
      fmt::format("{}: {} {}", tolerance.where, compared.what, in_words(compared.value, compared.of_number));
  const bool is_error_itself = compared.of_average && bound.is_mu && tolerance.against == ToleranceAgainst::simulated;
  if (!is_error_itself)
    sides += fmt::format(", {} is {}: {}", word_of(tolerance_against_words, tolerance.against),
                         in_words(compared.against, compared.of_number), error_text(error, bound));
  return fmt::format("{} (tolerance {}{}) at {}", sides, bound.least ? percent(*bound.least) + " to " : "", most,
                     compared.at);
}

/// What a tolerance of a time is held against at this point, if there is such a time.
std::optional<double> other_side(const Tolerance& tolerance, const PointResult& point) {
  if (tolerance.against == ToleranceAgainst::reference) return tolerance.reference;
  if (tolerance.against == ToleranceAgainst::published) return point.published_time_s;
  if (!point.simulated) return {};
  return point.simulated->si();
}

/// The same for a prediction: one of a whole run is held against the makespan, and no paper's time is one.
std::optional<double> other_side(const Tolerance& tolerance, const PointResult& point, const Prediction& prediction) {
  if (!prediction.of_run || tolerance.against == ToleranceAgainst::reference) return other_side(tolerance, point);
  if (tolerance.against == ToleranceAgainst::published || !point.simulated) return {};
  return simulated_time(point, prediction)->si();
}

/// A metric of the run, where it has it and there is something to hold it against.
void compare_metric(const Tolerance& tolerance, const PointResult& point, std::vector<Compared>& into) {
  const bool published = tolerance.against == ToleranceAgainst::published;
  for (const Metric& metric : point.metrics)
    if (const auto other = published ? metric.published : tolerance.reference; other && metric.name == tolerance.metric)
      into.push_back({metric.name + " is", metric.value, *other, show::point_label(point), false, metric.unit != "s"});
}

void compare_point(const Tolerance& tolerance, const PointResult& point, std::vector<Compared>& into) {
  if (tolerance.of == ToleranceOf::metric) return compare_metric(tolerance, point, into);
  const auto other = other_side(tolerance, point);
  if (!other) return;
  const std::string at = show::point_label(point);
  if (tolerance.of == ToleranceOf::makespan && !point.run.engine.empty())
    into.push_back({"makespan is", point.run.makespan.si(), *other, at});
  if (tolerance.of == ToleranceOf::simulated && point.simulated)
    into.push_back({"simulated is", point.simulated->si(), *other, at});
  if (tolerance.of != ToleranceOf::prediction) return;
  for (const auto& prediction : point.predictions)
    if (const auto side = other_side(tolerance, point, prediction);
        side && !prediction.fitted && about(tolerance, prediction.model, prediction.mode))
      into.push_back({prediction.label() + " predicts", prediction.time.si(), *side, at});
}

/// Averages agree with the conditions in the settings they are kept apart by.
void compare_averages(const Tolerance& tolerance, const ScenarioResult& result, const Scenario& scenario,
                      std::vector<Compared>& into) {
  for (const AverageRow& row : result.averages) {
    if (!about(tolerance, row.model, row.mode)) continue;
    const auto like = std::ranges::find_if(result.points, [&](const PointResult& point) {
      return std::ranges::all_of(row.settings, [&](const auto& setting) {
        return std::ranges::find(point.settings, setting) != point.settings.end();
      });
    });
    if (like == result.points.end()) continue;
    if (!meets(tolerance, scenario.points[static_cast<std::size_t>(like - result.points.begin())])) continue;
    const std::string label = row.mode.empty() ? row.model : fmt::format("{} ({})", row.model, row.mode);
    const bool published = tolerance.against == ToleranceAgainst::published;
    if (published && !row.published_mu) continue;
    PointResult at;
    at.settings = row.settings;
    into.push_back({label + " has an average mu of", row.mu,
                    published ? *row.published_mu : tolerance.reference.value_or(1.0), show::point_label(at), true,
                    true});
  }
}

std::string of_nothing(const Tolerance& tolerance, bool any_point) {
  if (!any_point) return fmt::format("{}: this tolerance matches no point", tolerance.where);
  const bool average = tolerance.of == ToleranceOf::average;
  if (tolerance.against == ToleranceAgainst::published)
    return fmt::format("{}: nothing that meets this tolerance's conditions has a published {}", tolerance.where,
                       average                               ? "average"
                       : tolerance.of == ToleranceOf::metric ? tolerance.metric
                                                             : "time");
  return fmt::format("{}: there is no {} to hold this tolerance against", tolerance.where,
                     average                               ? "average"
                     : tolerance.of == ToleranceOf::metric ? tolerance.metric
                                                           : word_of(tolerance_of_words, tolerance.of));
}

/// Each of what is compared by the bound, and all of them by their median.
void judge(const Tolerance& tolerance, const std::vector<Compared>& all, ToleranceCheck& check,
           std::vector<std::string>& broken) {
  std::vector<double> errors;
  for (const Compared& compared : all) {
    const double error = error_of(compared, tolerance.bound);
    errors.push_back(relative_error(Seconds(compared.value), Seconds(compared.against)));
    if (check.compared++ == 0 || !(excess(error, tolerance.bound) <= excess(check.worst, tolerance.bound))) {
      check.worst = error;
      check.worst_at = compared.at;
    }
    if (excess(error, tolerance.bound) <= 0.0) continue;  // false for what is no number
    check.broken = true;
    broken.push_back(broken_sentence(tolerance, compared, error));
  }
  check.median = errors.empty() ? 0.0 : stats::median(std::move(errors));
  if (!tolerance.bound.median || check.median <= *tolerance.bound.median) return;
  check.broken = true;
  broken.push_back(fmt::format("{}: the median of {} differences is {} (tolerance {})", tolerance.where, all.size(),
                               percent(check.median), percent(*tolerance.bound.median)));
}

void apply(const Tolerance& tolerance, const Scenario& scenario, ScenarioResult& result) {
  ToleranceCheck check{.where = tolerance.where,
                       .of = tolerance.of,
                       .against = tolerance.against,
                       .model = tolerance.model,
                       .mode = tolerance.mode,
                       .metric = tolerance.metric,
                       .conditions = {},
                       .bound = tolerance.bound};
  for (const auto& [path, values] : tolerance.where_equal)
    check.conditions.emplace_back(path, fmt::format("{}", fmt::join(values, ", ")));
  std::vector<Compared> all;
  bool any_point = false;
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    const PointResult& point = result.points[i];
    if (!meets(tolerance, scenario.points[i])) continue;
    any_point = true;
    if (!point.failure.empty()) {
      check.broken = true;
      result.broken_tolerances.push_back(
          fmt::format("{}: {} could not be simulated: {}", tolerance.where, show::point_label(point), point.failure));
    } else if (tolerance.of != ToleranceOf::average) {
      compare_point(tolerance, point, all);
    }
  }
  if (tolerance.of == ToleranceOf::average) compare_averages(tolerance, result, scenario, all);
  judge(tolerance, all, check, result.broken_tolerances);
  if (all.empty() && !check.broken) {
    if (scenario.changed) return;  // what it is about was taken out
    check.broken = true;
    result.broken_tolerances.push_back(of_nothing(tolerance, any_point));
  }
  result.tolerances.push_back(std::move(check));
}

}  // namespace

void apply_tolerances(ScenarioResult& result, const Scenario& scenario) {
  std::size_t left_out = 0;
  for (const Tolerance& tolerance : scenario.tolerances) {
    if (scenario.changed && tolerance.against == ToleranceAgainst::reference)
      ++left_out;
    else
      apply(tolerance, scenario, result);
  }
  if (left_out > 0)
    result.notes.push_back(fmt::format(
        "{} of {} tolerances {} not judged: {} a reference value of the scenario as it is "
        "written, and --set changes it",
        left_out, scenario.tolerances.size(), left_out == 1 ? "was" : "were", left_out == 1 ? "it is" : "each is"));
  if (scenario.changed && !result.broken_tolerances.empty())
    result.notes.push_back(
        "the tolerances are stated for the scenario as it is written; --set changes it, so a broken one "
        "may say no more than that");
}

}  // namespace orrery::study
