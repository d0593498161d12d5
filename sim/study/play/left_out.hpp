/// What a prediction leaves out that the simulated time beside it holds: computation between messages.
#pragma once

#include <string>

#include "models/prediction.hpp"

namespace orrery::study {

/// What ranks compute in the compared phases, of the rank that does most, but for what collectives do beside messages.
Seconds computed_in_compared(const PredictionInput& run);

/// What is to be said of a prediction of messages alone, where ranks compute in that phase as well; it names the models
/// that have computation. Empty where that is below a tenth of what was predicted.
std::string computation_left_out(const PredictionInput& run, Seconds computed, Seconds predicted);

}  // namespace orrery::study
