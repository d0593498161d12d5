/// Binomial tree, nearest child first, segmented on request: in round i the distances below 2^i send to d + 2^i.
///
///   messages (p - 1) n     volume (p - 1) m     longest chain: most bits set in any d < p
#include "kernels/collectives/pipeline.hpp"

namespace orrery::collectives::ompi_binomial_bcast {

namespace {

Segments segments(const Task& task) { return unsegmented(task); }

Generator<Action> actions(const Task& task) { return broadcast_ahead(binomial_high(task), segments(task)); }

Cost cost(const Task& task) { return tree_cost(task, segments(task), knomial_depth(task.ranks)); }

const bool entered =
    enter({Operation::bcast}, {
                                  .name = "ompi_binomial",
                                  .summary = "binomial tree, nearest child first",
                                  .source = "Open MPI binomial (not in SMPI, which takes binomial_tree)",
                                  .actions = actions,
                                  .cost = cost,
                              });

}  // namespace

}  // namespace orrery::collectives::ompi_binomial_bcast
