#include "sim/show/tables/metric_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/core/quantity_text.hpp"
#include "sim/show/summary/summary.hpp"
#include "sim/show/tables/text_grid.hpp"

namespace orrery::show {

std::vector<std::string> metric_columns(const ScenarioResult& result) {
  constexpr std::size_t names_max = 12;  // more are a kernel's own table, in result.json
  std::vector<std::string> names;
  for (const auto& point : result.points)
    for (const auto& metric : point.metrics)
      if (std::ranges::find(names, metric.name) == names.end()) names.push_back(metric.name);
  return names.size() > names_max ? std::vector<std::string>() : names;
}

std::string common_metric(const ScenarioResult& result) {
  std::string name;
  for (const auto& point : result.points) {
    if (point.metrics.empty()) continue;
    const std::string& own = point.metrics.front().name;
    if (point.metrics.size() > 1 || (!name.empty() && name != own)) return {};
    name = own;
  }
  return name;
}

namespace {

std::string energy_text(double joules) {
  constexpr const char* units[] = {"J", "kJ", "MJ", "GJ", "TJ"};
  std::size_t unit = 0;
  const double kwh = joules / 3.6e6;
  for (; unit + 1 < std::size(units) && joules >= 1000.0; ++unit) joules /= 1000.0;
  const std::string text = fmt::format("{:.4g} {}", joules, units[unit]);
  return kwh >= 0.01 ? fmt::format("{} ({:.3g} kWh)", text, kwh) : text;
}

bool has_own_unit(const Metric& metric) { return metric.unit == "s" || metric.unit == "W" || metric.unit == "J"; }

}  // namespace

std::string energy_line(const Energy& energy) {
  if (!energy.stated() || !(energy.total_j() > 0.0)) return {};
  std::string text = fmt::format("energy: {} of {} nodes, of which", energy_text(energy.total_j()), energy.nodes);
  const auto add = [&text, &energy](const std::string& what, double joules, const char* between) {
    if (joules >= 0.005 * energy.total_j())
      text += fmt::format("{} {} {:.0f} %", between, what, 100.0 * joules / energy.total_j());
  };
  constexpr const char* words[energy_parts] = {"idle nodes and GPUs", "cores at work", "GPUs at work", "adapters",
                                               "switches"};
  for (std::size_t part = 0; part < energy_parts; ++part)
    add(words[part], energy.parts[part], text.ends_with("which") ? "" : ",");
  text += "; by phase";
  for (const PhaseEnergy& phase : energy.phases) add(phase.phase, phase.energy_j, text.ends_with("phase") ? "" : ",");
  return text + "\n";
}

std::string metric_text(const Metric& metric) {
  if (metric.unit.empty()) return fmt::format("{:g}", metric.value);
  if (metric.unit == "s") return to_text(Seconds(metric.value));
  if (metric.unit == "W") return to_text(Watts(metric.value));
  if (metric.unit == "J") return energy_text(metric.value);
  const double digits = metric.value > 0.0 ? std::floor(std::log10(metric.value)) : 0.0;
  return fmt::format("{:.{}f}", metric.value, std::clamp(static_cast<int>(3.0 - digits), 0, 12));
}

std::string metric_with_unit(const Metric& metric) {
  return metric_text(metric) + (has_own_unit(metric) || metric.unit.empty() ? "" : " " + metric.unit);
}

namespace {

/// A row for each point: its settings, then each metric beside what is published of it.
std::string sweep_table(const ScenarioResult& result, std::size_t width, bool color) {
  const auto names = metric_columns(result);
  if (names.size() < 2) return {};
  const auto settings = setting_values(result);
  std::vector<Column> columns;
  for (const auto& setting : settings) {
    if (setting.values.size() < 2) continue;  // said once, above
    Column& column = columns.emplace_back(Column{"", short_key(setting.key, settings), false});
    for (const auto& point : result.points) column.cells.push_back({setting_of(point.settings, setting.key)});
  }
  const std::size_t repeated = columns.size();
  for (const auto& name : names) {
    Column value{name, "here", true, {}}, published{name, "published", true, {}};
    bool any = false;
    std::string unit;
    for (const auto& point : result.points) {
      const auto metric = std::ranges::find(point.metrics, name, &Metric::name);
      const bool has = metric != point.metrics.end();
      if (has && metric->unit != name && !has_own_unit(*metric)) unit = metric->unit;
      value.cells.push_back(has ? Cell{metric_text(*metric)} : Cell{"-", Tint::faint});
      const bool stated = has && metric->published;
      published.cells.push_back(stated ? Cell{metric_text({name, *metric->published, metric->unit})}
                                       : Cell{"-", Tint::faint});
      any |= stated;
    }
    if (!any) value.header = unit.empty() ? std::exchange(value.group, "") : unit;
    columns.push_back(std::move(value));
    if (any) columns.push_back(std::move(published));
  }
  return fitted(columns, repeated, width, color);
}

}  // namespace

std::string metric_table(const ScenarioResult& result, std::size_t width, bool color) {
  if (result.points.size() > 1) return sweep_table(result, width, color);
  if (result.points.size() != 1 || result.points.front().metrics.size() < 2) return {};
  Column names{"", result.points.front().kernel, false, {}}, values{"", "value", true, {}};
  for (const auto& metric : result.points.front().metrics) {
    names.cells.push_back({metric.name});
    values.cells.push_back({metric_with_unit(metric)});
  }
  return render({names, values}, 1, width, color) + energy_line(result.points.front().run.energy);
}

}  // namespace orrery::show
