#include "kernels/training-step/schedule.hpp"

#include <algorithm>

namespace orrery::training {

std::uint32_t Schedule::forward_first(std::uint32_t stage) const {
  const std::uint32_t all = micro_batches * chunks, after = stages - 1 - stage;
  if (chunks == 1) return std::min(all, after);
  return micro_batches == stages ? all : std::min(all, 2 * after + (chunks - 1) * stages);
}

std::uint32_t Schedule::under_way(std::uint32_t stage) const {
  return std::min(micro_batches * chunks, forward_first(stage) + 1);
}

Pass Schedule::pass(std::uint32_t stage, std::uint32_t i) const {
  const std::uint32_t all = micro_batches * chunks, first = forward_first(stage), in_turn = 2 * (all - first);
  Pass pass;
  std::uint32_t k = i;  // of the passes in this direction
  if (i >= first) {
    const std::uint32_t after = i - first;
    pass.backward = after >= in_turn || after % 2 == 1;
    k = after >= in_turn ? after - (all - first) : after / 2 + (pass.backward ? 0 : first);
  }
  if (chunks == 1) {
    pass.micro_batch = k;
    return pass;
  }
  const std::uint32_t round = stages * chunks, chunk = k % round / stages;
  pass.chunk = pass.backward ? chunks - 1 - chunk : chunk;
  pass.micro_batch = k / round * stages + k % stages;
  return pass;
}

}  // namespace orrery::training
