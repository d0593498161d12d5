#include "sim/study/judge/validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "models/stats/sample.hpp"
#include "sim/config/csv.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/show/summary/summary.hpp"

namespace orrery::study {

namespace {

double share_of(Seconds time, Seconds measured) { return (time - measured).si() / measured.si(); }

}  // namespace

ErrorRow error_row(const std::string& of, const std::vector<double>& signed_shares) {
  std::vector<double> shares;
  shares.reserve(signed_shares.size());
  for (const double share : signed_shares) shares.push_back(std::abs(share));
  if (shares.empty()) return {.of = of};
  return {of,
          shares.size(),
          stats::median(shares),
          stats::quantile(shares, 0.9),
          std::ranges::max(shares),
          stats::median(signed_shares)};
}

std::vector<ErrorRow> error_rows(const ScenarioResult& result) {
  std::vector<std::string> names{"simulated"};
  std::map<std::string, std::vector<double>> shares;
  for (const auto& point : result.points) {
    if (!point.measured || point.measured->si() <= 0.0) continue;
    if (point.simulated) shares["simulated"].push_back(share_of(*point.simulated, *point.measured));
    for (const auto& prediction : point.predictions) {
      if (prediction.of_run || prediction.fitted) continue;
      const std::string name = prediction.label();
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
      shares[name].push_back(share_of(prediction.time, *point.measured));
    }
  }
  std::vector<ErrorRow> rows;
  for (const auto& name : names)
    if (shares.contains(name)) rows.push_back(error_row(name, shares[name]));
  return rows;
}

std::string error_table(const std::vector<ErrorRow>& rows) {
  std::string text = fmt::format("{:<28}{:>8}{:>10}{:>10}{:>10}{:>10}\n", "against measured", "points", "median",
                                 "9 in 10", "greatest", "bias");
  for (const auto& row : rows)
    text += fmt::format("{:<28}{:>8}{:>8.1f} %{:>8.1f} %{:>8.1f} %{:>+8.1f} %\n", row.of, row.points, 100 * row.median,
                        100 * row.most_of, 100 * row.greatest, 100 * row.bias);
  return text;
}

std::vector<double> spreads_of(const std::string& points_csv) {
  const DataTable table = config::read_csv(points_csv);
  constexpr double most = 1e9;
  std::vector<double> spreads;
  for (const auto& row : table.rows) {
    const double median = table.required(row, "time_s", 0.0, most);
    const double low = table.required(row, "low_s", 0.0, most), high = table.required(row, "high_s", 0.0, most);
    spreads.push_back(median > 0.0 ? (high - low) / 2.0 / median : 0.0);
  }
  return spreads;
}

std::vector<std::string> broken_bounds(const ScenarioResult& result, const ValidateSpec& validate,
                                       const std::vector<double>& spreads) {
  std::vector<std::string> broken;
  const auto rows = error_rows(result);
  const bool simulated = !rows.empty() && rows.front().of == "simulated";
  if (validate.median && (!simulated || rows.front().median > *validate.median))
    broken.push_back(simulated
                         ? fmt::format("{}: simulated and measured are {:.1f} % apart in the median (at most {:g} %)",
                                       validate.where, 100.0 * rows.front().median, 100.0 * *validate.median)
                         : fmt::format("{}: no point was both simulated and measured", validate.where));
  if (!validate.each) return broken;
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    const auto& point = result.points[i];
    const bool repeats = i < spreads.size() && spreads[i] <= validate.repeats_to;
    if (!repeats || !point.measured || !point.simulated) continue;
    const double share = share_of(*point.simulated, *point.measured);
    if (std::abs(share) > *validate.each)
      broken.push_back(fmt::format("{}: simulated {}, measured {}: {:+.1f} % (at most {:g} %) at {}", validate.where,
                                   to_text(*point.simulated), to_text(*point.measured), 100.0 * share,
                                   100.0 * *validate.each, show::point_label(point)));
  }
  return broken;
}

}  // namespace orrery::study
