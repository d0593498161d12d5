/// What the models of bulk-synchronous programs share: which phases synchronise, where ranks lie, DAXPY rates.
///
/// Checked  tests/unit/models/bsp_test.cpp
#pragma once

#include "models/calibration.hpp"

namespace orrery {

/// Phases of that name are the synchronisation itself: kernels mark the messages of their barriers so.
bool is_barrier(const Phase& phase);

/// A core for each rank where the layout has it; those of a rank of several cores begin there, a GPU's rank has core 0.
std::vector<CorePlace> cores_of_ranks(const Layout& layout, const Platform& platform);

/// r of bspbench: slope of flops over time of DAXPYs of 1, 2, 4 ... 1024 elements, the mean over ranks.
FlopsPerSecond daxpy_rate(const PredictionInput& run);

}  // namespace orrery
