/// What is known of every point before anything is played, so that wrong input costs no waiting.
#pragma once

#include <string>
#include <vector>

#include "sim/study/play/point_player.hpp"
#include "sim/study/play/run_scenario.hpp"
#include "sim/study/read/loaded_points.hpp"

namespace orrery::study {

class ModelNeeds;

/// Every point is loaded once, and shown to `needs` where there is one. `stopped` ends what is said on Ctrl-C.
std::vector<SurveyedPoint> survey_of(const Scenario& scenario, const LoadedPoints& points, ModelNeeds* needs,
                                     const RunOptions& options, const std::string& stopped);

/// Of its pipeline, of a kernel that has a parameter `pipeline`; else 0.
std::uint32_t stages_of(const LoadedPoint& point);

/// Says before they are played that SimGrid will be long at them.
void tell_slow(const std::string& engine, const std::vector<SurveyedPoint>& survey, const RunOptions& options);

}  // namespace orrery::study
