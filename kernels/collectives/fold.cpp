#include "kernels/collectives/fold.hpp"

namespace orrery::collectives {

Window window(std::uint32_t corner, std::uint32_t bit, std::uint32_t size) {
  Window left{0, size};
  for (std::uint32_t b = 1; b <= bit && b < size; b *= 2) {
    const std::uint32_t middle = (left.begin + left.end) / 2;
    ((corner & b) != 0 ? left.begin : left.end) = middle;
  }
  return left;
}

std::uint32_t mirrored(std::uint32_t corner, std::uint32_t size) { return window(corner, size / 2, size).begin; }

Generator<Action> hand_over(const Task& task, Fold fold) {
  if (!fold.paired()) co_return;
  const Data vector = whole(task.shares);
  if (!fold.stays()) {
    co_yield send(fold.partner(), vector);
    co_return;
  }
  co_yield receive(fold.partner(), vector, scratch);
  co_yield combine(vector);
}

std::uint64_t received(const Task& task, Fold fold) {
  return fold.paired() ? task.elements() : (task.elements() + 1) / 2;
}

Generator<Action> halve(Fold fold, Shares pieces) {
  for (std::uint32_t bit = 1; bit < fold.size(); bit *= 2) {
    const Member peer = fold.member(fold.corner() ^ bit);
    const Window kept = window(fold.corner(), bit, fold.size()), given = window(fold.corner() ^ bit, bit, fold.size());
    const Data in = shares_between(pieces, kept.begin, kept.end);
    co_yield exchange(peer, shares_between(pieces, given.begin, given.end), peer, in, scratch);
    co_yield combine(in);
  }
}

}  // namespace orrery::collectives
