/// Recursive doubling: in round k members whose numbers differ in bit k exchange their vectors so far and combine them.
///
///   p = 2^k                messages p k              volume p k m              longest chain k
///   p = 2^k + r, r < 2^k   messages 2^k k + 2 r      volume (2^k k + 2 r) m    longest chain k + 1; k + 2 if 2 r > 2^k
#include "kernels/collectives/fold.hpp"

namespace orrery::collectives::rdb_allreduce {

namespace {

Generator<Action> actions(const Task& task) {
  const Data vector = whole(task.shares);
  const Fold fold(task.ranks, task.me, /*even_stays=*/false);
  co_yield rearrange(task.elements());
  const Action buffer = allocate({task.elements()});
  co_yield buffer;
  if (!fold.stays()) {
    co_yield send(fold.partner(), vector);
    co_yield receive(fold.partner(), vector);
    co_return;
  }
  if (fold.paired()) {
    co_yield receive(fold.partner(), vector, scratch);
    co_yield combine(vector);
  }
  for (std::uint32_t bit = 1; bit < fold.size(); bit *= 2) {
    const Member peer = fold.member(fold.corner() ^ bit);
    co_yield exchange(peer, vector, peer, vector, scratch);
    co_yield combine(vector);
  }
  if (fold.paired()) co_yield send(fold.partner(), vector);
}

Cost cost(const Task& task) {
  const double cube = power_below(task.ranks), rounds = log2_above(power_below(task.ranks));
  const double surplus = task.ranks - cube, messages = cube * rounds + 2.0 * surplus;
  return {messages, messages * static_cast<double>(task.elements()), folded_rounds(task.ranks)};
}

const bool entered = enter({Operation::allreduce}, {.name = "rdb",
                                                    .summary = "recursive doubling",
                                                    .source = "MPICH; Thakur, Rabenseifner & Gropp 2005, section 4.5",
                                                    .actions = actions,
                                                    .cost = cost,
                                                    .ordered = true});

}  // namespace

}  // namespace orrery::collectives::rdb_allreduce
