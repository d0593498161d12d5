/// Which part of the time lines is kept whole: `--trace-ranks 0-15 --trace-time 10ms-12ms`.
///
/// Without it every rank keeps its first intervals, up to a bound, and of more than 256 ranks some are shown over the
/// whole run. With it the chosen ranks keep every interval of the chosen time, and nothing else is kept: how a million
/// ranks are looked at.
#pragma once

#include <string>
#include <vector>

#include "sim/engine/engine.hpp"

namespace orrery::study {

struct TraceRange {
  /// Ranks [first, last], each `step` apart.
  struct Part {
    std::uint32_t first = 0, last = 0, step = 1;
  };
  std::vector<Part> parts;  ///< none: all ranks
  bool stages = false;      ///< instead, the first GPU of each pipeline stage
  Seconds from, until{std::numeric_limits<double>::infinity()};
  std::string ranks_text;  ///< as the user wrote it

  /// Of a program of `ranks` in `stages` (0: it has none). Throws InputError when it has too few ranks, or no stages.
  void apply(ReplayOptions& options, std::uint32_t ranks, std::uint32_t stages) const;
};

/// "3", "0-15", "0,384,768", "0-1535/128", "stages" and "10ms-12ms", or "" for all. Throws InputError opened by the
/// option.
TraceRange trace_range(const std::string& ranks, const std::string& time);

/// "on", "off" and "auto", as RunOptions::critical_path has them.
inline std::optional<bool> critical_path_asked(const std::string& text) {
  return text == "auto" ? std::nullopt : std::optional(text == "on");
}

}  // namespace orrery::study
