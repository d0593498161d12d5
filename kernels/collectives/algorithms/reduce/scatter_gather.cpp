/// Rabenseifner: recursive halving gives each corner of a hypercube a reduced share, which a binomial tree gathers.
///
///   p = 2^k    messages p k + p - 1     volume (p - 1) m + k m / 2 for equal shares     longest chain 2 k
///
/// Members beyond a power of two first send their vectors to others. If the root is one of them, member 0 gives it its
/// share and its place in the gathering.
#include "kernels/collectives/fold.hpp"

namespace orrery::collectives::scatter_gather_reduce {

namespace {

Generator<Action> actions(const Task& task) {
  const Fold fold(task.ranks, task.me, /*even_stays=*/true);
  const Shares pieces = Shares::balanced(fold.size(), task.elements());
  const bool root_handed_over = task.root < 2 * fold.surplus() && task.root % 2 == 1;
  co_yield rearrange(task.elements());
  const std::uint64_t all = task.elements(), result = task.me == task.root ? 0 : all;
  const Action buffers = allocate({all, result}, result + received(task, fold));
  co_yield buffers;
  co_yield elements_of(hand_over(task, fold));
  if (fold.stays()) co_yield elements_of(halve(fold, pieces));
  std::uint32_t corner = fold.corner();
  if (root_handed_over) {
    if (task.me == 0) {
      co_yield send(task.root, share(pieces, 0));
      co_return;
    }
    if (task.me == task.root) {
      co_yield receive(0, share(pieces, 0));
      corner = 0;
    }
  }
  if (!fold.stays() && task.me != task.root) co_return;
  const std::uint32_t goal = root_handed_over ? 0 : Fold(task.ranks, task.root, true).corner();
  const auto member = [&](std::uint32_t c) { return c == 0 && root_handed_over ? task.root : fold.member(c); };
  for (std::uint32_t bit = fold.size() / 2; bit > 0; bit /= 2) {
    const std::uint32_t other = corner ^ bit;
    const Window kept = window(corner, bit, fold.size());
    if (((corner ^ goal) & bit) != 0) {
      co_yield send(member(other), shares_between(pieces, kept.begin, kept.end));
      co_return;
    }
    const Window gained = window(other, bit, fold.size());
    co_yield receive(member(other), shares_between(pieces, gained.begin, gained.end));
  }
}

Cost cost(const Task& task) {
  if (!power_of_two(task.ranks) || task.elements() % task.ranks != 0) return {no_formula, no_formula, no_formula};
  const double p = task.ranks, rounds = log2_above(task.ranks), elements = static_cast<double>(task.elements());
  return {p * rounds + p - 1.0, (p - 1.0) * elements + rounds / 2.0 * elements, 2.0 * rounds};
}

std::string_view instead(const Task& task) { return task.elements() < power_below(task.ranks) ? "binomial" : ""; }

const bool entered =
    enter({Operation::reduce}, {.name = "scatter_gather",
                                .summary = "Rabenseifner: recursive halving, then binomial gather",
                                .source = "Rabenseifner 2004; MPICH; fewer elements than ranks: binomial",
                                .actions = actions,
                                .cost = cost,
                                .instead = instead});
const bool entered_ompi =
    enter({Operation::reduce}, {.name = "ompi_redscat_gather",
                                .summary = "Rabenseifner: recursive halving, then binomial gather",
                                .source = "Open MPI redscat_gather; fewer elements than ranks: ompi_basic_linear",
                                .actions = actions,
                                .cost = cost,
                                .instead = linear_below_cube});

}  // namespace

}  // namespace orrery::collectives::scatter_gather_reduce
