/// k-nomial tree of radix 4 with whole messages: all children of one level at the same time, then those of the next.
///
///   messages p - 1     volume (p - 1) m     longest chain: most non-zero base-4 digits in any d < p
#include "kernels/collectives/tree.hpp"

namespace orrery::collectives::mvapich2_knomial_intra_node_bcast {

namespace {

constexpr std::uint32_t radix = 4;

Generator<Action> actions(const Task& task) {
  const Tree tree = knomial(task, radix);
  const Data message = whole(task.shares);
  if (!tree.is_root) co_yield receive(tree.parent, message);
  const std::uint64_t distance = task.distance();
  std::uint64_t level = 1;
  while (level < task.ranks && distance % (level * radix) == 0) level *= radix;
  for (level /= radix; level > 0; level /= radix) {
    for (std::uint32_t digit = 1; digit < radix; ++digit)
      if (distance + digit * level < task.ranks)
        co_yield start_send(digit, task.from_root(distance + digit * level), message);
    co_yield wait_all();
  }
}

Cost cost(const Task& task) {
  const double others = task.ranks - 1;
  return {others, others * static_cast<double>(task.elements()), static_cast<double>(knomial_depth(task.ranks, radix))};
}

const bool entered = enter({Operation::bcast}, {
                                                   .name = "mvapich2_knomial_intra_node",
                                                   .summary = "k-nomial tree of radix 4, level by level",
                                                   .source = "MVAPICH2 (SMPI's stand-in for Open MPI knomial)",
                                                   .actions = actions,
                                                   .cost = cost,
                                               });

}  // namespace

}  // namespace orrery::collectives::mvapich2_knomial_intra_node_bcast
