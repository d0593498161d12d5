/// A long iterative program from a few of its iterations: played until they are steady, the rest counted.
///
///   T(n) = T(k) + (n - k) d          d = mean duration of iterations k/2 .. k-1
///
///   n  1  iterations asked for        k  1  iterations played: 8, 16, 32 ... until steady, or all n
///
/// Iteration i lasts from the end of iteration i-1 to its own, over all ranks. The run is steady when the mean of its
/// second half differs from that of the quarter before by at most the share asked for. What drifts on afterwards by no
/// more makes T wrong by no more than that share.
///
/// Source   Ichikawa, Takahashi & Kawai measure whole runs; this is how theirs of hours are played in seconds
/// Valid    kernels whose iterations do the same work and are marked; noise averages out over half of what was played
/// Checked  tests/unit/study/steady_test.cpp
#pragma once

#include <cstdint>
#include <functional>

#include "sim/core/replay_result.hpp"

namespace orrery::engine {

/// `play` plays so many iterations. Phases of iterations that were not played are one record each. Throws InputError
/// where iterations are not marked.
RunResult steady_run(std::uint32_t iterations, double within, const std::function<RunResult(std::uint32_t)>& play);

}  // namespace orrery::engine
