#include "sim/cli/pages/scenario_fit_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/show/charts/chart.hpp"
#include "sim/study/fit/compute_speeds.hpp"
#include "sim/study/fit/total_estimates.hpp"
#include "sim/study/judge/validation.hpp"

namespace orrery::cli {

using namespace study;

namespace {

/// What the table says beside a figure.
std::string note_of(const FittedFigure& figure) {
  const auto& found = figure.found;
  if (!figure.used) return "no point depends on it: stays";
  std::vector<std::string> notes;
  if (figure.held)
    notes.push_back(fmt::format("as '{}', which it may not be below", figure.figure->not_below));
  else if (!found.determined)
    notes.emplace_back("not determined: stays");
  if (found.at_most || found.at_least)
    notes.push_back(fmt::format("at its bound of {}", figure_text(*figure.figure, found.value)));
  if (!figure.held && found.determined && (found.open_above || found.open_below))
    notes.push_back(fmt::format("{} of it would do", found.open_above && found.open_below ? "twice or half"
                                                     : found.open_above                   ? "twice"
                                                                                          : "half"));
  return fmt::format("{}", fmt::join(notes, "; "));
}

void add_errors(std::vector<ErrorRow>& rows, const char* of, const std::vector<FittedPoint>& points, bool held_out,
                Seconds FittedPoint::*simulated) {
  std::vector<double> errors;
  for (const auto& point : points)
    if (point.held_out == held_out) errors.push_back(point.*simulated / point.measured - 1.0);
  if (!errors.empty()) rows.push_back(error_row(of, errors));
}

/// Which figures the points do not tell apart, and what would.
std::string alike_text(const std::vector<AlikeFigures>& alike) {
  std::string text;
  for (const auto& [one, other, how] : alike)
    text += fmt::format(
        "{} and {} change the points alike (cosine {:.2f}), so either may hold what is the other's.\n"
        "  Measure {} for the first, {} for the second.\n",
        one->name, other->name, how, one->seen_in, other->seen_in);
  return text.empty() ? "" : text + "\n";
}

}  // namespace

std::string scenario_fit_text(const ScenarioFit& fit) {
  std::string text =
      fmt::format("{}, {}: {}\nmean |ln(simulated / measured)| {:.4f}, before {:.4f}; {} simulations\n\n", fit.platform,
                  fit.network, fit.origin, fit.error, fit.error_before, fit.simulations);
  if (!fit.complete)
    text +=
        fmt::format("the search stopped after {} tries, and the error was still falling: begin at these parameters\n\n",
                    SearchOptions{}.tries_max);
  if (fit.estimated)
    text += fmt::format(
        "tries told totals from {} of their runs, drawn by their part of it; what was found, and all that is below, is "
        "of "
        "all runs{}\n\n",
        TotalEstimates::drawn_most,
        fit.settled ? "" : ", which still differ from what was estimated: begin at these parameters");
  text +=
      fmt::format("{:<22}{:>13}{:>13}{:>15}{:>15}\n", "parameter", "before", "fitted", "10 % larger", "10 % smaller");
  for (const auto& figure : fit.figures) {
    const auto& found = figure.found;
    const auto grows = [&](double error) { return fmt::format("{:+.2f} %", 100.0 * (error - fit.error)); };
    const std::string note = note_of(figure);
    text += fmt::format("{:<22}{:>13}{:>13}{:>15}{:>15}{}{}\n", figure.figure->name,
                        figure_text(*figure.figure, figure.before), figure_text(*figure.figure, found.value),
                        found.at_most ? "-" : grows(found.larger), found.at_least ? "-" : grows(found.smaller),
                        note.empty() ? "" : "   ", note);
  }
  std::vector<ErrorRow> rows;
  add_errors(rows, "before", fit.points, false, &FittedPoint::before);
  add_errors(rows, "fitted", fit.points, false, &FittedPoint::fitted);
  add_errors(rows, "held out", fit.points, true, &FittedPoint::fitted);
  return text + "\n" + alike_text(fit.alike) + error_table(rows);
}

std::string scenario_fit_svg(const ScenarioFit& fit) {
  std::vector<show::paper::ChartSeries> series;
  const auto add = [&](const char* name, bool held_out, Seconds FittedPoint::*simulated) {
    show::paper::ChartSeries points{.name = name, .line = false};
    for (const auto& point : fit.points)
      if (point.held_out == held_out) points.points.push_back({point.measured.si(), point.*simulated / point.measured});
    if (!points.points.empty()) series.push_back(std::move(points));
  };
  add("before", false, &FittedPoint::before);
  add("fitted", false, &FittedPoint::fitted);
  add("held out", true, &FittedPoint::fitted);
  const std::string title = fmt::format("{}, {}: {}", fit.platform, fit.network, fit.origin);
  return show::paper::stacked_svg(
      {show::paper::curves(title, std::move(series), "measured (s)", "simulated / measured", true)}, title);
}

std::string figures_help() {
  std::string text;
  for (const auto& figure : platform_figures())
    text += fmt::format("{:<24}{} ({}..{}{})\n", figure.name, figure.about, figure_text(figure, figure.least),
                        figure_text(figure, figure.most), figure.unasked ? "" : "; only if named");
  const auto speed = speed_figure("speed.TYPE.WORK");  // a copy: GCC 14 takes a reference for one into the name
  text += fmt::format("{:<24}speed.TYPE, speed.WORK: {} ({}..{}; only if named)\n", speed.name, speed.about,
                      figure_text(speed, speed.least), figure_text(speed, speed.most));
  return text;
}

}  // namespace orrery::cli
