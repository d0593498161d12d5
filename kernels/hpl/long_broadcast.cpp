// 'long' and 'longM' (HPL_bcast_blong, HPL_bcast_blonM): the panel is scattered down a binary tree in n pieces of
// floor(len / n) numbers, the last one longer, and then rolled: n - 1 rounds in which neighbours exchange a piece.
//
//   long     n = Q                                            (Q-1) + Q messages
//   longM    0 -> 1 the whole panel; then the same among the n = Q-1 others and the root
//                                                             1 + (Q-2) + (Q-1)(Q-2) messages
//
// Round k: if d + k is even, d pairs with d + 1, else with d - 1; pieces move half a place a round. HPL's sends are
// synchronous here; the program has no synchronous sends, so pieces below the eager limit leave without waiting.
#include <algorithm>
#include <cmath>

#include "kernels/hpl/steps.hpp"

namespace orrery::hpl {

namespace {

struct Pieces {
  std::uint32_t n = 1;
  double total = 0.0, piece = 1.0;

  Pieces(const Panel& panel, std::uint32_t count) : n(count), total(panel.message() / doubles(1.0)) {
    piece = std::max(1.0, std::floor(total / n));
  }
  Bytes bytes(std::uint32_t first, std::uint32_t last) const {
    const double end = last == n ? total : std::min(total, last * piece);
    return doubles(std::max(0.0, end - first * piece));
  }
  Bytes bytes(std::uint32_t i) const { return bytes(i, i + 1); }
};

}  // namespace

Generator<Step> spread_panel(const GridPosition& place, const Panel& panel) {
  const bool modified = place.plan.broadcast == Broadcast::spread_modified;
  const std::uint32_t q = place.plan.q, n = modified ? q - 1 : q;
  const Tag tag = panel_tag(panel);
  if (modified) {
    if (panel.from_column == 0) co_yield send(place.along(panel.column, 1), panel.message(), tag);
    if (panel.from_column == 1) co_yield recv(place.along(panel.column, 0), panel.message(), tag);
    if (panel.from_column == 1 || q == 2) co_return;
  }
  // Places 0 .. n-1 of those who take part; with 'longM' the process after the root does not.
  const std::uint32_t me = modified && panel.from_column > 0 ? panel.from_column - 1 : panel.from_column;
  const auto peer = [&](std::uint32_t i) { return place.along(panel.column, modified && i > 0 ? i + 1 : i); };
  const Pieces pieces(panel, n);
  for (Tree tree(me, n); !tree.done(); tree.advance()) {
    const Bytes message = pieces.bytes(tree.first, tree.last());
    if (tree.receives()) co_yield recv(peer(tree.partner()), message, tag);
    if (tree.sends()) co_yield send(peer(tree.partner()), message, tag);
  }
  for (std::uint32_t round = 0; round + 1 < n; ++round) {
    const std::uint32_t half = round / 2;
    const bool back = (me + round) % 2 != 0;
    const std::uint32_t partner = (back ? me + n - 1 : me + 1) % n;
    const std::uint32_t mine = (back ? me + half : me + n - half) % n;
    const std::uint32_t theirs = (back ? me + n - half - 1 : me + half + 1) % n;
    co_yield isend(peer(partner), pieces.bytes(mine), tag, exchange_request);
    co_yield recv(peer(partner), pieces.bytes(theirs), tag);
    co_yield wait(exchange_request);
  }
}

}  // namespace orrery::hpl
