/// Scatters, gathers and allgathers that serve several operations. Piece i of a vector belongs to the member at
/// distance i from the root (in an allgather the root is member 0, so to member i).
#pragma once

#include "kernels/collectives/tree.hpp"

namespace orrery::collectives {

/// Down a binomial tree, farthest child first; empty pieces are not sent.
Generator<Action> binomial_scatter(const Task& task, Shares pieces);
/// Neighbours pass on the piece that they got last.
Generator<Action> ring_allgather(const Task& task, Shares pieces);
/// Recursive doubling for any number of members.
Generator<Action> doubling_allgather(const Task& task, Shares pieces);

/// Shares that belong to members, not to distances, down or up a binomial tree, nearest child first.
Generator<Action> binomial_scatter_near(const Task& task, Shares shares);
Generator<Action> binomial_scatter_far(const Task& task, Shares shares);  ///< likewise, farthest child first
Generator<Action> binomial_gather_near(const Task& task, Shares shares);
Cost binomial_cost(const Task& task);

/// Every share except the root's travels once, directly between owner and root.
Cost linear_cost(const Task& task);

}  // namespace orrery::collectives
