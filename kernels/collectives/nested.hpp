/// A collective inside another.
#pragma once

#include "kernels/collectives/algorithm.hpp"

namespace orrery::collectives {

/// The actions of another operation on the same vector and root, by the algorithm of this name or, without one, that the
/// task's selector chooses.
Generator<Action> nested(const Task& task, Operation operation, std::string_view name = {});

}  // namespace orrery::collectives
