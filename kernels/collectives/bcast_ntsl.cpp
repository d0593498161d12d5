/// Chain from member 0 in segments of 8 KiB, all receives posted at once; another root first sends member 0 the
/// message.
///
///   messages (p - 1) n + [root is not 0]     volume: (p - 1) m + [root is not 0] m     longest chain p - 1 + [root is
///   not 0]
///
/// Differs  SMPI broadcasts what is left after whole segments by a collective of its own; here it is the last segment
#include "kernels/collectives/pipeline.hpp"

namespace orrery::collectives {

namespace {

Task from_first(const Task& task) {
  Task shifted = task;
  shifted.root = 0;
  return shifted;
}

Generator<Action> actions(const Task& task) {
  if (task.root != 0) {
    if (task.me == task.root) co_yield send(0, whole(task.shares));
    if (task.me == 0) co_yield receive(task.root, whole(task.shares));
  }
  co_yield elements_of(broadcast_posted(chains(from_first(task), 1), segments_of(task, 8_KiB)));
}

Cost cost(const Task& task) {
  Cost cost = tree_cost(task, segments_of(task, 8_KiB), task.ranks - 1.0);
  if (task.root == 0) return cost;
  return {cost.messages + 1.0, cost.elements + static_cast<double>(task.elements()), cost.rounds + 1.0};
}

const bool entered = enter({Operation::bcast}, {
                                                   .name = "NTSL",
                                                   .summary = "chain from member 0, in segments of 8 KiB",
                                                   .source = "Patarasuk, Yuan & Faraj, JPDC 68(6), 2008 (SMPI 'NTSL')",
                                                   .actions = actions,
                                                   .cost = cost,
                                               });

}  // namespace

}  // namespace orrery::collectives
