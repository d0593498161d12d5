/// Input for the cost of barriers: the ranks of a communicator on a platform, with O_ii, O_ij and L_ij between them.
#pragma once

#include <memory>

#include "models/barrier/pattern_cost.hpp"
#include "platforms/description.hpp"
#include "sim/core/layout.hpp"
#include "sim/core/model_parameters.hpp"
#include "sim/study/search/barrier_job.hpp"

namespace orrery::study {

/// `costs` refers to the other members.
struct BarrierMachine {
  Platform platform;
  const Network* network;
  Layout layout;
  ModelParameters parameters;
  SignalCosts costs;
};

/// Throws InputError for an invalid platform, layout or parameter file. `ranks_of_pattern` is used if no flag gives the
/// number of ranks.
std::unique_ptr<BarrierMachine> barrier_machine(const BarrierRequest& request, std::uint32_t ranks_of_pattern);

}  // namespace orrery::study
