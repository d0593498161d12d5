/// The note for a program that sends messages that no rank receives.
#pragma once

#include <string>

#include "sim/core/replay_result.hpp"

namespace orrery::study {

/// Empty if every message was received. It names the ranks, the tag and the number of messages.
std::string unreceived_sentence(const Unreceived& found);

}  // namespace orrery::study
