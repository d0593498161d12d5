/// GPU parameters that can be fitted: their links, switches and the costs of NCCL's kernels between nodes. Private to
/// platform_parameters.cpp.
#pragma once

#include <vector>

#include "sim/study/fit/platform_parameters.hpp"

namespace orrery::study {

void add_gpu_parameters(std::vector<PlatformParameter>& all);

/// Whether the message goes over the links between GPUs, or NCCL's kernels send it over the network: then it does not
/// depend on MPI's parameters. Records the uses. The choice of algorithm depends on all GPU parameters.
bool gpu_use(const Message& message, const Phase& phase, const Layout& layout, const ChannelProperties& protocol,
             ParameterUses& uses);

}  // namespace orrery::study
