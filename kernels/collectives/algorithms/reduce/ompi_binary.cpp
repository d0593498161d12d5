/// Binary tree, in segments of 32 KiB.
///
///   messages (p - 1) n     volume (p - 1) m     longest chain floor(log2 p)
#include "kernels/collectives/pipeline.hpp"

namespace orrery::collectives::ompi_binary_reduce {

namespace {

Segments segments(const Task& task) { return segments_of(task, 32_KiB); }

Generator<Action> actions(const Task& task) { return reduce_ahead(binary_interleaved(task), segments(task)); }

Cost cost(const Task& task) { return tree_cost(task, segments(task), binary_depth(task.ranks)); }

const bool entered = enter({Operation::reduce}, {
                                                    .name = "ompi_binary",
                                                    .summary = "binary tree, in segments of 32 KiB",
                                                    .source = "Open MPI binary",
                                                    .actions = actions,
                                                    .cost = cost,
                                                });

}  // namespace

}  // namespace orrery::collectives::ompi_binary_reduce
