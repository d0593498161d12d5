/// Four chains towards the root, in segments of 64 KiB: Open MPI's chain with its default fan-out.
///
///   messages (p - 1) n     volume (p - 1) m     longest chain ceil((p - 1) / min(4, p - 1))
#include <algorithm>
#include <cmath>

#include "kernels/collectives/pipeline.hpp"

namespace orrery::collectives::ompi_chain_4_reduce {

namespace {

constexpr std::uint32_t fan_out = 4;

Segments segments(const Task& task) { return segments_of(task, 64_KiB); }

Generator<Action> actions(const Task& task) { return reduce_ahead(chains(task, fan_out), segments(task)); }

Cost cost(const Task& task) {
  return tree_cost(task, segments(task),
                   std::ceil((task.ranks - 1.0) / std::max(1u, std::min(fan_out, task.ranks - 1))));
}

const bool entered =
    enter({Operation::reduce}, {
                                   .name = "ompi_chain_4",
                                   .summary = "four chains, in segments of 64 KiB",
                                   .source = "Open MPI chain, coll_tuned_reduce_algorithm_chain_fanout = 4",
                                   .actions = actions,
                                   .cost = cost,
                               });

}  // namespace

}  // namespace orrery::collectives::ompi_chain_4_reduce
