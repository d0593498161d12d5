/// The time lines in the page's data: how much of them fits, and that as whole ticks.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/core/replay_result.hpp"

namespace orrery::show {

/// The end of the time window whose intervals fit: whole iterations, or part of the first one when even that is too
/// much. `whole` is how many iterations it shows completely.
struct GanttWindow {
  Seconds end;
  std::size_t intervals = 0, left_out = 0;  ///< shown, not shown
  std::uint32_t whole = 0, iterations = 0;
};
GanttWindow gantt_window(const RunResult& run, std::size_t intervals_max);

/// Time lines up to the window's end, of the ranks that have some, with the critical path over them, and up to so many
/// messages.
nlohmann::ordered_json gantt_json(const RunResult& run, const GanttWindow& window, std::size_t messages_max);

}  // namespace orrery::show
