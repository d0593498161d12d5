/// p / 2 chains towards the root, in segments of 64 KiB.
///
///   messages (p - 1) n     volume (p - 1) m     longest chain ceil((p - 1) / max(1, floor(p / 2)))
#include <cmath>

#include "kernels/collectives/pipeline.hpp"

namespace orrery::collectives::ompi_chain_reduce {

namespace {

Segments segments(const Task& task) { return segments_of(task, 64_KiB); }

Generator<Action> actions(const Task& task) {
  return reduce_ahead(chains(task, std::min(task.ranks / 2, 32u)), segments(task));
}

Cost cost(const Task& task) {
  return tree_cost(task, segments(task), std::ceil((task.ranks - 1.0) / std::min(task.ranks / 2, 32u)));
}

const bool entered = enter({Operation::reduce}, {
                                                    .name = "ompi_chain",
                                                    .summary = "p / 2 chains, in segments of 64 KiB",
                                                    .source = "Open MPI chain (at most 32 chains)",
                                                    .actions = actions,
                                                    .cost = cost,
                                                });

}  // namespace

}  // namespace orrery::collectives::ompi_chain_reduce
