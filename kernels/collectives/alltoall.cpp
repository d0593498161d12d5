#include "kernels/collectives/alltoall.hpp"

namespace orrery::collectives {

Cost direct_cost(const Task& task) {
  Cost cost{.rounds = 1.0};
  for (Member from = 0; from < task.ranks; ++from)
    for (Member to = 0; to < task.ranks; ++to) {
      if (from == to) continue;
      cost.messages += 1.0;
      cost.elements += static_cast<double>(task.pairs(from, to));
    }
  return cost;
}

Cost stepwise_cost(const Task& task) {
  Cost cost = direct_cost(task);
  cost.rounds = task.ranks - 1;
  return cost;
}

}  // namespace orrery::collectives
