/// One chain towards the root, in segments of 1, 32 or 64 KiB: the rule of Open MPI before 4.1, which SMPI keeps.
///
///   messages (p - 1) n     volume (p - 1) m     longest chain p - 1
#include "kernels/collectives/pipeline.hpp"

namespace orrery::collectives::ompi_pipeline_reduce {

namespace {

Segments segments(const Task& task) {
  const double message = static_cast<double>(task.elements()) * task.element.si();
  if (task.ranks > 0.0410 / 1024.0 * message + 9.7128) return segments_of(task, 1_KiB);
  return segments_of(task, task.ranks > 0.0033 / 1024.0 * message + 1.6761 ? 32_KiB : 64_KiB);
}

Generator<Action> actions(const Task& task) { return reduce_ahead(chains(task, 1), segments(task)); }

Cost cost(const Task& task) { return tree_cost(task, segments(task), task.ranks - 1); }

const bool entered = enter({Operation::reduce}, {
                                                    .name = "ompi_pipeline",
                                                    .summary = "chain, in segments of 1 to 64 KiB",
                                                    .source = "Open MPI pipeline",
                                                    .actions = actions,
                                                    .cost = cost,
                                                });

}  // namespace

}  // namespace orrery::collectives::ompi_pipeline_reduce
