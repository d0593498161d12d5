/// The predictions of models of phases for each point, computed in children: many points in parallel, and Ctrl-C ends
/// the work at once, even while the phases of a program are built. Each answer is stored.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/study/play/phase_models.hpp"
#include "sim/study/play/point_player.hpp"
#include "sim/study/read/loaded_points.hpp"

namespace orrery::study {

/// The predictions for one point, or the reason why there are none.
struct PointAnswer {
  std::vector<Prediction> predictions;
  Refusal failure;
};

/// [points] in the order of the scenario's models of phases; empty without such models. A program whose phases cannot
/// be built gives a failure; any other error of a model is thrown.
std::vector<PointAnswer> predict_points(const PhaseModels& models, const LoadedPoints& points,
                                        const std::vector<SurveyedPoint>& survey, const RunOptions& options,
                                        ResultStore& store);

}  // namespace orrery::study
