// The panel's path along a process row (HPL_bcast). Distances d are counted from the column that factored it.
//
//   1ring    0 -> 1 -> 2 -> ... -> Q-1
//   1ringM   0 -> 1;  0 -> 2 -> 3 -> ... -> Q-1                      r = (Q + 1) / 2
//   2ring    0 -> 1 -> ... -> r-1;  0 -> r -> ... -> Q-1
//   2ringM   0 -> 1;  0 -> 2 -> ... -> r-1;  0 -> r -> ... -> Q-1
//
// Each variant has Q-1 messages, blocking. A process that updates in the meantime probes; once the panel's envelope has
// arrived, it receives the panel and passes it on before it continues the update. 'long' and 'longM' do not probe (HPL
// has that switched off): they complete at the first probe.
#include "kernels/hpl/steps.hpp"
#include "kernels/hpl/work.hpp"

namespace orrery::hpl {

Hops hops(Broadcast broadcast, std::uint32_t distance, std::uint32_t processes) {
  const bool modified = broadcast == Broadcast::ring_modified || broadcast == Broadcast::two_rings_modified;
  const bool two = broadcast == Broadcast::two_rings || broadcast == Broadcast::two_rings_modified;
  const std::uint32_t second = two && processes > 2 ? (processes + 1) / 2 : processes;  // where the other ring begins
  Hops result;
  if (distance == 0) {
    result.add(1);
    if (modified && processes > 2 && second != 2) result.add(2);
    if (second < processes) result.add(second);
    return result;
  }
  const bool from_root = distance == 1 || distance == second || (modified && distance == 2);
  result.source = from_root ? 0 : distance - 1;
  const std::uint32_t next = distance + 1;
  const bool aside = modified && distance == 1;
  if (!aside && next != second && next < processes) result.add(next);
  return result;
}

namespace {

Generator<Step> pass_on(const GridPosition& place, const Panel& panel, const Hops ring) {
  for (std::uint32_t i = 0; i < ring.count; ++i)
    co_yield send(place.along(panel.column, ring.targets[i]), panel.message(), panel_tag(panel));
}

}  // namespace

Generator<Step> pack(const GridPosition& place, const Panel& panel) {
  if (place.plan.copies_panel && place.plan.q > 1 && panel.current_column() && any(place, panel.below))
    co_yield copy_rows(Work::dlacpy, panel.below, panel.jb);
}

Generator<Step> poll(const GridPosition& place, Cast& cast) {
  const Panel& panel = *cast.panel;
  if (probes(place.plan.broadcast) && !panel.current_column()) {
    const Hops ring = hops(place.plan.broadcast, panel.from_column, place.plan.q);
    bool found = false;
    co_yield probe(place.along(panel.column, ring.source), panel_tag(panel), found);
    if (!found) co_return;
  }
  co_yield elements_of(finish(place, cast));
}

Generator<Step> finish(const GridPosition& place, Cast& cast) {
  const Panel& panel = *cast.panel;
  cast.pending = false;
  if (place.plan.q == 1) co_return;
  if (!probes(place.plan.broadcast)) {
    co_yield elements_of(spread_panel(place, panel));
    co_return;
  }
  const Hops ring = hops(place.plan.broadcast, panel.from_column, place.plan.q);
  if (!panel.current_column()) co_yield recv(place.along(panel.column, ring.source), panel.message(), panel_tag(panel));
  co_yield elements_of(pass_on(place, panel, ring));
}

}  // namespace orrery::hpl
