/// What the models of phases say of each point, worked out in children: many points beside each other, and Ctrl-C ends
/// it at once, however long a program's phases take to build. Each answer goes into the store.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/study/play/phase_models.hpp"
#include "sim/study/play/point_player.hpp"
#include "sim/study/read/loaded_points.hpp"

namespace orrery::study {

/// What was said of one point, or why nothing could be.
struct PointAnswer {
  std::vector<Prediction> predictions;
  Refusal failure;
};

/// [points] in the order of the scenario's models of phases; nothing where it asks none. A program whose phases cannot be built gives a failure; any other
/// error of a model is thrown.
std::vector<PointAnswer> predict_points(const PhaseModels& models, const LoadedPoints& points,
                                        const std::vector<SurveyedPoint>& survey, const RunOptions& options,
                                        ResultStore& store);

}  // namespace orrery::study
