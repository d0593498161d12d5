/// Rabenseifner: recursive halving gives each corner of a hypercube a reduced share; recursive doubling spreads them.
///
///   p = 2^k        messages 2 p k                  volume 2 (p - 1) m               longest chain 2 k
///   p = 2^k + r    messages 2^(k+1) k + 2 r        volume 2 (2^k - 1) m + 2 r m
#include "kernels/collectives/fold.hpp"

namespace orrery::collectives::rab_rdb_allreduce {

namespace {

Generator<Action> actions(const Task& task) {
  const Fold fold(task.ranks, task.me, /*even_stays=*/false);
  const Shares pieces = Shares::balanced(fold.size(), task.elements());
  co_yield rearrange(task.elements());
  const Action buffer = allocate({task.elements()}, received(task, fold));
  co_yield buffer;
  co_yield elements_of(hand_over(task, fold));
  if (fold.stays()) {
    co_yield elements_of(halve(fold, pieces));
    for (std::uint32_t bit = fold.size() / 2; bit > 0; bit /= 2) {
      const std::uint32_t other = fold.corner() ^ bit;
      const Window kept = window(fold.corner(), bit, fold.size()), gained = window(other, bit, fold.size());
      co_yield exchange(fold.member(other), shares_between(pieces, kept.begin, kept.end), fold.member(other),
                        shares_between(pieces, gained.begin, gained.end));
    }
    if (fold.paired()) co_yield send(fold.partner(), whole(task.shares));
  } else {
    co_yield receive(fold.partner(), whole(task.shares));
  }
}

Cost cost(const Task& task) {
  const double cube = power_below(task.ranks), surplus = task.ranks - cube,
               rounds = log2_above(power_below(task.ranks));
  const double elements = static_cast<double>(task.elements());
  return {2.0 * cube * rounds + 2.0 * surplus, (2.0 * (cube - 1.0) + 2.0 * surplus) * elements,
          2.0 * rounds + (surplus > 0.0 ? 2.0 : 0.0)};
}

std::string_view instead(const Task& task) { return task.elements() < power_below(task.ranks) ? "rdb" : ""; }

const bool entered =
    enter({Operation::allreduce}, {.name = "rab_rdb",
                                   .summary = "Rabenseifner: recursive halving, then recursive doubling",
                                   .source = "Rabenseifner 2004; MPICH; fewer elements than ranks: rdb",
                                   .actions = actions,
                                   .cost = cost,
                                   .instead = instead});
const bool entered_ompi = enter({Operation::allreduce},
                                {.name = "ompi_redscat_allgather",
                                 .summary = "Rabenseifner: recursive halving, then recursive doubling",
                                 .source = "Open MPI 4 redscat_allgather; fewer elements than ranks: ompi_basic_linear",
                                 .actions = actions,
                                 .cost = cost,
                                 .instead = linear_below_cube});

}  // namespace

}  // namespace orrery::collectives::rab_rdb_allreduce
