// Row swaps by binary exchange (HPL_pdlaswp00T): the jb rows U of the diagonal block's process row travel to every
// process row while the pivot rows W travel in the opposite direction. n columns; distances d from that process row.
//
//   U = 8 jb n bytes;  W(group) = 8 (n + 1) len(group), len: pivot rows found by the group so far
//   stage s, P = 2^h:  d < 2^s sends U to d + 2^s, which answers with W;  all others exchange W        U: P-1 messages
//   otherwise:         d >= p2 first hand W to d - p2 (d = p2 gets U from 0), pass U down a binary tree among
//                      themselves, and get the finished U back from d - p2
//
// A group without pivot rows sends no W. Local copies: dlaswp01T packs U, 02N packs W, 03T puts W into U, 04T copies
// U's rows into the matrix and puts W into U. HPL probes for the next panel after packing and after every stage.
// pivot_rows has the number of pivots of each process row.
#include <algorithm>
#include <bit>

#include "kernels/hpl/steps.hpp"
#include "kernels/hpl/work.hpp"

namespace orrery::hpl {

namespace {

/// A message of no bytes is not sent (HPL_sdrv).
struct Both {
  Rank peer;
  Bytes sent, received;
};
Generator<Step> exchange(const Both both) {
  const bool sends = both.sent > Bytes{}, receives = both.received > Bytes{};
  if (sends && receives) {
    co_yield irecv(both.peer, both.received, swap_tag, exchange_request);
    co_yield send(both.peer, both.sent, swap_tag);
    co_yield wait(exchange_request);
  } else if (sends) {
    co_yield send(both.peer, both.sent, swap_tag);
  } else if (receives) {
    co_yield recv(both.peer, both.received, swap_tag);
  }
}

struct Rows {
  const GridPosition& place;
  const Panel& panel;
  const PivotRows& pivots;
  double n;

  std::uint32_t me() const { return panel.from_row; }
  Rank peer(std::uint32_t distance) const { return place.down(panel.row, distance); }
  Bytes u() const { return doubles(panel.jb * n); }
  Bytes w(double rows) const { return doubles((n + 1.0) * rows); }
};

/// Before the hypercube: those beyond the power of two hand in their pivot rows.
Generator<Step> hand_in(const Rows swap, std::uint32_t power) {
  const std::uint32_t me = swap.me(), partner = me ^ power, beyond = std::max(me, partner);
  const double rows = swap.pivots.at(beyond);
  const Bytes w = swap.w(rows), u = beyond == power ? swap.u() : Bytes{};
  co_yield elements_of(exchange(me < power ? Both{swap.peer(partner), u, w} : Both{swap.peer(partner), w, u}));
  if (me == 0 && any(swap.place, rows, swap.n)) co_yield copy_rows(Work::dlaswp03t, rows, swap.n);
}

/// One stage of the hypercube.
Generator<Step> exchange_stage(const Rows swap, std::uint32_t bit) {
  const std::uint32_t me = swap.me(), partner = me ^ bit;
  const double mine = swap.pivots.in_group(me & ~(bit - 1), bit);
  const double theirs = swap.pivots.in_group(partner & ~(bit - 1), bit);
  if (me < bit) {  // I have U
    co_yield elements_of(exchange({swap.peer(partner), swap.u(), swap.w(theirs)}));
    if (any(swap.place, theirs, swap.n)) co_yield copy_rows(Work::dlaswp03t, theirs, swap.n);
  } else if (me < 2 * bit) {
    co_yield elements_of(exchange({swap.peer(partner), swap.w(mine), swap.u()}));
    if (any(swap.place, mine, swap.n)) co_yield copy_rows(Work::dlaswp04t, mine, swap.n);
  } else {
    co_yield elements_of(exchange({swap.peer(partner), swap.w(mine), swap.w(theirs)}));
  }
}

/// U among those beyond the power of two; then each takes its rows and waits for the finished U.
Generator<Step> share_u(const Rows swap, std::uint32_t power, double own, Cast& cast) {
  const std::uint32_t me = swap.me();
  for (Tree tree(me - power, swap.place.plan.p - power); !tree.done(); tree.advance()) {
    if (tree.receives()) co_yield recv(swap.peer(power + tree.partner()), swap.u(), swap_tag);
    if (tree.sends()) co_yield send(swap.peer(power + tree.partner()), swap.u(), swap_tag);
    if (cast.pending) co_yield elements_of(poll(swap.place, cast));
  }
  if (any(swap.place, own, swap.n)) co_yield copy_rows(Work::dlaswp04t, own, swap.n);
}

}  // namespace

Generator<Step> swap_by_exchange(const GridPosition& place, const Panel& panel, std::uint32_t columns, Cast& cast) {
  const PivotRows pivots(place, panel);
  const Rows swap{place, panel, pivots, static_cast<double>(columns)};
  const std::uint32_t me = panel.from_row, processes = place.plan.p, power = std::bit_floor(processes);
  const double own = pivots.at(me);
  if (me == 0 && any(place, panel.jb, columns)) co_yield copy_rows(Work::dlaswp01t, panel.jb, columns);
  if (me != 0 && any(place, own, columns)) co_yield copy_rows(Work::dlaswp02n, own, columns);
  if (cast.pending) co_yield elements_of(poll(place, cast));
  const bool paired = power != processes && (me ^ power) < processes;
  if (paired) co_yield elements_of(hand_in(swap, power));
  if (cast.pending) co_yield elements_of(poll(place, cast));
  for (std::uint32_t bit = 1; me < power && bit < power; bit *= 2) {
    co_yield elements_of(exchange_stage(swap, bit));
    if (cast.pending) co_yield elements_of(poll(place, cast));
  }
  if (me >= power) co_yield elements_of(share_u(swap, power, own, cast));
  if (paired && me >= power) co_yield recv(swap.peer(me ^ power), swap.u(), swap_tag);
  if (paired && me < power) co_yield send(swap.peer(me ^ power), swap.u(), swap_tag);
  if (cast.pending) co_yield elements_of(poll(place, cast));
}

}  // namespace orrery::hpl
