/// Binomial scatter of ceil(m / p) each, then ring allgather.
///
///   p divides m    volume of the scatter m / p x sum of subtree sizes, of the allgather (p - 1) m
#include "kernels/collectives/parts.hpp"

namespace orrery::collectives::scatter_lr_allgather_bcast {

namespace {

Generator<Action> actions(const Task& task) {
  const Shares pieces = Shares::ceiling(task.ranks, task.elements());
  co_yield elements_of(binomial_scatter(task, pieces));
  co_yield elements_of(ring_allgather(task, pieces));
}

Cost cost(const Task& task) {
  if (task.elements() == 0 || task.elements() % task.ranks != 0) return {no_formula, no_formula, no_formula};
  Task shares = task;
  shares.shares = Shares::equal(task.ranks, task.elements() / task.ranks);
  const Cost scatter = binomial_cost(shares);
  const double p = task.ranks;
  return {scatter.messages + p * (p - 1.0), scatter.elements + (p - 1.0) * static_cast<double>(task.elements()),
          no_formula};
}

const bool entered = enter({Operation::bcast}, {
                                                   .name = "scatter_LR_allgather",
                                                   .summary = "binomial scatter, then ring allgather",
                                                   .source = "MPICH; Thakur, Rabenseifner & Gropp 2005, section 4.2",
                                                   .actions = actions,
                                                   .cost = cost,
                                               });

}  // namespace

}  // namespace orrery::collectives::scatter_lr_allgather_bcast
