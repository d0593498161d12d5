/// Recursive doubling: in round k members whose numbers differ in bit k exchange their shares so far. A member without
/// such a partner gets the shares from members of its subtree that had one.
///
///   p = 2^k    messages p k     volume (p - 1) total     longest chain k
#include "kernels/collectives/parts.hpp"

namespace orrery::collectives::rdb_allgather {

namespace {

Generator<Action> actions(const Task& task) { return doubling_allgather(task, task.shares); }

Cost cost(const Task& task) {
  if (!power_of_two(task.ranks)) return {no_formula, no_formula, no_formula};
  const double p = task.ranks, rounds = log2_above(task.ranks);
  return {p * rounds, (p - 1.0) * static_cast<double>(task.elements()), rounds};
}

const bool entered =
    enter({Operation::allgather}, {
                                      .name = "rdb",
                                      .summary = "recursive doubling",
                                      .source = "MPICH; Thakur, Rabenseifner & Gropp 2005, section 4.1",
                                      .actions = actions,
                                      .cost = cost,
                                  });
const bool entered_v =
    enter({Operation::allgatherv}, {
                                       .name = "mpich_rdb",
                                       .summary = "recursive doubling",
                                       .source = "MPICH; Thakur, Rabenseifner & Gropp 2005, section 4.1",
                                       .actions = actions,
                                       .cost = cost,
                                   });

}  // namespace

}  // namespace orrery::collectives::rdb_allgather
