/// The page of a model as text: summary, formula, parameters, assumptions, source, how to calibrate it.
#pragma once

#include <string>

#include "models/model.hpp"

namespace orrery::cli {

std::string model_page(const ModelEntry& entry);

}  // namespace orrery::cli
