// HPL's pivot exchange (HPL_pdmxswp): for one column of a panel, the P processes of its column agree on the pivot and
// learn both rows that are exchanged. Distances d are counted from the row that holds the diagonal block.
//
//   c  = 8 (jb + 4) bytes    the candidate: value, place and row of the panel
//   c0 = 8 (2 jb + 4)        and the row that gives way to it, from those who have it
//
//   P = 2^h            stage s = 0 .. h-1: with partner d xor 2^s; c0 from d < 2^s, else c        P h messages
//   otherwise, p2 < P the greatest power of two: d >= p2 first send c to d - p2 (and d = p2 gets the row, 8 jb, from
//                      d = 0); the hypercube of p2; the row down a binary tree among the others; c back to them
//
// If collapsed, one exchange stands for all columns: every message is a train of as many messages as there are columns.
#include <bit>

#include "kernels/hpl/steps.hpp"

namespace orrery::hpl {

namespace {

struct Exchange {
  const GridPosition& place;
  const Panel& panel;
  std::uint32_t columns;

  Rank peer(std::uint32_t distance) const { return place.down(panel.row, distance); }
  Bytes candidate() const { return doubles(panel.jb + 4.0); }
  Bytes with_row() const { return doubles(2.0 * panel.jb + 4.0); }
  Bytes row() const { return doubles(panel.jb); }
  Step send_to(std::uint32_t distance, Bytes message) const {
    return Send{peer(distance), message, pivot_tag, world, columns};
  }
  Step receive_from(std::uint32_t distance, Bytes message) const { return recv(peer(distance), message, pivot_tag); }
  Step post_from(std::uint32_t distance, Bytes message) const {
    return irecv(peer(distance), message, pivot_tag, exchange_request);
  }
};

/// Processes beyond the greatest power of two hand their candidates in; the first of them gets the row.
Generator<Step> hand_in(const Exchange exchange, std::uint32_t power) {
  const std::uint32_t me = exchange.panel.from_row, partner = me ^ power;
  const bool beyond = me >= power;
  if (me == 0 || me == power) {
    co_yield exchange.post_from(partner, beyond ? exchange.row() : exchange.candidate());
    co_yield exchange.send_to(partner, beyond ? exchange.candidate() : exchange.row());
    co_yield wait(exchange_request);
  } else if (beyond) {
    co_yield exchange.send_to(partner, exchange.candidate());
  } else {
    co_yield exchange.receive_from(partner, exchange.candidate());
  }
}

Generator<Step> share_row(const Exchange exchange, std::uint32_t power) {
  for (Tree tree(exchange.panel.from_row - power, exchange.place.plan.p - power); !tree.done(); tree.advance()) {
    if (tree.receives()) co_yield exchange.receive_from(power + tree.partner(), exchange.row());
    if (tree.sends()) co_yield exchange.send_to(power + tree.partner(), exchange.row());
  }
}

}  // namespace

Generator<Step> exchange_pivots(const GridPosition& place, const Panel& panel, std::uint32_t columns) {
  const std::uint32_t processes = place.plan.p, power = std::bit_floor(processes), me = panel.from_row;
  const Exchange exchange{place, panel, columns};
  const bool paired = power != processes && (me ^ power) < processes;
  if (paired) co_yield elements_of(hand_in(exchange, power));
  for (std::uint32_t bit = 1; me < power && bit < power; bit *= 2) {
    const std::uint32_t partner = me ^ bit;
    co_yield exchange.post_from(partner, partner < bit ? exchange.with_row() : exchange.candidate());
    co_yield exchange.send_to(partner, me < bit ? exchange.with_row() : exchange.candidate());
    co_yield wait(exchange_request);
  }
  if (me >= power) co_yield elements_of(share_row(exchange, power));
  if (!paired) co_return;
  if (me >= power)
    co_yield exchange.receive_from(me ^ power, exchange.candidate());
  else
    co_yield exchange.send_to(me ^ power, exchange.candidate());
}

}  // namespace orrery::hpl
