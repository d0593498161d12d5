/// Recursive doubling: in round k members whose numbers differ in bit k exchange the shares they have. Where a member
/// has no such partner, those of its subtree that had one pass on what they got.
///
///   p = 2^k    messages p k     volume (p - 1) total     longest chain k
#include "kernels/collectives/parts.hpp"

namespace orrery::collectives {

namespace {

Generator<Action> actions(const Task& task) { return doubling_allgather(task, task.shares); }

const bool entered =
    enter({Operation::allgather}, {
                                      .name = "rdb",
                                      .summary = "recursive doubling",
                                      .source = "MPICH; Thakur, Rabenseifner & Gropp 2005, section 4.1",
                                      .actions = actions,
                                  });
const bool entered_v =
    enter({Operation::allgatherv}, {
                                       .name = "mpich_rdb",
                                       .summary = "recursive doubling",
                                       .source = "MPICH; Thakur, Rabenseifner & Gropp 2005, section 4.1",
                                       .actions = actions,
                                   });

}  // namespace

}  // namespace orrery::collectives
