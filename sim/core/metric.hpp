/// What a benchmark itself would print of a run: HPL its Gflop/s, a ping-pong its T(m).
#pragma once

#include <optional>
#include <string>

namespace orrery {

/// Name of the metric that is the makespan: of programs that divide their work before, and wherever it is published.
inline constexpr const char* whole_run = "whole run";

struct Metric {
  std::string name;                      ///< "Gflop/s", "T(64 KiB)"; as in HPL's own output where it prints one
  double value = 0.0;                    ///< in `unit`
  std::string unit;                      ///< "Gflop/s", "s"; empty: a count
  std::optional<double> published = {};  ///< what a paper says, in `unit`
};

}  // namespace orrery
