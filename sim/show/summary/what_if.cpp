#include "sim/show/summary/what_if.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "sim/show/summary/summary.hpp"

namespace orrery::show {

namespace {

constexpr double same_within = 1e-9;  ///< two runs whose makespans differ by no more are alike

Settings without_fault(const PointResult& point) {
  Settings others = point.settings;
  std::erase_if(others, [](const auto& setting) { return setting.first == "what-if"; });
  return others;
}

}  // namespace

std::vector<WhatIfRow> what_if_rows(const ScenarioResult& result) {
  std::map<Settings, std::size_t> bases;
  for (std::size_t p = 0; p < result.points.size(); ++p)
    if (setting_of(result.points[p].settings, "what-if") == "none" && result.points[p].run.makespan > Seconds{})
      bases.emplace(without_fault(result.points[p]), p);
  std::vector<WhatIfRow> rows;
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    const PointResult& point = result.points[p];
    const std::string fault = setting_of(point.settings, "what-if");
    const auto base = bases.find(without_fault(point));
    if (fault.empty() || fault == "none" || base == bases.end()) continue;
    PointResult others;
    others.settings = base->first;
    const bool ran = point.failure.empty() && point.run.makespan > Seconds{};
    if (!ran && point.failure.empty()) continue;  // nothing was played
    rows.push_back({p, base->second, fault, others.settings.empty() ? "" : point_label(others),
                    ran ? point.run.makespan / result.points[base->second].run.makespan
                        : std::numeric_limits<double>::infinity()});
  }
  std::ranges::stable_sort(rows, std::greater<>(), &WhatIfRow::slowdown);
  return rows;
}

std::string slowdown_words(double slowdown) {
  if (!std::isfinite(slowdown)) return "cannot run";
  if (std::abs(slowdown - 1.0) <= same_within) return "no change";
  return fmt::format("{:.3g} % {}", 100.0 * std::abs(slowdown - 1.0), slowdown > 1.0 ? "longer" : "shorter");
}

std::string what_if_sentence(const ScenarioResult& result) {
  const auto rows = what_if_rows(result);
  if (rows.empty()) return {};
  const auto unchanged =
      std::ranges::count_if(rows, [](const WhatIfRow& row) { return std::abs(row.slowdown - 1.0) <= same_within; });
  const WhatIfRow& worst = rows.front();
  std::string text = fmt::format("of {} faults {}{} hurts most ({})", rows.size(), worst.fault,
                                 worst.others.empty() ? "" : " with " + worst.others, slowdown_words(worst.slowdown));
  if (rows.size() == 1) text = fmt::format("{}: {}", worst.fault, slowdown_words(worst.slowdown));
  if (rows.size() > 1 && unchanged > 0) text += fmt::format(", {} change nothing", unchanged);
  return "what-if: " + text;
}

}  // namespace orrery::show
