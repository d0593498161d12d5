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

bool unchanged(const WhatIfRow& row) { return std::abs(row.slowdown - 1.0) <= same_within; }

/// With the times of the whole run; of each job where it has several.
void add_rows(std::vector<WhatIfRow>& rows, WhatIfRow row, const PointResult& base, const PointResult& point) {
  const bool ran = point.failure.empty();
  const auto add = [&](const std::string& job, Seconds without, Seconds with) {
    row.job = job;
    row.without = without;
    row.with = with;
    row.slowdown = ran ? with / without : std::numeric_limits<double>::infinity();
    rows.push_back(row);
  };
  if (base.run.jobs.empty()) return add("", base.run.makespan, point.run.makespan);
  for (const JobRecord& job : base.run.jobs) {
    const auto same = std::ranges::find(point.run.jobs, job.name, &JobRecord::name);
    const bool has = same != point.run.jobs.end();
    if (job.together.median > Seconds{} && (has || !ran))
      add(job.name, job.together.median, has ? same->together.median : Seconds{});
  }
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
    const std::string told = others.settings.empty() ? "" : point_label(others);
    add_rows(rows, {.point = p, .base = base->second, .fault = fault, .others = told}, result.points[base->second],
             point);
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
  std::map<std::size_t, bool> changes;  // by point
  for (const WhatIfRow& row : rows) changes[row.point] |= !unchanged(row);
  const auto without_effect = std::ranges::count(changes, false, &std::pair<const std::size_t, bool>::second);
  const WhatIfRow& worst = rows.front();
  const std::string harm =
      (worst.job.empty() ? "" : fmt::format("job '{}': ", worst.job)) + slowdown_words(worst.slowdown);
  std::string text = fmt::format("of {} faults {}{} hurts most ({})", changes.size(), worst.fault,
                                 worst.others.empty() ? "" : " with " + worst.others, harm);
  if (changes.size() == 1) text = fmt::format("{}: {}", worst.fault, harm);
  if (changes.size() > 1 && without_effect > 0) text += fmt::format(", {} change nothing", without_effect);
  return "what-if: " + text;
}

}  // namespace orrery::show
