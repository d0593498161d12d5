/// A collective inside another.
#pragma once

#include "kernels/collectives/algorithm.hpp"

namespace orrery::collectives {

/// The actions of another operation on the same vector and root, by the algorithm of this name or, without a name, by
/// the choice of the task's selector.
Generator<Action> nested(const Task& task, Operation operation, std::string_view name = {});

}  // namespace orrery::collectives
