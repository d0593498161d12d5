#include "sim/cli/pages/fit_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/show/charts/chart.hpp"
#include "sim/study/fit/compute_speeds.hpp"
#include "sim/study/fit/subplex_search.hpp"
#include "sim/study/judge/validation.hpp"

namespace orrery::cli {

using namespace study;

namespace {

/// Of points that are held out or not; none where there are no such times.
void add_errors(std::vector<ErrorRow>& rows, const char* of, const std::vector<FittedPoint>& points, bool held_out,
                bool before) {
  std::vector<double> errors;
  for (const auto& point : points)
    if (point.held_out == held_out && (!before || point.before))
      errors.push_back((before ? *point.before : point.fitted) / point.measured - 1.0);
  if (!errors.empty()) rows.push_back(error_row(of, errors));
}

std::string search_text(const PlatformFit& fit) {
  if (!fit.search) return "\n";
  const FitSearch& search = *fit.search;
  std::string text = fmt::format("mean |ln(simulated / measured)| {:.4f}, before {:.4f}; {} simulations\n\n",
                                 search.error, search.error_before, search.simulations);
  if (!search.complete)
    text +=
        fmt::format("the search stopped after {} tries, and the error was still falling: begin at these parameters\n\n",
                    SearchOptions{}.tries_max);
  return text;
}

/// A row each; what the error says of a parameter where they were searched for.
std::string parameters_text(const PlatformFit& fit) {
  std::size_t name = 20, value = 11;
  for (const auto& row : fit.parameters) {
    name = std::max(name, row.name.size());
    value = std::max({value, row.before.size(), row.fitted.size()});
  }
  const auto line = [&](const std::string& first, const std::string& before, const std::string& fitted) {
    return fmt::format("{:<{}}{:>{}}{:>{}}", first, name + 2, before, value + 2, fitted, value + 2);
  };
  std::string text = line("parameter", "before", "fitted");
  text += fit.search ? fmt::format("{:>15}{:>15}\n", "10 % larger", "10 % smaller") : "\n";
  for (const auto& row : fit.parameters) {
    const auto grows = [&](const std::optional<double>& error) {
      return error ? fmt::format("{:+.2f} %", 100.0 * (*error - fit.search->error)) : std::string("-");
    };
    text += line(row.name, row.before.empty() ? "-" : row.before, row.fitted);
    if (fit.search) text += fmt::format("{:>15}{:>15}", grows(row.larger), grows(row.smaller));
    text += (row.note.empty() ? "" : "   " + row.note) + "\n";
  }
  return text + "\n";
}

/// Which parameters the points do not tell apart, and what would.
std::string alike_text(const std::vector<AlikeParameters>& alike) {
  std::string text;
  for (const auto& [one, other, how] : alike)
    text += fmt::format(
        "{} and {} change the points alike (cosine {:.2f}), so either may hold what is the other's.\n"
        "  Measure {} for the first, {} for the second.\n",
        one->name, other->name, how, one->seen_in, other->seen_in);
  return text.empty() ? "" : text + "\n";
}

}  // namespace

std::string fit_text(const PlatformFit& fit) {
  std::string text = fmt::format("{}, {}: {}\n", fit.platform, fit.network, fit.origin) + search_text(fit) +
                     parameters_text(fit) + (fit.search ? alike_text(fit.search->alike) : "");
  for (const auto& note : fit.notes) text += note + "\n";
  if (!fit.notes.empty()) text += "\n";
  std::vector<ErrorRow> rows;
  add_errors(rows, "before", fit.points, false, true);
  add_errors(rows, "fitted", fit.points, false, false);
  add_errors(rows, "held out", fit.points, true, false);
  return text + error_table(rows);
}

std::string fit_svg(const PlatformFit& fit) {
  std::vector<show::paper::ChartSeries> series;
  const auto add = [&](const char* name, bool held_out, bool before) {
    show::paper::ChartSeries points{.name = name, .line = false};
    for (const auto& point : fit.points)
      if (point.held_out == held_out && (!before || point.before))
        points.points.push_back({point.measured.si(), (before ? *point.before : point.fitted) / point.measured});
    if (!points.points.empty()) series.push_back(std::move(points));
  };
  add("before", false, true);
  add("fitted", false, false);
  add("held out", true, false);
  const std::string title = fmt::format("{}, {}: {}", fit.platform, fit.network, fit.origin);
  std::vector<show::paper::Chart> charts = fit.charts;
  charts.push_back(show::paper::curves(fit.charts.empty() ? title : "fitted and measured times", std::move(series),
                                       "measured (s)", "fitted / measured", true));
  return show::paper::stacked_svg(charts, title);
}

std::string parameters_help() {
  std::string text;
  for (const auto& parameter : platform_parameters())
    text += fmt::format("{:<24}{} ({}..{}{})\n", parameter.name, parameter.about,
                        parameter_text(parameter, parameter.least), parameter_text(parameter, parameter.most),
                        parameter.unasked ? "" : "; only if named");
  const auto speed = speed_parameter("speed.TYPE.WORK");  // a copy: GCC 14 takes a reference for one into the name
  text += fmt::format("{:<24}speed.TYPE, speed.WORK: {} ({}..{}; only if named)\n", speed.name, speed.about,
                      parameter_text(speed, speed.least), parameter_text(speed, speed.most));
  return text;
}

}  // namespace orrery::cli
