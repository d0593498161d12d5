/// k-nomial tree of radix 4, farthest children first, segmented on request.
///
///   messages (p - 1) n     volume (p - 1) m     longest chain: most non-zero base-4 digits in any d < p
#include "kernels/collectives/pipeline.hpp"

namespace orrery::collectives::ompi_knomial_bcast {

namespace {

Segments segments(const Task& task) { return unsegmented(task); }

Generator<Action> actions(const Task& task) { return broadcast_ahead(knomial(task, 4), segments(task)); }

Cost cost(const Task& task) { return tree_cost(task, segments(task), knomial_depth(task.ranks, 4)); }

const bool entered =
    enter({Operation::bcast}, {
                                  .name = "ompi_knomial",
                                  .summary = "k-nomial tree of radix 4",
                                  .source = "Open MPI knomial (not in SMPI, which takes mvapich2_knomial_intra_node)",
                                  .actions = actions,
                                  .cost = cost,
                              });

}  // namespace

}  // namespace orrery::collectives::ompi_knomial_bcast
