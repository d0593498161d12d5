/// A collective inside another.
#pragma once

#include "kernels/collectives/algorithm.hpp"

namespace orrery::collectives {

/// The actions of another operation on the same vector and root, by the algorithm that the task's selector chooses.
Generator<Action> nested(const Task& task, Operation operation);

}  // namespace orrery::collectives
