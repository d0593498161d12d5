/// Linear with synchronisation: the root requests one share after another, and waits for the first segment of each
/// before the next request.
///
///   messages 3 (p - 1), a third of them empty     volume: all shares but the root's     longest chain 2 (p - 1)
///
/// First segments hold 1 KiB, or 32 KiB for shares above 90 KiB.
#include "kernels/collectives/parts.hpp"

namespace orrery::collectives::ompi_linear_sync_gather {

namespace {

Data first_part(const Task& task, Member of) {
  const std::uint64_t size = task.shares.size(of);
  const Bytes usual = static_cast<double>(size) * task.element > Bytes{92160.0} ? 32_KiB : 1_KiB;
  return run(task.shares.begin(of), std::min(size, task.segment_or(usual)));
}
Data second_part(const Task& task, Member of) {
  const std::uint64_t first = first_part(task, of).elements;
  return run(task.shares.begin(of) + first, task.shares.size(of) - first);
}

Generator<Action> actions(const Task& task) {
  if (task.me != task.root) {
    co_yield receive(task.root, nothing());
    co_yield send(task.root, first_part(task, task.me));
    co_yield send(task.root, second_part(task, task.me));
    co_return;
  }
  for (Member other = 0; other < task.ranks; ++other) {
    if (other == task.root) continue;
    co_yield start_receive(task.ranks, other, first_part(task, other));
    co_yield send(other, nothing());
    co_yield start_receive(other, other, second_part(task, other));
    co_yield wait(task.ranks);
  }
  co_yield wait_all();
}

Cost cost(const Task& task) {
  Cost cost = linear_cost(task);
  return {3.0 * cost.messages, cost.elements, task.ranks > 1 ? 2.0 * (task.ranks - 1.0) : 0.0};
}

const bool entered = enter({Operation::gather}, {
                                                    .name = "ompi_linear_sync",
                                                    .summary = "linear: the root asks for one share after another",
                                                    .source = "Open MPI linear_sync",
                                                    .actions = actions,
                                                    .cost = cost,
                                                });

}  // namespace

}  // namespace orrery::collectives::ompi_linear_sync_gather
