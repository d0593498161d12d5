/// Code shared by the models of bulk-synchronous programs: phases that synchronise, places of ranks, DAXPY rates.
///
/// Checked  tests/unit/models/bsp_test.cpp
#pragma once

#include "models/calibration.hpp"

namespace orrery {

/// Whether the phase is the synchronisation itself: kernels mark the messages of their barriers with this name.
bool is_barrier(const Phase& phase);

/// A core for each rank, from the layout; a rank of several cores has the first of them, a GPU's rank has core 0.
std::vector<CorePlace> cores_of_ranks(const Layout& layout, const Platform& platform);

/// r of bspbench: slope of flops over time of DAXPYs of 1, 2, 4 ... 1024 elements, the mean over ranks.
FlopsPerSecond daxpy_rate(const PredictionInput& run);

}  // namespace orrery
