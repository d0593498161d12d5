#include "sim/report/metric_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/core/quantity_text.hpp"
#include "sim/report/text_grid.hpp"

namespace orrery::report {

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

std::string metric_text(const Metric& metric) {
  if (metric.unit == "s") return to_text(Seconds(metric.value));
  const double digits = metric.value > 0.0 ? std::floor(std::log10(metric.value)) : 0.0;
  return fmt::format("{:.{}f}", metric.value, std::clamp(static_cast<int>(3.0 - digits), 0, 12));
}

std::string metric_table(const ScenarioResult& result, std::size_t width, bool color) {
  if (result.points.size() != 1 || result.points.front().metrics.size() < 2) return {};
  Column names{"", result.points.front().kernel, false, {}}, values{"", "value", true, {}};
  for (const auto& metric : result.points.front().metrics) {
    names.cells.push_back({metric.name});
    values.cells.push_back({metric_text(metric) + (metric.unit == "s" ? "" : " " + metric.unit)});
  }
  return render({names, values}, 1, width, color);
}

}  // namespace orrery::report
