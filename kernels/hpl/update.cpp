// Applies a factored panel to a process's next n columns (HPL_pdupdate): swap the pivot rows, solve for U, multiply.
//
//   swap of n columns       binary exchange, or spread-roll ('long'; 'mix' when n > threshold); P = 1: in place
//   in parts of NB columns while the next panel has not arrived, then all that is left in one go:
//     dtrsm  NB x jb,  dgemm  rows below x NB x jb,  dlatcpy jb x NB where the diagonal block is
//
// After each part HPL probes for the next panel; when it has arrived, it is received and passed on at once. A process
// without remaining updates waits for it.
#include <algorithm>

#include "kernels/hpl/steps.hpp"
#include "kernels/hpl/work.hpp"

namespace orrery::hpl {

namespace {

Generator<Step> update_columns(const GridPosition& place, const Panel& panel, std::uint32_t columns) {
  if (place.plan.p == 1 && any(place, panel.jb, columns)) co_yield copy_rows(Work::dlaswp04t, panel.jb, columns);
  if (any(place, columns)) co_yield dtrsm(columns, panel.jb);
  if (any(place, panel.below, columns)) co_yield dgemm(panel.below, columns, panel.jb);
  if (place.plan.p > 1 && panel.current_row() && any(place, columns))
    co_yield copy_rows(Work::dlatcpy, panel.jb, columns);
}

}  // namespace

Generator<Step> update(const GridPosition& place, const Panel& panel, std::uint32_t columns, Cast& cast) {
  if (columns == 0) {
    if (cast.pending) co_yield elements_of(finish(place, cast));
    co_return;
  }
  if (cast.pending) co_yield elements_of(poll(place, cast));
  const Plan& plan = place.plan;
  if (plan.p > 1) {
    const bool rolls = plan.swap == Swap::spread_roll || (plan.swap == Swap::mix && columns > plan.swap_threshold);
    if (rolls)
      co_yield elements_of(swap_by_rolling(place, panel, columns, cast));
    else
      co_yield elements_of(swap_by_exchange(place, panel, columns, cast));
  }
  std::uint32_t done = 0;
  while (cast.pending && done < columns) {
    const std::uint32_t part = std::min(plan.block, columns - done);
    co_yield elements_of(update_columns(place, panel, part));
    done += part;
    co_yield elements_of(poll(place, cast));
  }
  if (cast.pending) co_yield elements_of(finish(place, cast));
  if (done < columns) co_yield elements_of(update_columns(place, panel, columns - done));
}

}  // namespace orrery::hpl
