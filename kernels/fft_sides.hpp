/// The number of points of the kernel `fft` along x, y and z.
///
///   log2-points = m of form six-step:   log2 nz = max(log2 P, (m + 1) / 3)
///                                       log2 nx = max(log2 P, (m - log2 nz + 1) / 2)
///
/// Source   HPCC (Takahashi; pzfft1d)
/// Checked  tests/unit/kernels/fft_test.cpp
#pragma once

#include <array>
#include <cstdint>

#include "sim/core/parameters.hpp"

namespace orrery {

/// nx, ny, nz. Throws InputError if 'log2-points' does not fit the ranks.
std::array<std::uint64_t, 3> fft_sides(const Parameters& parameters, std::uint32_t ranks);

}  // namespace orrery
