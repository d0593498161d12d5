/// A point simulated as its scenario requires: whole, or until its iterations are steady (sim/engine/steady.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sim/study/read/point.hpp"

namespace orrery::study {

/// The point with only `iterations` iterations. Throws InputError if its kernel has none.
std::unique_ptr<Program> program_of_few(const LoadedPoint& point, std::uint32_t iterations);

/// On the engine of this name; the whole run if `steady` is 0.
RunResult play_point(const LoadedPoint& point, const ReplayOptions& options, const std::string& on, double steady);

}  // namespace orrery::study
