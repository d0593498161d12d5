/// Facts about every point before the first simulation, so that wrong input fails early.
#pragma once

#include <string>
#include <vector>

#include "sim/study/play/point_player.hpp"
#include "sim/study/play/run_scenario.hpp"
#include "sim/study/read/loaded_points.hpp"

namespace orrery::study {

class ModelNeeds;

/// Loads every point once, and passes it to `needs` if given. `stopped` ends the message on Ctrl-C.
std::vector<SurveyedPoint> survey_of(const Scenario& scenario, const LoadedPoints& points, ModelNeeds* needs,
                                     const RunOptions& options, const std::string& stopped);

/// Stages of the pipeline, for a kernel with a parameter `pipeline`; else 0.
std::uint32_t stages_of(const LoadedPoint& point);

/// Warns in advance if SimGrid will take long.
void tell_slow(const std::string& engine, const std::vector<SurveyedPoint>& survey, const RunOptions& options);

}  // namespace orrery::study
