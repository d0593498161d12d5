/// The numbers of a result that a chart shows, each with its settings. Private to sim/show/charts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"
#include "sim/show/charts/chart.hpp"
#include "sim/show/charts/paper_charts.hpp"

namespace orrery::show::paper {

inline constexpr const char* chart_flag = "--chart";
inline constexpr const char* model_key = "model";  ///< an axis of every chart: simulated, measured, a model's label

/// One number of a point: a marker or bar of a chart.
struct Datum {
  Settings settings;  ///< of the point, and {"model", "simulated"}
  double y = 0.0;
  std::optional<Bar> bar;
  std::string bars = {};  ///< meaning of the error bar
};

struct Data {
  std::vector<Datum> all;
  std::string title;      ///< of the y axis, without unit
  bool seconds = true;    ///< y is a time
  std::string unit = {};  ///< of other quantities
  double least = 0.0;     ///< start of its axis
};

/// The values of the chosen quantity. Throws InputError if there is no such quantity.
Data data_of(const ScenarioResult& result, const ChartChoice& choice);

/// Whether any prediction is compared with a time.
bool has_errors(const ScenarioResult& result);

}  // namespace orrery::show::paper
