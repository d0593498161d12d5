#include "sim/show/charts/chart_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"
#include "sim/show/summary/summary.hpp"

namespace orrery::show::paper {

namespace {

void add(Data& data, const PointResult& point, const std::string& model, std::optional<double> y,
         std::optional<Bar> bar = {}, const std::string& bars = "") {
  if (!y || !std::isfinite(*y)) return;
  Datum datum{point.settings, *y, bar, bars};
  datum.settings.emplace_back(model_key, model);
  data.all.push_back(std::move(datum));
}

std::optional<double> si(const std::optional<Seconds>& time) { return time ? std::optional(time->si()) : std::nullopt; }

/// Between which nine of ten repetitions lie.
std::optional<Bar> spread_of(const PointResult& point, const std::string& phase) {
  const RepeatedTime* time = point.repeats ? point.repeats->of_phase(phase) : nullptr;
  return time != nullptr ? std::optional(Bar{time->low.si(), time->high.si()}) : std::nullopt;
}

void add_simulated(Data& data, const PointResult& point, const std::string& phase, std::optional<double> y) {
  const std::size_t runs = point.repeats ? point.repeats->seeds.size() : 0;
  add(data, point, "simulated", y, spread_of(point, phase),
      fmt::format("5 % to 95 % of {} simulations, markers their median", runs));
}

Data times_of(const ScenarioResult& result) {
  Data data;
  std::set<std::string> phases;
  for (const auto& point : result.points) {
    phases.insert(point.compared_phase);
    add_simulated(data, point, point.compared_phase, si(point.simulated));
    add(data, point, "measured", si(point.measured));
    const auto& spread = point.published_spread;
    add(data, point, "published", point.published_time_s,
        spread ? std::optional(Bar{spread->least_s, spread->most_s}) : std::nullopt,
        "least and most of the published runs");
    for (const auto& prediction : point.predictions)
      if (!prediction.of_run) add(data, point, prediction.label(), prediction.time.si());
  }
  data.title = phases.size() == 1 ? *phases.begin() + " time" : "time";
  return data;
}

Data makespans_of(const ScenarioResult& result) {
  Data data{.title = "run time"};
  for (const auto& point : result.points) {
    if (!point.run.engine.empty()) add_simulated(data, point, "", point.run.makespan.si());
    for (const auto& prediction : point.predictions)
      if (prediction.of_run) add(data, point, prediction.label(), prediction.time.si());
  }
  return data;
}

Data phases_of(const ScenarioResult& result, const std::string& phase) {
  Data data{.title = phase + " time"};
  for (const auto& point : result.points) add_simulated(data, point, phase, si(time_of(point, phase)));
  return data;
}

Data errors_of(const ScenarioResult& result, bool mu) {
  Data data{.title = mu ? "proportional error μ" : "relative error",
            .seconds = false,
            .unit = mu ? "" : "%",
            .least = mu ? 1.0 : 0.0};
  for (const auto& point : result.points)
    for (const auto& prediction : point.predictions)
      if (const auto real = reference_time(point, prediction); real && !prediction.fitted)
        add(data, point, prediction.label(),
            mu ? proportional_error(prediction.time, *real) : 100.0 * relative_error(prediction.time, *real));
  return data;
}

Data metrics_of(const ScenarioResult& result, const std::string& name) {
  Data data{.title = name, .seconds = false};
  for (const auto& point : result.points)
    for (const auto& metric : point.metrics)
      if (metric.name == name) {
        add(data, point, "simulated", metric.value);
        if (metric.published) add(data, point, "published", *metric.published);
        data.seconds = metric.unit == "s";
        data.unit = data.seconds || metric.unit == name ? "" : metric.unit;
      }
  return data;
}

std::vector<std::string> quantities(const ScenarioResult& result) {
  std::vector<std::string> known{"time", "makespan", "mu", "error"};
  const auto add_new = [&](const std::string& name) {
    if (std::ranges::find(known, name) == known.end()) known.push_back(name);
  };
  for (const auto& point : result.points) {
    for (const auto& record : point.run.phases) add_new("phase:" + record.phase);
    for (const auto& metric : point.metrics) add_new(metric.name);
  }
  return known;
}

}  // namespace

Data data_of(const ScenarioResult& result, const ChartChoice& choice) {
  const auto known = quantities(result);
  if (std::ranges::find(known, choice.y) == known.end())
    throw InputError("{}: unknown y '{}'{}", chart_flag, choice.y, known_names(choice.y, known));
  if (choice.y == "time") return times_of(result);
  if (choice.y == "makespan") return makespans_of(result);
  if (choice.y == "mu" || choice.y == "error") return errors_of(result, choice.y == "mu");
  if (choice.y.starts_with("phase:")) return phases_of(result, choice.y.substr(6));
  return metrics_of(result, choice.y);
}

bool has_errors(const ScenarioResult& result) { return !errors_of(result, true).all.empty(); }

}  // namespace orrery::show::paper
