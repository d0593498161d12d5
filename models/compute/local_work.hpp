/// Wraps a compute model: the local work of collectives takes the platform's times (platforms/local_work.hpp); the
/// model gives all other times.
///
/// Checked  tests/unit/platforms/local_work_test.cpp
#pragma once

#include <memory>

#include "platforms/description.hpp"
#include "sim/core/compute_model.hpp"
#include "sim/core/phase.hpp"

namespace orrery {

/// The model itself if no rank of the layout has such rates.
std::unique_ptr<ComputeModel> with_local_work(std::unique_ptr<ComputeModel> model, const Platform& platform,
                                              const Layout& layout);

/// The local work of the rank with most of it, in one repetition of a phase.
Seconds local_work_time(const Phase& phase, const Platform& platform, const Layout& layout);

}  // namespace orrery
