/// Whether a program fits into the memory of the nodes and GPUs that it runs on.
#pragma once

#include <string>

#include "sim/study/read/point.hpp"

namespace orrery {

/// Throws InputError that begins with `where` if the ranks of a node, or the rank of a GPU, need more memory
/// (Program::memory) than it has. A GPU process is assumed to hold its data in the memory of its GPU.
void require_memory(const LoadedPoint& point, const std::string& where);

/// Used fraction of the memory of the fullest node or GPU: 0.8 for 80 %.
double memory_share(const LoadedPoint& point);

}  // namespace orrery
