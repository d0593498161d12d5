/// The parts of HPL as nested generators, and the tags of their messages. Private to the kernel `hpl`.
///
/// Arguments passed by reference live in the coroutine that nests the part.
#pragma once

#include <array>
#include <vector>

#include "kernels/hpl/plan.hpp"
#include "sim/core/generator.hpp"

namespace orrery::hpl {

constexpr Tag pivot_tag{1}, swap_tag{2}, move_tag{3}, solution_tag{4}, partial_tag{5}, last_tag{6};
/// Tags distinguish the panels in flight, as in HPL.
constexpr std::uint32_t panel_tags = 1000;
constexpr Tag panel_tag(const Panel& panel) { return Tag{16 + panel.k % panel_tags}; }

/// The one request a process has open at a time.
constexpr RequestId exchange_request{0};

/// A panel on its way along the process rows. `pending` until this process has the panel and has passed it on.
struct Cast {
  const Panel* panel = nullptr;
  bool pending = false;
};

/// Factors the panel within its process column.
Generator<Step> factor(const GridPosition& place, const Panel& panel);
/// Agrees on the pivot of one column of the panel and exchanges its two rows; for `columns` columns if they are
/// collapsed.
Generator<Step> exchange_pivots(const GridPosition& place, const Panel& panel, std::uint32_t columns);

/// Packs the panel in its process column.
Generator<Step> pack(const GridPosition& place, const Panel& panel);
/// Probes once for the panel; if it is here (or this process has it), takes it and passes it on.
Generator<Step> poll(const GridPosition& place, Cast& cast);
/// The same, but waits for the panel.
Generator<Step> finish(const GridPosition& place, Cast& cast);
/// Broadcasts that scatter and roll.
Generator<Step> spread_panel(const GridPosition& place, const Panel& panel);

/// The source and the targets of a process in the four ring broadcasts (distances from the root).
struct Hops {
  std::uint32_t source = 0, count = 0;
  std::array<std::uint32_t, 3> targets{};

  void add(std::uint32_t target) { targets[count++] = target; }
};
Hops hops(Broadcast broadcast, std::uint32_t distance, std::uint32_t processes);
inline bool probes(Broadcast broadcast) { return broadcast < Broadcast::spread; }

/// Swaps the pivot rows into U in `columns` of this process's columns and gives every process row all of U.
Generator<Step> swap_by_exchange(const GridPosition& place, const Panel& panel, std::uint32_t columns, Cast& cast);
Generator<Step> swap_by_rolling(const GridPosition& place, const Panel& panel, std::uint32_t columns, Cast& cast);

/// Pivot rows of a panel in each process row except that of its diagonal block.
class PivotRows {
 public:
  PivotRows(const GridPosition& place, const Panel& panel);

  std::uint32_t at(std::uint32_t distance) const { return before_[distance + 1] - before_[distance]; }
  /// The pivot rows that the binary exchange has gathered in a group of processes: those at distances [first, first +
  /// count) and, before that, their partners beyond the largest power of two.
  std::uint32_t in_group(std::uint32_t first, std::uint32_t count) const;

 private:
  std::vector<std::uint32_t> before_;  ///< [distance]: sum over smaller distances
};

/// Applies `panel` to the next `columns` columns of this process while `cast` arrives.
Generator<Step> update(const GridPosition& place, const Panel& panel, std::uint32_t columns, Cast& cast);

/// Solves the triangular system.
Generator<Step> solve(const GridPosition& place);

}  // namespace orrery::hpl
