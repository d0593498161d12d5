/// Two members signal each other. For more: dissemination.
///
///   messages 2     longest chain 1
#include "kernels/collectives/algorithm.hpp"

namespace orrery::collectives::ompi_two_procs_barrier {

namespace {

Generator<Action> actions(const Task& task) { co_yield exchange(1 - task.me, nothing(), 1 - task.me, nothing()); }

Cost cost(const Task&) { return {2.0, 0.0, 1.0}; }

std::string_view instead(const Task& task) { return task.ranks == 2 ? "" : "ompi_bruck"; }

const bool entered = enter({Operation::barrier}, {.name = "ompi_two_procs",
                                                  .summary = "one exchange between two members",
                                                  .source = "Open MPI two_proc; for more members: ompi_bruck",
                                                  .actions = actions,
                                                  .cost = cost,
                                                  .instead = instead});

}  // namespace

}  // namespace orrery::collectives::ompi_two_procs_barrier
