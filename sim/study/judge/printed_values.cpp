#include "sim/study/judge/printed_values.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/show/summary/summary.hpp"
#include "sim/study/judge/compare.hpp"

namespace orrery::study {

namespace {

std::string percent_of(double share) { return fmt::format("{:.3g} %", 100.0 * share); }

std::string bound_text(const ToleranceBound& bound) {
  if (bound.is_mu) return fmt::format("mu {:g}", bound.value);
  if (bound.least) return fmt::format("{} to {}", percent_of(*bound.least), percent_of(bound.value));
  return "within " + percent_of(bound.value);
}

/// How far it lets a value go: what the narrowest of several bounds is found by.
double width_of(const ToleranceBound& bound) {
  if (bound.is_mu) return bound.value - 1.0;
  return bound.least ? (bound.value - *bound.least) / 2.0 : bound.value;
}

/// What is compared of a published entry by a tolerance of this kind.
bool of_one_kind(const Tolerance& tolerance, const Published& published) {
  if (tolerance.against != ToleranceAgainst::published) return false;
  if (!published.metric.empty()) return tolerance.of == ToleranceOf::metric && tolerance.metric == published.metric;
  if (published.mu)
    return tolerance.of == ToleranceOf::average && tolerance.model == published.model &&
           (tolerance.mode.empty() || tolerance.mode == published.mode);
  return tolerance.of == ToleranceOf::simulated;
}

/// The bound and the cause of what is published of a point.
void describe_bound(PrintedValue& value, const Published& published, const PointSpec& point, const Scenario& scenario) {
  const Tolerance* narrowest = nullptr;
  for (const Tolerance& tolerance : scenario.tolerances)
    if (of_one_kind(tolerance, published) && meets(tolerance, point) &&
        (narrowest == nullptr || width_of(tolerance.bound) < width_of(narrowest->bound)))
      narrowest = &tolerance;
  if (narrowest != nullptr) value.bound = bound_text(narrowest->bound);
  value.why = narrowest != nullptr && !narrowest->why.empty() ? narrowest->why : published.why;
}

/// Metrics and times of one point.
void add_point(const PointResult& point, const PointSpec& spec, const Scenario& scenario,
               std::vector<PrintedValue>& into) {
  const std::string at = show::point_label(point);
  for (const Published& published : scenario.published) {
    if (published.mu || !meets(published, spec)) continue;
    PrintedValue value{.what = "compared phase", .at = at, .unit = "s", .bound = {}, .why = {}};
    if (published.metric.empty()) {
      if (!point.simulated || !published.time_s) continue;
      value.ours = point.simulated->si();
      value.published = *published.time_s;
    } else {
      const auto metric = std::ranges::find(point.metrics, published.metric, &Metric::name);
      if (metric == point.metrics.end() || !metric->published) continue;
      value.what = metric->name;
      value.unit = metric->unit;
      value.ours = metric->value;
      value.published = *metric->published;
    }
    describe_bound(value, published, spec, scenario);
    into.push_back(std::move(value));
  }
}

/// Averages of mu: a row is of the points that have its settings, the first of them stands for all.
void add_averages(const ScenarioResult& result, const Scenario& scenario, std::vector<PrintedValue>& into) {
  for (const AverageRow& row : result.averages) {
    if (!row.published_mu) continue;
    const auto like = std::ranges::find_if(result.points, [&](const PointResult& point) {
      return std::ranges::all_of(row.settings, [&](const auto& setting) {
        return std::ranges::find(point.settings, setting) != point.settings.end();
      });
    });
    const PointSpec spec = scenario.points[static_cast<std::size_t>(like - result.points.begin())];
    PointResult at;
    at.settings = row.settings;
    const std::string label = Prediction{.model = row.model, .mode = row.mode}.label();
    PrintedValue value{.what = "average mu of " + label,
                       .at = show::point_label(at),
                       .ours = row.mu,
                       .published = *row.published_mu,
                       .unit = {},
                       .bound = {},
                       .why = {}};
    for (const Published& published : scenario.published)
      if (published.mu && about(published, row.model, row.mode) && meets(published, spec))
        describe_bound(value, published, spec, scenario);
    into.push_back(std::move(value));
  }
}

std::string bound_text(const AverageChoice& average) {
  if (average.at_least && average.at_most)
    return fmt::format("{} to {}", percent_of(*average.at_least), percent_of(*average.at_most));
  if (average.at_most) return "at most " + percent_of(*average.at_most);
  return average.at_least ? "at least " + percent_of(*average.at_least) : "";
}

std::string bound_text(const Agreement& found) {
  std::string text = found.at_least ? fmt::format("at least {}", *found.at_least) : "";
  if (found.within)
    text += fmt::format("{}theirs {} longer at most", text.empty() ? "" : ", ", percent_of(*found.within));
  return text;
}

void add_epsilon(const AverageChoice& average, std::vector<PrintedValue>& into) {
  if (!average.published) return;
  into.push_back({.what = "mean epsilon of choices by " + average.by,
                  .at = average.over,
                  .ours = average.epsilon,
                  .published = *average.published,
                  .unit = "%",
                  .bound = bound_text(average),
                  .why = average.why});
}

void add_choices(const Choices& choices, std::vector<PrintedValue>& into) {
  for (const AverageChoice& average : choices.averages) {
    add_epsilon(average, into);
    if (average.published_runs_s)
      into.push_back({.what = "all runs that " + average.by + " is fitted to",
                      .at = {},
                      .ours = average.runs_s,
                      .published = *average.published_runs_s,
                      .unit = "s",
                      .bound = average.runs_mu ? fmt::format("mu {:g}", *average.runs_mu) : "",
                      .why = average.why});
  }
  if (const auto& found = choices.agreement)
    into.push_back({.what = "sizes whose best configuration is the printed one",
                    .at = {},
                    .ours = static_cast<double>(found->same),
                    .published = static_cast<double>(found->stated),
                    .unit = {},
                    .bound = bound_text(*found),
                    .why = found->why});
}

/// The same of choices: an average epsilon needs both ends of its window, as a model that stops to err agrees no better.
void add_unheld(const ChooseSpec& choose, const std::string& file, std::vector<std::string>& sentences) {
  for (const auto& average : choose.averages) {
    if (!average.why.empty()) continue;
    if (average.published && !(average.at_least && average.at_most))
      sentences.push_back(average.model.where +
                          ": 'at-least' and 'at-most' do not hold this epsilon and no 'why' says why");
    if (average.runs_s && !average.runs_mu)
      sentences.push_back(average.model.where + ": no 'runs-mu' holds this total and no 'why' says why");
  }
  if (!choose.best.empty() && choose.why.empty() && !choose.agree && !choose.agree_within)
    sentences.push_back(file +
                        ": neither 'agree' nor 'agree-within' holds what is published as 'best' and no 'why' says why");
}

}  // namespace

std::vector<PrintedValue> printed_values(const ScenarioResult& result, const Scenario& scenario,
                                         const Choices& choices) {
  std::vector<PrintedValue> values;
  if (!scenario.published.empty())
    for (std::size_t i = 0; i < result.points.size(); ++i)
      add_point(result.points[i], scenario.points[i], scenario, values);
  add_averages(result, scenario, values);
  add_choices(choices, values);
  return values;
}

std::vector<std::string> unheld_published(const Scenario& scenario) {
  std::vector<std::string> sentences;
  for (const Published& published : scenario.published) {
    if (!published.why.empty()) continue;
    const bool held = std::ranges::any_of(scenario.points, [&](const PointSpec& point) {
      return meets(published, point) && std::ranges::any_of(scenario.tolerances, [&](const Tolerance& tolerance) {
               return of_one_kind(tolerance, published) && meets(tolerance, point);
             });
    });
    if (!held) sentences.push_back(published.where + ": no tolerance holds this published value and no 'why' says why");
  }
  if (scenario.choose) add_unheld(*scenario.choose, scenario.file, sentences);
  return sentences;
}

}  // namespace orrery::study
