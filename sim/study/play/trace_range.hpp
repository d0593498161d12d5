/// The part of the timelines that is kept in full: `--trace-ranks 0-15 --trace-time 10ms-12ms`.
///
/// Without it every rank keeps its first intervals, up to a limit, and above 256 ranks only a sample of ranks is shown,
/// over the whole run. With it the selected ranks keep every interval of the selected time, and nothing else is kept.
/// This allows a look at a million ranks.
#pragma once

#include <string>
#include <vector>

#include "sim/engine/engine.hpp"

namespace orrery::study {

struct TraceRange {
  /// Ranks [first, last] in steps of `step`.
  struct Part {
    std::uint32_t first = 0, last = 0, step = 1;
  };
  std::vector<Part> parts;  ///< empty: all ranks
  bool stages = false;      ///< instead, the first GPU of each pipeline stage
  Seconds from, until{std::numeric_limits<double>::infinity()};
  std::string ranks_text;  ///< as the user wrote it

  /// For a program of `ranks` in `stages` (0: no stages). Throws InputError if it has too few ranks, or no stages.
  void apply(ReplayOptions& options, std::uint32_t ranks, std::uint32_t stages) const;
};

/// "3", "0-15", "0,384,768", "0-1535/128", "stages" and "10ms-12ms", or "" for all. Throws InputError that begins with
/// the option.
TraceRange trace_range(const std::string& ranks, const std::string& time);

/// "on", "off" and "auto", as RunOptions::critical_path has them.
inline std::optional<bool> critical_path_asked(const std::string& text) {
  return text == "auto" ? std::nullopt : std::optional(text == "on");
}

}  // namespace orrery::study
