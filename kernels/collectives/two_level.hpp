/// Collectives in two levels: among the members of each node, and among the nodes' leaders (their lowest members).
#pragma once

#include "kernels/collectives/algorithm.hpp"

namespace orrery::collectives {

bool leads_node(const Task& task);

/// An operation on the whole vector among the members of this node, rooted at its leader.
Generator<Action> within_node(const Task& task, Operation operation, std::string_view algorithm);
/// The same among the leaders, rooted at the leader of the root's node. Only leaders call it.
Generator<Action> among_leaders(const Task& task, Operation operation, std::string_view algorithm);

}  // namespace orrery::collectives
