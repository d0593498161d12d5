/// Binomial tree with whole messages: the member at distance d from the root has the message after as many rounds as d
/// has bits set, and passes it to d + 2^k for every k below its lowest set bit, farthest first.
///
///   messages p - 1     volume (p - 1) m     longest chain: most bits set in any d < p, at most ceil(log2 p)
#include <bit>

#include "kernels/collectives/algorithm.hpp"

namespace orrery::collectives::binomial_tree_bcast {

namespace {

Generator<Action> actions(const Task& task) {
  const Data message = whole(task.shares);
  const std::uint64_t distance = task.distance();
  std::uint64_t reach = 1;
  while (reach < task.ranks && (distance & reach) == 0) reach *= 2;
  if (distance > 0) co_yield receive(task.from_root(distance - reach), message);
  for (reach /= 2; reach > 0; reach /= 2)
    if (distance + reach < task.ranks) co_yield send(task.from_root(distance + reach), message);
}

Cost cost(const Task& task) {
  const double others = task.ranks - 1;
  // The greatest number of bits set below p: all but the leading one of p, or those of p - 1.
  int bits = 0;
  for (std::uint32_t d = task.ranks - 1, low = 0; low < 32; ++low)
    if ((d >> low) & 1u) bits = std::max(bits, std::popcount(d >> (low + 1)) + static_cast<int>(low));
  bits = std::max(bits, std::popcount(task.ranks - 1));
  return {others, others * static_cast<double>(task.elements()), static_cast<double>(bits)};
}

const bool entered = enter({Operation::bcast}, {.name = "binomial_tree",
                                                .summary = "binomial tree, unsegmented",
                                                .source = "MPICH; Thakur, Rabenseifner & Gropp 2005, section 4.2",
                                                .actions = actions,
                                                .cost = cost});

}  // namespace

}  // namespace orrery::collectives::binomial_tree_bcast
