// Row swaps by spreading and rolling (HPL_pdlaswp01T): the rows of U are scattered down a binary tree over the P
// process rows, exchanged with the pivot rows there, and rolled around until every row has all of them. n columns.
//
//   len(i) rows of U for the process at distance i: floor(jb / P), one more for the first jb mod P
//   scatter   8 n (rows of the receiver's subtree) bytes      P-1 messages
//   roll      P-1 rounds: 8 n len bytes to one neighbour and as much from it        P (P-1) messages
//
// Messages of no rows are not sent. Local copies: dlaswp01T packs U; 06T exchanges a process's rows (counted as 04T);
// 10N puts U in order (counted as 03T). Equilibration, which moves rows to reach these lengths, is left out: evenly
// spread pivots have them from the start. HPL probes for the next panel after every message.
#include <algorithm>

#include "kernels/hpl/steps.hpp"
#include "kernels/hpl/work.hpp"

namespace orrery::hpl {

namespace {

struct Shares {
  std::uint32_t rows, processes;
  double n;

  std::uint32_t before(std::uint32_t i) const { return rows / processes * i + std::min(i, rows % processes); }
  std::uint32_t of(std::uint32_t i) const { return before(i + 1) - before(i); }
  Bytes bytes(std::uint32_t first, std::uint32_t last) const { return doubles(n * (before(last) - before(first))); }
};

Generator<Step> scatter_u(const GridPosition& place, const Panel& panel, const Shares shares, Cast& cast) {
  for (Tree tree(panel.from_row, shares.processes); !tree.done(); tree.advance()) {
    const Bytes message = shares.bytes(tree.first, tree.last());
    const Rank peer = place.down(panel.row, tree.partner());
    if (tree.receives() && message > Bytes{}) co_yield recv(peer, message, swap_tag);
    if (tree.sends() && message > Bytes{}) co_yield send(peer, message, swap_tag);
    if (cast.pending) co_yield elements_of(poll(place, cast));
  }
}

Generator<Step> roll_u(const GridPosition& place, const Panel& panel, const Shares shares, Cast& cast) {
  const std::uint32_t n = shares.processes, me = panel.from_row;
  for (std::uint32_t round = 0; round + 1 < n; ++round) {
    const std::uint32_t half = round / 2;
    const bool back = (me + round) % 2 != 0;
    const Rank peer = place.down(panel.row, (back ? me + n - 1 : me + 1) % n);
    const std::uint32_t mine = (back ? me + half : me + n - half) % n;
    const std::uint32_t theirs = (back ? me + n - half - 1 : me + half + 1) % n;
    const bool receives = shares.of(theirs) > 0;
    if (receives) co_yield irecv(peer, shares.bytes(theirs, theirs + 1), swap_tag, exchange_request);
    if (shares.of(mine) > 0) co_yield send(peer, shares.bytes(mine, mine + 1), swap_tag);
    if (receives) co_yield wait(exchange_request);
    if (cast.pending) co_yield elements_of(poll(place, cast));
  }
}

}  // namespace

Generator<Step> swap_by_rolling(const GridPosition& place, const Panel& panel, std::uint32_t columns, Cast& cast) {
  const Shares shares{panel.jb, place.plan.p, static_cast<double>(columns)};
  const double own = shares.of(panel.from_row);
  if (panel.current_row() && any(place, panel.jb, columns)) co_yield copy_rows(Work::dlaswp01t, panel.jb, columns);
  co_yield elements_of(scatter_u(place, panel, shares, cast));
  if (!panel.current_row() && any(place, own, columns)) co_yield copy_rows(Work::dlaswp04t, own, columns);
  co_yield elements_of(roll_u(place, panel, shares, cast));
  if (any(place, panel.jb, columns)) co_yield copy_rows(Work::dlaswp03t, panel.jb, columns);
}

}  // namespace orrery::hpl
