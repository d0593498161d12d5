/// Binary tree from member 0 in segments of 8 KiB, all receives posted at the beginning; another root first sends the
/// message to member 0.
///
///   messages        (p - 1) n + [root is not 0]
///   volume          (p - 1) m + [root is not 0] m
///   longest chain   floor(log2 p) + [root is not 0]
///
/// Differs  SMPI broadcasts what is left after whole segments by a collective of its own; here it is the last segment
#include "kernels/collectives/pipeline.hpp"

namespace orrery::collectives::ntsb_bcast {

namespace {

Generator<Action> actions(const Task& task) {
  co_yield elements_of(hand_to_first(task));
  co_yield elements_of(broadcast_posted(binary_heap(from_first(task)), segments_of(task, 8_KiB)));
}

Cost cost(const Task& task) {
  return handed_to_first(task, tree_cost(task, segments_of(task, 8_KiB), binary_depth(task.ranks)));
}

const bool entered = enter({Operation::bcast}, {
                                                   .name = "NTSB",
                                                   .summary = "binary tree from member 0, in segments of 8 KiB",
                                                   .source = "Patarasuk, Yuan & Faraj, JPDC 68(6), 2008 (SMPI 'NTSB')",
                                                   .actions = actions,
                                                   .cost = cost,
                                               });

}  // namespace

}  // namespace orrery::collectives::ntsb_bcast
