/// Parameters of a job's GPUs, for collectives that are planned by them (sim/core/gpu_parameters.hpp).
#pragma once

#include <memory>

#include "platforms/description.hpp"

namespace orrery {

/// None where a rank is not on a GPU, or they are of several node types, or no fabric joins them.
///
///   link       bandwidth of the narrowest link between two GPUs * wire-efficiency of `gpu-messages`
///   adapters   how many a node has (of the job's nodes that one switch spans, all of theirs) * what one carries of
///              messages of 512 KiB: bandwidth * wire-efficiency of the network's protocol, and its gap after each
///   in_switch  as link, with the efficiency of `multicast`
///
/// Efficiencies are those of long messages.
std::shared_ptr<const GpuParameters> gpu_parameters(const Platform& platform, const Network& network,
                                                    const Layout& layout);

}  // namespace orrery
