/// How many messages a program will send: for estimates of time, before it is played.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/phase.hpp"
#include "sim/core/program.hpp"

namespace orrery::app {

/// Exact: every message of every repetition.
std::uint64_t messages_of(const std::vector<Phase>& phases);

/// From the steps of rank 0 and of at most `sampled` others, evenly spread. Exact for up to `sampled` + 1 ranks that
/// probe for nothing; above that an estimate, which a program with busy ranks between the sampled ones deceives.
std::uint64_t estimated_messages(const Program& program, std::uint32_t sampled = 64);

}  // namespace orrery::app
