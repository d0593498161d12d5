/// Parameters of GPUs that can be fitted: their links, switches and what NCCL's kernels pay between nodes. Private to
/// platform_parameters.cpp.
#pragma once

#include <vector>

#include "sim/study/fit/platform_parameters.hpp"

namespace orrery::study {

void add_gpu_parameters(std::vector<PlatformParameter>& all);

/// Whether the message goes over the links between GPUs, or NCCL's kernels send it over the network: MPI's parameters do
/// not matter to it then. Notes what does. Which algorithm is chosen depends on all of the GPUs' parameters.
bool gpu_use(const Message& message, const Phase& phase, const Layout& layout, const ChannelProperties& protocol,
             ParameterUses& uses);

}  // namespace orrery::study
