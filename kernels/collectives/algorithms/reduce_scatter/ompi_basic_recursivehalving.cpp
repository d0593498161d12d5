/// Recursive halving: corners of a hypercube exchange halves of their remaining part, farthest first. Members beyond a
/// power of two first send their vectors to others and get their shares last.
///
///   p = 2^k    messages p k     volume (p - 1) total     longest chain k
#include "kernels/collectives/fold.hpp"

namespace orrery::collectives::ompi_basic_recursivehalving_reduce_scatter {

namespace {

Generator<Action> actions(const Task& task) {
  const Fold fold(task.ranks, task.me, /*even_stays=*/false);
  const std::uint64_t all = task.elements();
  const Action buffers = allocate({all, all}, all + received(task, fold));
  co_yield buffers;
  co_yield rearrange(task.elements());
  co_yield elements_of(hand_over(task, fold));
  if (!fold.stays()) {
    if (task.shares.size(task.me) > 0) co_yield receive(fold.partner(), share(task.shares, task.me));
    co_return;
  }
  const auto corners = [&](std::uint32_t first, std::uint32_t last) {
    return shares_between(task.shares, fold.first_share(first), fold.first_share(last));
  };
  std::uint32_t first = 0;
  for (std::uint32_t half = fold.size() / 2; half > 0; half /= 2) {
    const Member peer = fold.member(fold.corner() ^ half);
    const bool upper = (fold.corner() & half) != 0;
    const Data low = corners(first, first + half), high = corners(first + half, first + 2 * half);
    const Data kept = upper ? high : low, given = upper ? low : high;
    if (kept.elements > 0) co_yield start_receive(0, peer, kept, scratch);
    if (given.elements > 0) co_yield send(peer, given);
    if (kept.elements > 0) {
      co_yield wait(0);
      co_yield combine(kept);
    }
    if (upper) first += half;
  }
  co_yield rearrange(task.shares.size(task.me));
  if (fold.paired() && task.shares.size(fold.partner()) > 0)
    co_yield send(fold.partner(), share(task.shares, fold.partner()));
}

Cost cost(const Task& task) {
  if (!power_of_two(task.ranks)) return {no_formula, no_formula, no_formula};
  const double p = task.ranks, rounds = log2_above(task.ranks), elements = static_cast<double>(task.elements());
  for (Member m = 0; m < task.ranks; ++m)  // empty halves are not sent
    if (task.shares.size(m) == 0) return {no_formula, (p - 1.0) * elements, no_formula};
  return {p * rounds, (p - 1.0) * elements, rounds};
}

const bool entered = enter({Operation::reduce_scatter}, {
                                                            .name = "ompi_basic_recursivehalving",
                                                            .summary = "recursive halving",
                                                            .source = "Open MPI recursive_halving",
                                                            .actions = actions,
                                                            .cost = cost,
                                                        });

}  // namespace

}  // namespace orrery::collectives::ompi_basic_recursivehalving_reduce_scatter
