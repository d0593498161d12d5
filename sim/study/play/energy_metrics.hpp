/// What a run draws and costs, as metrics of its point.
///
///   energy, J                 of everything (sim/core/energy.hpp)
///   mean power, W             energy / makespan
///   greatest power, W         the greatest mean of 200 equal bins over the run
///   cost                      sum over nodes of price x hours, and electricity x kWh, as far as the platform states them
#pragma once

#include <vector>

#include "platforms/description.hpp"
#include "sim/core/layout.hpp"
#include "sim/core/metric.hpp"
#include "sim/core/replay_result.hpp"

namespace orrery::study {

void add_energy(std::vector<Metric>& metrics, const RunResult& run, const Platform& platform, const Layout& layout);

}  // namespace orrery::study
