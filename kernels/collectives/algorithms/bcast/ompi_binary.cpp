/// Binary tree, segmented on request.
///
///   messages (p - 1) n     volume (p - 1) m     longest chain floor(log2 p)          n segments
#include "kernels/collectives/pipeline.hpp"

namespace orrery::collectives::ompi_binary_bcast {

namespace {

Segments segments(const Task& task) { return unsegmented(task); }

Generator<Action> actions(const Task& task) { return broadcast_ahead(binary_interleaved(task), segments(task)); }

Cost cost(const Task& task) { return tree_cost(task, segments(task), binary_depth(task.ranks)); }

const bool entered = enter({Operation::bcast}, {
                                                   .name = "ompi_binary",
                                                   .summary = "binary tree",
                                                   .source = "Open MPI binary_tree (not in SMPI, which takes NTSB)",
                                                   .actions = actions,
                                                   .cost = cost,
                                               });

}  // namespace

}  // namespace orrery::collectives::ompi_binary_bcast
