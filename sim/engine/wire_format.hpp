/// A RunResult as bytes and back: how a forked child hands its result to its parent. Same machine, same build only.
#pragma once

#include <string>

#include "sim/core/replay_result.hpp"

namespace orrery::engine {

std::string to_bytes(const RunResult& result);
/// Throws std::runtime_error when the bytes end early (a child that died while writing).
RunResult from_bytes(const std::string& bytes);

}  // namespace orrery::engine
