/// Bruck: a block that must travel i members forward takes the steps 2^k of i's bits. In round k every member sends on
/// all blocks that still need the step 2^k.
///
///   messages p ceil(log2 p)     longest chain ceil(log2 p)
///   volume      sum over k of p x (number of i < p with bit k) blocks
///   copies      all blocks at the beginning and at the end (rotations), and three times the blocks of each round:
///               packed, unpacked and put with the others
///   datatypes   one in each round: MPI libraries make one of the blocks, and free it
#include "kernels/collectives/alltoall.hpp"

namespace orrery::collectives::bruck_alltoall {

namespace {

std::uint64_t blocks_with(std::uint64_t bit, std::uint64_t p) {
  const std::uint64_t rest = p % (2 * bit);
  return p / (2 * bit) * bit + (rest > bit ? rest - bit : 0);
}

/// The blocks that `holder` sends on in the round of `bit`: those of i with that bit, which have made the lower steps.
Data travelling(const Task& task, Member holder, std::uint64_t bit) {
  return {.elements = blocks_with(bit, task.ranks) * task.pairs(0, 0),
          .a = holder,
          .b = bit,
          .c = task.ranks,
          .list = [](const Data& data, Data::Parts& parts) {
            const std::uint64_t p = data.c;
            for (std::uint64_t i = data.b; i < p; ++i) {
              if ((i & data.b) == 0) continue;
              const std::uint64_t made = i & (data.b - 1), from = (data.a + p - made) % p;
              parts.emplace_back(from * p + (from + i) % p, 1);
            }
          }};
}

Generator<Action> actions(const Task& task) {
  const std::uint64_t p = task.ranks, all = p * task.pairs(0, 0);
  const Action buffer = allocate({all});
  co_yield buffer;
  co_yield rearrange(all);
  for (std::uint64_t bit = 1; bit < p; bit *= 2) {
    const auto to = static_cast<Member>((task.me + bit) % p), from = static_cast<Member>((task.me + p - bit) % p);
    const Data blocks = travelling(task, task.me, bit);
    co_yield describe(blocks_with(bit, p));
    co_yield rearrange(blocks.elements);
    co_yield exchange(to, blocks, from, travelling(task, from, bit));
    co_yield rearrange(2 * blocks.elements);
  }
  co_yield rearrange(all);
}

Cost cost(const Task& task) {
  const double p = task.ranks, rounds = log2_above(task.ranks);
  double blocks = 0.0;
  for (std::uint64_t bit = 1; bit < task.ranks; bit *= 2) blocks += static_cast<double>(blocks_with(bit, task.ranks));
  return {p * rounds, p * blocks * static_cast<double>(task.pairs(0, 0)), rounds};
}

const bool entered = enter({Operation::alltoall}, {
                                                      .name = "bruck",
                                                      .summary = "Bruck: store and forward, log2 p rounds",
                                                      .source = "Bruck et al., IEEE TPDS 8(11), 1997; MPICH",
                                                      .actions = actions,
                                                      .cost = cost,
                                                  });

}  // namespace

}  // namespace orrery::collectives::bruck_alltoall
