/// A long iterative program from a few of its iterations: these run until they are steady, the rest are computed.
///
///   T(n) = T(k) + (n - k) d          d = mean duration of iterations k/2 .. k-1
///
///   n  1  iterations asked for        k  1  iterations played: 8, 16, 32 ... until steady, or all n
///
/// Iteration i lasts from the end of iteration i-1 to its own end, over all ranks. The run is steady when the mean of
/// its second half differs from the mean of the quarter before by at most the given share. If it later drifts by no
/// more than that, T is wrong by at most that share.
///
/// Source   Ichikawa, Takahashi & Kawai measure whole runs; this is how theirs of hours are played in seconds
/// Valid    kernels whose iterations do the same work and are marked; noise averages out over half of what was played
/// Checked  tests/unit/study/steady_test.cpp
#pragma once

#include <cstdint>
#include <functional>

#include "sim/core/replay_result.hpp"

namespace orrery::engine {

/// `play` runs the given number of iterations. Each phase of the remaining iterations is one record. Throws InputError
/// if iterations are not marked.
RunResult steady_run(std::uint32_t iterations, double within, const std::function<RunResult(std::uint32_t)>& play);

}  // namespace orrery::engine
