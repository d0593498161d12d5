/// Parameters of a job's GPUs, for collectives that are planned by them (sim/core/gpu_parameters.hpp).
#pragma once

#include <memory>
#include <string>

#include "platforms/description.hpp"

namespace orrery {

/// Null if some ranks are not on GPUs, or on different ones, or if no fabric connects them.
///
///   link       of two GPUs that follow each other by number the narrowest link * wire-efficiency of `gpu-messages`;
///              of a mesh of links what all rings over them carry (sim/core/gpu_mesh.hpp)
///   adapters   how many a node has (of the job's nodes that one switch spans, all of theirs) * what one carries of
///              messages of 512 KiB: bandwidth * wire-efficiency of the network's protocol, and its gap after each
///   in_switch  as link, with the efficiency of `multicast`; 0 where no switch joins all of the job's GPUs of a node
///
/// Efficiencies are those of long messages.
std::shared_ptr<const GpuParameters> gpu_parameters(const Platform& platform, const Network& network,
                                                    const Layout& layout);
/// Why there are none: "no 'fabric' joins the GPUs of 'lumi-g'". Empty: there are some.
std::string gpus_missing(const Platform& platform, const Layout& layout);

}  // namespace orrery
