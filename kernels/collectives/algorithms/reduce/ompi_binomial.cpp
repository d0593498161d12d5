/// Binomial tree, in segments of 1 KiB if there are many members for the message size: the rule of Open MPI before 4.1,
/// which SMPI keeps.
///
///   messages (p - 1) n     volume (p - 1) m     longest chain: most bits set in any d < p
#include "kernels/collectives/pipeline.hpp"

namespace orrery::collectives::ompi_binomial_reduce {

namespace {

Segments segments(const Task& task) {
  const double message = static_cast<double>(task.elements()) * task.element.si();
  const bool few = (task.ranks < 8 && message < 20480.0) || message < 2048.0 || task.elements() <= 1;
  return few || task.ranks <= 0.6016 / 1024.0 * message + 1.3496 ? unsegmented(task) : segments_of(task, 1_KiB);
}

Generator<Action> actions(const Task& task) { return reduce_ahead(binomial_low(task), segments(task)); }

Cost cost(const Task& task) { return tree_cost(task, segments(task), knomial_depth(task.ranks)); }

const bool entered = enter({Operation::reduce}, {
                                                    .name = "ompi_binomial",
                                                    .summary = "binomial tree, in segments of 1 KiB on many ranks",
                                                    .source = "Open MPI binomial",
                                                    .actions = actions,
                                                    .cost = cost,
                                                });

}  // namespace

}  // namespace orrery::collectives::ompi_binomial_reduce
