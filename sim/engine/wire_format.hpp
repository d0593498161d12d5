/// A RunResult as bytes and back: how a forked child passes its result to its parent. Same computer, same build only.
#pragma once

#include <string>

#include "sim/core/replay_result.hpp"

namespace orrery::engine {

std::string to_bytes(const RunResult& result);
/// Throws std::runtime_error if the bytes end early (a child that died while writing).
RunResult from_bytes(const std::string& bytes);

}  // namespace orrery::engine
