#include "sim/show/summary/comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "sim/core/quantity_text.hpp"
#include "sim/show/summary/bottleneck.hpp"
#include "sim/show/summary/summary.hpp"

namespace orrery::show {

namespace {

/// Equal as words or as quantities of any dimension: "128" and "128.0", "1KiB" and "1024B".
bool same_value(const std::string& a, const std::string& b) {
  if (a == b) return true;
  for (const auto dimension : {Dimension::scalar, Dimension::data, Dimension::time, Dimension::bandwidth,
                               Dimension::speed, Dimension::work, Dimension::frequency}) {
    const auto x = parse_quantity(a, dimension), y = parse_quantity(b, dimension);
    if (x.si && y.si) return *x.si == *y.si;
  }
  return false;
}

bool holds(const std::vector<std::string>& values, const std::string& value) {
  return std::ranges::any_of(values, [&](const auto& known) { return same_value(known, value); });
}

/// What the two sweeps have in common.
struct Axes {
  std::vector<std::string> matched;  ///< points that belong together agree on them
  std::vector<std::string> differences, notes;
};

const SettingValues* find(const std::vector<SettingValues>& all, const std::string& key) {
  const auto found = std::ranges::find(all, key, &SettingValues::key);
  return found == all.end() ? nullptr : &*found;
}

void add_lone_axis(Axes& axes, const SettingValues& axis, const char* side, const char* other) {
  if (axis.values.size() == 1)
    axes.differences.push_back(fmt::format("{}: {} in {} alone", axis.key, axis.values.front(), side));
  else
    axes.notes.push_back(fmt::format("axis '{}' is swept in {} alone ({}): each of its points stands beside {}'s",
                                     axis.key, side, fmt::join(axis.values, ", "), other));
}

Axes axes_of(const ScenarioResult& a, const ScenarioResult& b) {
  const auto of_a = setting_values(a), of_b = setting_values(b);
  Axes axes;
  for (const auto& axis : of_a) {
    const SettingValues* other = find(of_b, axis.key);
    if (other == nullptr) {
      add_lone_axis(axes, axis, "A", "B");
    } else if (axis.values.size() == 1 && other->values.size() == 1 &&
               !same_value(axis.values.front(), other->values.front())) {
      axes.differences.push_back(fmt::format("{}: {} / {}", axis.key, axis.values.front(), other->values.front()));
    } else {
      axes.matched.push_back(axis.key);
      if (std::ranges::none_of(axis.values, [&](const auto& value) { return holds(other->values, value); }))
        axes.notes.push_back(fmt::format("axis '{}' has {} in A and {} in B: no value in common", axis.key,
                                         fmt::join(axis.values, ", "), fmt::join(other->values, ", ")));
    }
  }
  for (const auto& axis : of_b)
    if (find(of_a, axis.key) == nullptr) add_lone_axis(axes, axis, "B", "A");
  return axes;
}

bool belong_together(const Axes& axes, const PointResult& a, const PointResult& b) {
  return std::ranges::all_of(axes.matched, [&](const auto& key) {
    return same_value(setting_of(a.settings, key), setting_of(b.settings, key));
  });
}

/// The first cause on the path of a phase, or of the run for an empty name.
std::string binds(const PointResult& point, const std::string& phase) {
  const CriticalPath& path = point.run.critical_path;
  const PathTotals& totals = path.of_phase(phase);
  if (totals.phase != phase) return {};
  const auto causes = path_causes(path, totals);
  return causes.empty() ? "" : fmt::format("{} {:.0f} %", causes.front().name, 100.0 * causes.front().share);
}

std::optional<Seconds> prediction_of(const PointResult& point, const std::string& label) {
  for (const auto& prediction : point.predictions)
    if (prediction.label() == label) return prediction.time;
  return std::nullopt;
}

/// The median repetition of a job.
std::optional<Seconds> time_of_job(const PointResult& point, const std::string& name) {
  const auto job = std::ranges::find(point.run.jobs, name, &JobRecord::name);
  return job == point.run.jobs.end() ? std::nullopt : std::optional(job->together.median);
}

std::string binds_job(const PointResult& point, const std::string& name) {
  const CriticalPath& path = point.run.critical_path;
  const auto totals = std::ranges::find(path.jobs, name, &PathTotals::phase);
  if (totals == path.jobs.end()) return {};
  const auto causes = path_causes(path, *totals);
  return causes.empty() ? "" : fmt::format("{} {:.0f} %", causes.front().name, 100.0 * causes.front().share);
}

std::vector<ComparedTime> times_of(const PointResult& a, const PointResult& b) {
  std::vector<std::string> phases{""}, models, jobs;
  for (const PointResult* point : {&a, &b}) {
    for (const auto& job : point->run.jobs)
      if (std::ranges::find(jobs, job.name) == jobs.end()) jobs.push_back(job.name);
    for (const auto& record : point->run.phases)
      if (std::ranges::find(phases, record.phase) == phases.end()) phases.push_back(record.phase);
    for (const auto& prediction : point->predictions)
      if (std::ranges::find(models, prediction.label()) == models.end()) models.push_back(prediction.label());
  }
  std::vector<ComparedTime> times;
  for (const auto& phase : phases) {
    times.push_back({phase.empty() ? ComparedTime::Of::run : ComparedTime::Of::phase, phase, time_of(a, phase),
                     time_of(b, phase), binds(a, phase), binds(b, phase)});
    if (!phase.empty()) continue;
    for (const auto& job : jobs)
      times.push_back(
          {ComparedTime::Of::job, job, time_of_job(a, job), time_of_job(b, job), binds_job(a, job), binds_job(b, job)});
  }
  for (const auto& model : models)
    times.push_back({ComparedTime::Of::model, model, prediction_of(a, model), prediction_of(b, model), {}, {}});
  return times;
}

std::vector<ComparedMetric> metrics_of(const PointResult& a, const PointResult& b) {
  std::vector<ComparedMetric> metrics;
  for (const Metric& metric : a.metrics) metrics.push_back({metric.name, metric.unit, metric.value, {}});
  for (const Metric& metric : b.metrics) {
    const auto known = std::ranges::find_if(metrics, [&](const ComparedMetric& one) {
      return one.name == metric.name && one.unit == metric.unit && !one.b;
    });
    if (known != metrics.end())
      known->b = metric.value;
    else
      metrics.push_back({metric.name, metric.unit, {}, metric.value});
  }
  return metrics;
}

/// Settings of both; where they disagree, or only one has it, A's value stands before B's.
Settings settings_of(const Axes& axes, const PointResult& a, const PointResult& b) {
  Settings settings;
  for (const auto& [key, value] : a.settings) {
    const bool matched = std::ranges::find(axes.matched, key) != axes.matched.end();
    const std::string other = setting_of(b.settings, key);
    if (matched || other.empty()) settings.emplace_back(key, value);
  }
  for (const auto& [key, value] : b.settings)
    if (setting_of(a.settings, key).empty()) settings.emplace_back(key, value);
  return settings;
}

using Property = std::function<std::string(const PointResult&)>;

/// "network: infiniband / ethernet (2 of 4 points)": where pairs differ in a property; empty where none does.
std::string difference_in(const Comparison& comparison, const char* name, const Property& property) {
  std::vector<std::string> distinct;
  std::size_t differing = 0;
  for (const auto& point : comparison.points) {
    if (!point.paired() || same_value(property(*point.a), property(*point.b))) continue;
    ++differing;
    const std::string both = fmt::format("{} / {}", property(*point.a), property(*point.b));
    if (std::ranges::find(distinct, both) == distinct.end()) distinct.push_back(both);
  }
  if (differing == 0) return {};
  constexpr std::size_t shown_max = 3;
  const std::size_t more = distinct.size() > shown_max ? distinct.size() - shown_max : 0;
  distinct.resize(distinct.size() - more);
  return fmt::format(
      "{}: {}{}{}", name, fmt::join(distinct, ", "), more > 0 ? fmt::format(", and {} more", more) : "",
      differing == comparison.pairs() ? "" : fmt::format(" ({} of {} points)", differing, comparison.pairs()));
}

void add_property_differences(Comparison& comparison) {
  const auto swept = [&](const std::string& name) {  // said by its axis
    return std::ranges::any_of(comparison.differences, [&](const auto& d) { return d.starts_with(name + ":"); });
  };
  const std::pair<const char*, Property> properties[] = {
      {"platform", [](const PointResult& p) { return p.platform; }},
      {"network", [](const PointResult& p) { return p.network; }},
      {"layout", [](const PointResult& p) { return p.layout_name; }},
      {"ranks", [](const PointResult& p) { return fmt::format("{}", p.layout.ranks()); }}};
  for (const auto& [name, property] : properties)
    if (const auto text = difference_in(comparison, name, property); !text.empty() && !swept(name))
      comparison.differences.push_back(text);
  const ScenarioResult &a = *comparison.a.result, &b = *comparison.b.result;
  const auto add = [&](const char* name, const std::string& of_a, const std::string& of_b) {
    if (of_a != of_b) comparison.differences.push_back(fmt::format("{}: {} / {}", name, of_a, of_b));
  };
  add("compute model", a.compute_description, b.compute_description);
  add("engine", a.engine, b.engine);
  add("orrery", a.version, b.version);
}

/// What points were asked beside their settings, where both results know it.
void add_asked_differences(Comparison& comparison) {
  Comparison known = comparison;
  std::erase_if(known.points,
                [](const auto& point) { return !point.paired() || point.a->asked.empty() || point.b->asked.empty(); });
  std::vector<std::string> keys, axes;
  const auto add = [](std::vector<std::string>& to, const Settings& of) {
    for (const auto& [key, value] : of)
      if (std::ranges::find(to, key) == to.end()) to.push_back(key);
  };
  for (const auto& point : known.points)
    for (const PointResult* side : {point.a, point.b}) {
      add(axes, side->settings);
      if (point.a->kernel == point.b->kernel) add(keys, side->asked);
    }
  for (const auto& key : keys) {
    if (std::ranges::find(axes, key) != axes.end()) continue;  // said by its axis
    const auto value = [&](const PointResult& point) {
      const std::string set = setting_of(point.asked, key);
      return set.empty() ? "not set" : set;
    };
    if (const auto text = difference_in(known, key.c_str(), value); !text.empty())
      comparison.differences.push_back(text);
  }
}

void add_warnings(Comparison& comparison) {
  const auto kernel = difference_in(comparison, "kernel", [](const PointResult& p) { return p.kernel; });
  if (!kernel.empty()) comparison.notes.push_back(kernel + ": these times are of different programs");
  const auto phase = difference_in(comparison, "compared phase", [](const PointResult& p) { return p.compared_phase; });
  if (kernel.empty() && !phase.empty()) comparison.notes.push_back(phase);
  for (const auto& [side, result] : {std::pair{"A", comparison.a.result}, std::pair{"B", comparison.b.result}})
    if (std::ranges::all_of(result->points, [](const auto& p) { return p.run.engine.empty(); }))
      comparison.notes.push_back(fmt::format("{} has no simulated times", side));
}

/// "only in A: blocks 256, ethernet; ..."
void note_lone_points(Comparison& comparison) {
  constexpr std::size_t named_max = 5;
  for (const bool of_a : {true, false}) {
    std::vector<std::string> labels;
    for (const auto& point : comparison.points)
      if (!point.paired() && (point.a != nullptr) == of_a) labels.push_back(point_label(of_a ? *point.a : *point.b));
    if (labels.empty()) continue;
    const std::size_t all = labels.size();
    labels.resize(std::min(all, named_max));
    comparison.notes.push_back(fmt::format("{} {} only in {}: {}{}", all, all == 1 ? "point is" : "points are",
                                           of_a ? "A" : "B", fmt::join(labels, "; "),
                                           all > named_max ? fmt::format("; and {} more", all - named_max) : ""));
  }
}

}  // namespace

std::optional<Seconds> ComparedTime::difference() const { return a && b ? std::optional(*b - *a) : std::nullopt; }

std::optional<double> ComparedTime::ratio() const {
  if (!a || !b) return std::nullopt;
  if (*a == *b) return 1.0;
  return *a > Seconds{} ? std::optional(*b / *a) : std::nullopt;
}

std::optional<double> ComparedMetric::ratio() const {
  if (!a || !b) return std::nullopt;
  if (*a == *b) return 1.0;
  return *a > 0.0 ? std::optional(*b / *a) : std::nullopt;
}

std::size_t Comparison::pairs() const {
  return static_cast<std::size_t>(std::ranges::count_if(points, &ComparedPoint::paired));
}

namespace {

/// What the runs themselves say of their numbers, once where both say it.
void add_notes_of_runs(Comparison& comparison) {
  const auto &of_a = comparison.a.result->notes, &of_b = comparison.b.result->notes;
  const auto in = [](const std::vector<std::string>& notes, const std::string& note) {
    return std::ranges::find(notes, note) != notes.end();
  };
  for (const auto& note : of_a) comparison.notes.push_back((in(of_b, note) ? "of A and B: " : "of A: ") + note);
  for (const auto& note : of_b)
    if (!in(of_a, note)) comparison.notes.push_back("of B: " + note);
}

}  // namespace

Comparison compare(const ComparedSide& a, const ComparedSide& b) {
  Comparison comparison{.a = a, .b = b};
  Axes axes = axes_of(*a.result, *b.result);
  std::vector<ComparedPoint> lone_a, lone_b;
  std::vector<bool> met(b.result->points.size());
  for (const auto& mine : a.result->points) {
    bool any = false;
    for (std::size_t k = 0; k < met.size(); ++k) {
      const PointResult& other = b.result->points[k];
      if (!belong_together(axes, mine, other)) continue;
      any = met[k] = true;
      comparison.points.push_back(
          {settings_of(axes, mine, other), &mine, &other, times_of(mine, other), metrics_of(mine, other)});
    }
    if (!any) lone_a.push_back({mine.settings, &mine, nullptr, {}});
  }
  for (std::size_t k = 0; k < met.size(); ++k)
    if (!met[k]) lone_b.push_back({b.result->points[k].settings, nullptr, &b.result->points[k], {}});
  comparison.points.insert(comparison.points.end(), lone_a.begin(), lone_a.end());
  comparison.points.insert(comparison.points.end(), lone_b.begin(), lone_b.end());
  comparison.differences = std::move(axes.differences);
  comparison.notes = std::move(axes.notes);
  add_property_differences(comparison);
  add_asked_differences(comparison);
  add_warnings(comparison);
  note_lone_points(comparison);
  add_notes_of_runs(comparison);
  return comparison;
}

std::string title_of(const ComparedSide& side) {
  const ScenarioResult& result = *side.result;
  std::string title = result.title.empty() ? result.name : result.title;
  const auto changed = title.rfind(" (with ");
  if (changed == std::string::npos || !title.ends_with(')')) return title;
  const auto what = title.substr(changed + 2, title.size() - changed - 3);
  return side.name.find(what) == std::string::npos ? title : title.substr(0, changed);
}

std::string words_of(const ComparedTime& time) {
  if (time.of == ComparedTime::Of::run) return "whole run";
  if (time.of == ComparedTime::Of::job) return fmt::format("job '{}'", time.name);
  return time.of == ComparedTime::Of::phase ? fmt::format("phase '{}'", time.name) : time.name;
}

std::string comparison_sentence(const Comparison& comparison) {
  struct Ratio {
    double value;
    const ComparedPoint* point;
  };
  std::vector<Ratio> ratios;
  double logs = 0.0;
  for (const auto& point : comparison.points)
    for (const auto& time : point.times)
      if (time.of == ComparedTime::Of::run && time.ratio() && *time.ratio() > 0.0) {
        ratios.push_back({*time.ratio(), &point});
        logs += std::log(*time.ratio());
      }
  if (ratios.empty()) return "No point has a simulated time on both sides.";
  const auto times = [](double ratio) -> std::string {
    const auto text = fmt::format("{:.3g}", ratio);
    return text == "1" ? "as long as" : text + " times as long as";
  };
  if (ratios.size() == 1) {
    const ComparedTime& run = ratios.front().point->times.front();
    return fmt::format("B takes {} A: {} instead of {}.", times(ratios.front().value), to_text(*run.b),
                       to_text(*run.a));
  }
  const auto [least, most] = std::ranges::minmax(ratios, {}, &Ratio::value);
  const auto label = [](const Ratio& ratio) {
    PointResult named;
    named.settings = ratio.point->settings;
    named.id = ratio.point->a->kernel;
    return point_label(named);
  };
  if (most.value <= 1.001 * least.value)
    return fmt::format("B takes {} A (whole runs, at each of {} points).", times(least.value), ratios.size());
  const double mean = std::exp(logs / static_cast<double>(ratios.size()));
  return fmt::format("B takes {} A (whole runs, geometric mean over {} points; from {:.3g} at {} to {:.3g} at {}).",
                     times(mean), ratios.size(), least.value, label(least), most.value, label(most));
}

}  // namespace orrery::show
