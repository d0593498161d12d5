// Row swaps by binary exchange (HPL_pdlaswp00T): the jb rows U of the diagonal block's process row travel to every
// process row while the pivot rows W travel the other way. n columns; distances d from that process row.
//
//   U = 8 jb n bytes;  W(group) = 8 (n + 1) len(group), len: pivot rows found by the group so far
//   stage s, P = 2^h:  d < 2^s sends U to d + 2^s, which answers with W;  all others exchange W        U: P-1 messages
//   otherwise:         d >= p2 first hand W to d - p2 (d = p2 gets U from 0), pass U down a binary tree among
//                      themselves, and get the finished U back from d - p2
//
// A group without pivot rows sends no W. Local copies: dlaswp01T packs U, 02N packs W, 03T puts W into U, 04T takes U's
// rows into the matrix and puts W into U. HPL asks for the next panel after packing and after every stage.
// How many pivots each process row holds depends on the matrix: the expectation jb rows(d) / M is taken, rounded.
#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/hpl_steps.hpp"
#include "kernels/hpl_work.hpp"

namespace orrery::hpl {

namespace {

/// Expected pivots at distances 1 .. d - 1, rounded: differences of it are whole and add up.
double pivots_before(const Place& place, const Panel& panel, std::uint32_t distance) {
  if (distance <= 1) return 0.0;
  const Plan& plan = place.plan;
  const double rows =
      numroc_before(panel.rows, plan.block, distance, plan.p) - numroc(panel.rows, plan.block, 0, plan.p);
  return std::round(panel.jb * rows / panel.rows);
}

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
  const Place& place;
  const Panel& panel;
  double n;

  std::uint32_t me() const { return panel.from_row; }
  Rank peer(std::uint32_t distance) const { return place.down(panel.row, distance); }
  Bytes u() const { return doubles(panel.jb * n); }
  Bytes w(double rows) const { return doubles((n + 1.0) * rows); }
  double rows(std::uint32_t first, std::uint32_t count) const { return pivot_rows(place, panel, first, count); }
};

/// Before the hypercube: those beyond the power of two hand in their pivot rows.
Generator<Step> hand_in(const Rows swap, std::uint32_t power) {
  const std::uint32_t me = swap.me(), partner = me ^ power, beyond = std::max(me, partner);
  const double rows = pivots_before(swap.place, swap.panel, beyond + 1) - pivots_before(swap.place, swap.panel, beyond);
  const Bytes w = swap.w(rows), u = beyond == power ? swap.u() : Bytes{};
  co_yield elements_of(exchange(me < power ? Both{swap.peer(partner), u, w} : Both{swap.peer(partner), w, u}));
  if (me == 0 && any(swap.place, rows, swap.n)) co_yield copy_rows(Work::dlaswp03t, rows, swap.n);
}

/// One stage of the hypercube.
Generator<Step> exchange_stage(const Rows swap, std::uint32_t bit) {
  const std::uint32_t me = swap.me(), partner = me ^ bit;
  const double mine = swap.rows(me & ~(bit - 1), bit), theirs = swap.rows(partner & ~(bit - 1), bit);
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

std::uint32_t pivot_rows(const Place& place, const Panel& panel, std::uint32_t first, std::uint32_t count) {
  const std::uint32_t processes = place.plan.p, power = std::bit_floor(processes);
  const auto range = [&](std::uint32_t from, std::uint32_t to) {
    from = std::min(from, processes), to = std::min(to, processes);
    return pivots_before(place, panel, to) - pivots_before(place, panel, from);
  };
  return static_cast<std::uint32_t>(range(first, first + count) + range(first + power, first + power + count));
}

Generator<Step> swap_by_exchange(const Place& place, const Panel& panel, std::uint32_t columns, Cast& cast) {
  const Rows swap{place, panel, static_cast<double>(columns)};
  const std::uint32_t me = panel.from_row, processes = place.plan.p, power = std::bit_floor(processes);
  const double own = pivots_before(place, panel, me + 1) - pivots_before(place, panel, me);
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
