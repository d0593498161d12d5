/// Chain from member 0 in segments of 8 KiB, all receives posted at the beginning; another root first sends the message
/// to member 0.
///
///   messages        (p - 1) n + [root is not 0]
///   volume          (p - 1) m + [root is not 0] m
///   longest chain   p - 1 + [root is not 0]
///
/// Differs  SMPI broadcasts what is left after whole segments by a collective of its own; here it is the last segment
#include "kernels/collectives/pipeline.hpp"

namespace orrery::collectives::ntsl_bcast {

namespace {

Generator<Action> actions(const Task& task) {
  co_yield elements_of(hand_to_first(task));
  co_yield elements_of(broadcast_posted(chains(from_first(task), 1), segments_of(task, 8_KiB)));
}

Cost cost(const Task& task) {
  return handed_to_first(task, tree_cost(task, segments_of(task, 8_KiB), task.ranks - 1.0));
}

const bool entered = enter({Operation::bcast}, {
                                                   .name = "NTSL",
                                                   .summary = "chain from member 0, in segments of 8 KiB",
                                                   .source = "Patarasuk, Yuan & Faraj, JPDC 68(6), 2008 (SMPI 'NTSL')",
                                                   .actions = actions,
                                                   .cost = cost,
                                               });

}  // namespace

}  // namespace orrery::collectives::ntsl_bcast
