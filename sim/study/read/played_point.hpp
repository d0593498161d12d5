/// A point as its scenario has it played: whole, or until its iterations are steady (sim/engine/steady.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sim/study/read/point.hpp"

namespace orrery::study {

/// The point with so many of its iterations. Throws InputError where its kernel has none.
std::unique_ptr<Program> program_of_few(const LoadedPoint& point, std::uint32_t iterations);

/// On the engine of this name; whole where `steady` is 0.
RunResult play_point(const LoadedPoint& point, const ReplayOptions& options, const std::string& on, double steady);

}  // namespace orrery::study
