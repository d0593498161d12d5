/// Which charts a result makes for a paper: the choice of axes, series and quantity of `orrery run --chart`.
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
/// An axis that is neither x nor series makes a chart for each of its values, unless these say it (axes of a zip); the
/// charts of one choice share a scale.
#pragma once

#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"
#include "sim/show/charts/chart.hpp"
#include "sim/show/summary/summary.hpp"

namespace orrery::show::paper {

struct ChartChoice {
  std::string x, y = "time", series, name;  ///< empty: chosen by the data
  std::string x_name = {}, y_name = {};     ///< words of the axes; empty: as the sweep and the quantity have them
  Settings series_names = {};               ///< words of a series by its own
  ScaleWish scale;
  double width = single_column;
  Settings where;
  std::string text;  ///< as written, for messages
};

/// Throws InputError opened by "--chart".
ChartChoice chart_choice(const std::string& text);

/// Before anything is played: throws InputError where x, series or a condition names no axis of the sweep (`axes`, with
/// their values), and where y can be nothing of it; `metrics`: some kernel prints numbers of its own, by any name.
void require_axes(const ChartChoice& choice, std::vector<SettingValues> axes, bool metrics);

/// Time, and where there are predictions their mu; whole runs where nothing is compared.
std::vector<ChartChoice> usual_charts(const ScenarioResult& result);

/// Throws InputError where the result has no such axis or quantity, or nothing is left to draw.
std::vector<Chart> charts_of(const ScenarioResult& result, const ChartChoice& choice);

}  // namespace orrery::show::paper
