/// Whether a program fits into the memory of the nodes and GPUs that it runs on.
#pragma once

#include <string>

#include "sim/study/read/point.hpp"

namespace orrery {

/// Throws InputError, opening with `where`, if the ranks of a node, or the rank of a GPU, hold more (Program::memory)
/// than it has. A GPU process is taken to hold its data in the memory of its GPU.
void require_memory(const LoadedPoint& point, const std::string& where);

/// What the fullest node or GPU holds of its memory: 0.8 of 80 %.
double memory_share(const LoadedPoint& point);

}  // namespace orrery
