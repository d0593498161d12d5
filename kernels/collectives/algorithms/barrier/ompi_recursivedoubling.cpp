/// Recursive doubling: pairs that differ in bit k signal each other; members beyond a power of two signal one below it
/// first and are released last.
///
///   p = 2^k       messages p k              longest chain k
///   p = 2^k + r   messages 2^k k + 2 r      longest chain k + 1, or k + 2 when r > 2^k / 2
///
/// A member beyond the power of two waits for its release within the same exchange that announces it (Open MPI).
#include "kernels/collectives/fold.hpp"

namespace orrery::collectives::ompi_recursivedoubling_barrier {

namespace {

Generator<Action> actions(const Task& task) {
  const std::uint32_t cube = power_below(task.ranks), surplus = task.ranks - cube;
  if (task.me >= cube) {
    co_yield exchange(task.me - cube, nothing(), task.me - cube, nothing());
    co_return;
  }
  if (task.me < surplus) co_yield receive(task.me + cube, nothing());
  for (std::uint32_t bit = 1; bit < cube; bit *= 2)
    co_yield exchange(task.me ^ bit, nothing(), task.me ^ bit, nothing());
  if (task.me < surplus) co_yield send(task.me + cube, nothing());
}

Cost cost(const Task& task) {
  const double cube = power_below(task.ranks), rounds = log2_above(power_below(task.ranks));
  const double surplus = task.ranks - cube;
  return {cube * rounds + 2.0 * surplus, 0.0, folded_rounds(task.ranks)};
}

const bool entered = enter({Operation::barrier}, {.name = "ompi_recursivedoubling",
                                                  .summary = "recursive doubling",
                                                  .source = "Open MPI recursive_doubling",
                                                  .actions = actions,
                                                  .cost = cost});

}  // namespace

}  // namespace orrery::collectives::ompi_recursivedoubling_barrier
