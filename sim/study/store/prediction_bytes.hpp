/// Predictions as bytes and back, for the store and from the child that made them. Same machine, same build only.
#pragma once

#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"

namespace orrery::study {

std::string to_bytes(const std::vector<Prediction>& predictions);
/// Throws std::runtime_error when the bytes end early.
std::vector<Prediction> predictions_from(const std::string& bytes);

}  // namespace orrery::study
