/// The charts of a result for a paper: selection of axes, series and quantity by `orrery run --chart`.
///
///   x=kernel.blocks      an axis of the sweep (its whole path or last word), or 'model'
///   y=time               time of the compared phase, simulated, measured, published and predicted; or
///                        makespan, phase:NAME, mu, error (both of the predictions), or a metric of the kernel
///                        (Gflop/s)
///   series=network       likewise; by default 'model' where there are predictions, else the next axis
///   log=y                logarithmic axes: x, y, xy or none; by default as the numbers ask
///   width=double         single (88 mm, one column) or double (180 mm)
///   name=fig3            of the file
///   x-name=..., y-name=  words of an axis, in place of the sweep's; the unit of y is added
///   name.taulop=tau-Lop  words of a series, by what the legend would say
///   network=ethernet     anything else: only points (or the model) with this value
///
/// An axis that is neither x nor series gives a chart for each of its values, unless x or series determine it (axes of
/// a zip); the charts of one selection share a scale.
#pragma once

#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"
#include "sim/show/charts/chart.hpp"
#include "sim/show/summary/summary.hpp"

namespace orrery::show::paper {

struct ChartChoice {
  std::string x, y = "time", series, name;  ///< empty: chosen by the data
  std::string x_name = {}, y_name = {};     ///< axis labels; empty: those of the sweep and the quantity
  Settings series_names = {};               ///< label of a series by its original label
  ScaleWish scale;
  double width = single_column;
  Settings where;
  std::string text;  ///< as written, for messages
};

/// Throws InputError that begins with "--chart".
ChartChoice chart_choice(const std::string& text);

/// Check before simulation: throws InputError if x, series or a condition names no axis of the sweep (`axes`, with
/// their values), and if y is no quantity of it; `metrics`: some kernel prints metrics, which may have any name.
void require_axes(const ChartChoice& choice, std::vector<SettingValues> axes, bool metrics);

/// Time, and mu if there are predictions; whole runs if nothing is compared.
std::vector<ChartChoice> usual_charts(const ScenarioResult& result);

/// Throws InputError if the result has no such axis or quantity, or if nothing remains to draw.
std::vector<Chart> charts_of(const ScenarioResult& result, const ChartChoice& choice);

}  // namespace orrery::show::paper
