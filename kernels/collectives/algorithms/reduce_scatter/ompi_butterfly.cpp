/// Butterfly: corners of a hypercube exchange halves, nearest first, which keeps operands in order. The corner with a
/// finished share is found by reversing the bits of its number, and sends the share to its owner.
///
///   p = 2^k    messages p k + p - 2^ceil(k / 2)     longest chain k + 1
#include "kernels/collectives/fold.hpp"

namespace orrery::collectives::ompi_butterfly_reduce_scatter {

namespace {

Generator<Action> actions(const Task& task) {
  const Fold fold(task.ranks, task.me, /*even_stays=*/false);
  const std::uint64_t all = task.elements();
  const Action buffers = allocate({all, all}, all + received(task, fold));
  co_yield buffers;
  co_yield rearrange(task.elements());
  co_yield elements_of(hand_over(task, fold));
  if (!fold.stays()) {
    co_yield receive(fold.member(mirrored(fold.corner(), fold.size())), share(task.shares, task.me));
    co_return;
  }
  std::uint32_t first = 0;
  for (std::uint32_t bit = 1, half = fold.size() / 2; half > 0; bit *= 2, half /= 2) {
    const Member peer = fold.member(fold.corner() ^ bit);
    const bool upper = (fold.corner() & bit) != 0;
    const std::uint32_t kept = upper ? first + half : first, given = upper ? first : first + half;
    const Data in = shares_between(task.shares, fold.first_share(kept), fold.first_share(kept + half));
    co_yield exchange(peer, shares_between(task.shares, fold.first_share(given), fold.first_share(given + half)), peer,
                      in, scratch);
    co_yield combine(in);
    first = kept;
  }
  const Member owner = fold.member(first);
  if (first < fold.surplus()) co_yield send(owner - 1, share(task.shares, owner - 1));
  if (owner != task.me) co_yield exchange(owner, share(task.shares, owner), owner, share(task.shares, task.me));
}

Cost cost(const Task& task) {
  if (!power_of_two(task.ranks)) return {no_formula, no_formula, no_formula};
  const double p = task.ranks, rounds = log2_above(task.ranks);
  Cost cost{p * rounds, (p - 1.0) * static_cast<double>(task.elements()), rounds + (task.ranks > 2 ? 1.0 : 0.0)};
  for (Member m = 0; m < task.ranks; ++m)
    if (mirrored(m, task.ranks) != m) {
      cost.messages += 1.0;
      cost.elements += static_cast<double>(task.shares.size(m));
    }
  return cost;
}

const bool entered =
    enter({Operation::reduce_scatter}, {.name = "ompi_butterfly",
                                        .summary = "butterfly: recursive halving in order, then a permutation",
                                        .source = "Traeff, EuroPVM/MPI 2005; Open MPI butterfly",
                                        .actions = actions,
                                        .cost = cost,
                                        .ordered = true});

}  // namespace

}  // namespace orrery::collectives::ompi_butterfly_reduce_scatter
