// Back substitution (HPL_pdtrsv), last block first. n rows remain above the present block, which has width kb.
//
//   first    the right-hand side moves from its process column to that of column N-1, if they differ
//   block    its owner solves it (dtrsv kb) and it runs up the process column, a ring of P-1 messages of 8 kb;
//            each process there multiplies its rows of the last min(n, (Q-1) NB) (dgemv) and sends them to the next
//            process column, which adds them (daxpy) and solves the next block; the other rows follow (dgemv)
//   last     the last block goes down a binary tree of its process column
#include <algorithm>

#include "kernels/hpl/steps.hpp"
#include "kernels/hpl/work.hpp"

namespace orrery::hpl {

namespace {

/// The block being solved, and what a process knows of the rows above it.
struct Block {
  std::uint32_t row = 0, column = 0, width = 0;  ///< of the process that owns it; kb
  std::uint32_t above = 0;                       ///< n: rows of the matrix above it
  std::uint32_t mine = 0;                        ///< my rows of those
  std::uint32_t urgent = 0;                      ///< and of the last min(n, (Q-1) NB) of them

  Block(const GridPosition& place, std::uint32_t k) {
    const Plan& plan = place.plan;
    row = k % plan.p;
    column = k % plan.q;
    above = k * plan.block;
    width = std::min(plan.block, plan.order - above);
    mine = numroc(above, plan.block, place.row, plan.p);
    const std::uint32_t span = std::min(above, std::max(plan.q - 1, 1u) * plan.block), first = above - span;
    urgent = numroc(span, plan.block, ring_distance(first / plan.block % plan.p, place.row, plan.p), plan.p);
  }
};

Generator<Step> move_right_hand_side(const GridPosition& place) {
  const Plan& plan = place.plan;
  const std::uint32_t rows = numroc(plan.order, plan.block, place.row, plan.p);
  const std::uint32_t from = plan.order / plan.block % plan.q, to = (plan.order - 1) / plan.block % plan.q;
  if (from == to || rows == 0) co_return;
  if (place.column == from) co_yield send(place.at(place.row, to), doubles(rows), move_tag);
  if (place.column == to) co_yield recv(place.at(place.row, from), doubles(rows), move_tag);
}

/// What the column of a solved block does with it.
Generator<Step> use_block(const GridPosition& place, const Block& block, const Block& next) {
  const Plan& plan = place.plan;
  const bool owner = place.row == block.row, last = place.row == (block.row + 1) % plan.p;
  const Rank up = place.at((place.row + plan.p - 1) % plan.p, place.column);
  const Rank below = place.at((place.row + 1) % plan.p, place.column);
  if (owner && plan.p > 1) co_yield send(up, doubles(block.width), solution_tag);
  if (!owner) co_yield recv(below, doubles(block.width), solution_tag);
  if (any(place, block.urgent, block.width)) co_yield dgemv(block.urgent, block.width);
  if (block.urgent > 0 && plan.q > 1)
    co_yield send(place.at(place.row, next.column), doubles(block.urgent), partial_tag);
  if (!owner && !last) co_yield send(up, doubles(block.width), solution_tag);
}

}  // namespace

Generator<Step> solve(const GridPosition& place) {
  const Plan& plan = place.plan;
  co_yield elements_of(move_right_hand_side(place));
  Block block(place, plan.panels() - 1);
  const auto owns = [&](const Block& b) { return place.row == b.row && place.column == b.column; };
  if (owns(block) && any(place, block.width)) co_yield dtrsv(block.width);
  for (std::uint32_t k = plan.panels() - 1; k > 0; --k) {
    const Block next(place, k - 1);
    if (place.column == block.column) {
      co_yield elements_of(use_block(place, block, next));
    } else if (place.column == next.column && block.urgent > 0) {
      co_yield recv(place.at(place.row, block.column), doubles(block.urgent), partial_tag);
      if (any(place, block.urgent)) co_yield daxpy(block.urgent);
    }
    if (owns(next) && any(place, next.width)) co_yield dtrsv(next.width);
    if (place.column == block.column && any(place, block.mine - block.urgent, block.width))
      co_yield dgemv(block.mine - block.urgent, block.width);
    block = next;
  }
  if (place.column != block.column) co_return;
  for (Tree tree(ring_distance(block.row, place.row, plan.p), plan.p); !tree.done(); tree.advance()) {
    const Rank peer = place.down(block.row, tree.partner());
    if (tree.receives()) co_yield recv(peer, doubles(block.width), last_tag);
    if (tree.sends()) co_yield send(peer, doubles(block.width), last_tag);
  }
}

}  // namespace orrery::hpl
