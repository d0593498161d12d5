/// Linear: the root receives one vector after another, from the last member to the first.
///
///   messages p - 1     volume (p - 1) m     longest chain 1
#include "kernels/collectives/algorithm.hpp"

namespace orrery::collectives::ompi_basic_linear_reduce {

namespace {

Generator<Action> actions(const Task& task) {
  const Data vector = whole(task.shares);
  if (task.me != task.root) {
    co_yield send(task.root, vector);
    co_return;
  }
  const Action buffer = allocate({task.elements()});
  co_yield buffer;
  if (task.root + 1 == task.ranks) co_yield rearrange(task.elements());
  const Buffer sum = scratch, arriving = scratch + 1;
  for (Member next = task.ranks; next-- > 0;) {
    const bool first = next + 1 == task.ranks;
    if (next != task.me) co_yield receive(next, vector, first ? sum : arriving);
    if (first && next == task.me) co_yield copy(vector, mine, sum);
    if (!first) co_yield combine(vector, next == task.me ? mine : arriving, sum);
  }
  co_yield copy(vector, sum, mine);
}

Cost cost(const Task& task) {
  const double others = task.ranks - 1;
  return {others, others * static_cast<double>(task.elements()), 1.0};
}

const bool entered = enter({Operation::reduce}, {.name = "ompi_basic_linear",
                                                 .summary = "linear: the root receives one after another",
                                                 .source = "Open MPI basic_linear",
                                                 .actions = actions,
                                                 .cost = cost,
                                                 .ordered = true});

}  // namespace

}  // namespace orrery::collectives::ompi_basic_linear_reduce
