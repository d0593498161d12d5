/// Which part of the time lines is kept whole: `--trace-ranks 0-15 --trace-time 10ms-12ms`.
///
/// Without it every rank keeps its first intervals, up to a bound. With it the chosen ranks keep every interval of the
/// chosen time, and nothing else is kept: how a million ranks are looked at.
#pragma once

#include <string>

#include "sim/engine/engine.hpp"

namespace orrery::app {

struct TraceRange {
  std::optional<std::pair<Rank, Rank>> ranks;  ///< first and last
  Seconds from, until{std::numeric_limits<double>::infinity()};
  std::string ranks_text;  ///< as the user wrote it

  void apply(ReplayOptions& options) const;
  /// Throws InputError when the program has too few ranks.
  void require_ranks(std::uint32_t ranks) const;
};

/// "3", "0-15" and "10ms-12ms", or "" for all. Throws InputError opened by the option.
TraceRange trace_range(const std::string& ranks, const std::string& time);

/// "on", "off" and "auto", as RunOptions::critical_path has them.
inline std::optional<bool> critical_path_asked(const std::string& text) {
  return text == "auto" ? std::nullopt : std::optional(text == "on");
}

}  // namespace orrery::app
