/// A result as the benchmark itself prints it: Gflop/s for HPL, T(m) for a ping-pong.
#pragma once

#include <optional>
#include <string>

namespace orrery {

/// Name of the metric that is the makespan: of programs that divide their work first, and where it is published.
inline constexpr const char* whole_run = "whole run";

struct Metric {
  std::string name;                      ///< "Gflop/s", "T(64 KiB)"; as in HPL's own output where it prints one
  double value = 0.0;                    ///< in `unit`
  std::string unit;                      ///< "Gflop/s", "s"; empty: a count
  std::optional<double> published = {};  ///< the value in a paper, in `unit`
};

}  // namespace orrery
