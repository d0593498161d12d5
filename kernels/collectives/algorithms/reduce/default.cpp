/// Linear: the root posts all receives at the beginning and combines in rank order.
///
///   messages p - 1     volume (p - 1) m     longest chain 1
#include "kernels/collectives/algorithm.hpp"

namespace orrery::collectives::default_reduce {

namespace {

Generator<Action> actions(const Task& task) {
  const Data vector = whole(task.shares);
  if (task.me != task.root) {
    co_yield send(task.root, vector);
    co_return;
  }
  for (Member other = 0; other < task.ranks; ++other)
    if (other != task.me) co_yield start_receive(other, other, vector, scratch + other);
  for (Member other = 0; other < task.ranks; ++other)
    if (other != task.me) {
      co_yield wait(other);
      co_yield combine(vector, scratch + other);
    }
}

Cost cost(const Task& task) {
  const double others = task.ranks - 1;
  return {others, others * static_cast<double>(task.elements()), 1.0};
}

const bool entered = enter({Operation::reduce}, {
                                                    .name = "default",
                                                    .summary = "linear: all receives posted at once",
                                                    .source = "SMPI default (ireduce)",
                                                    .actions = actions,
                                                    .cost = cost,
                                                });

}  // namespace

}  // namespace orrery::collectives::default_reduce
