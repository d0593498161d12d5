/// The time of a program on nodes that fail, with checkpoints: two formulas, and randomized runs.
///
///   Young   t = sqrt(2 C M)
///   Daly    t = sqrt(2 C M) (1 + sqrt(C / 2M) / 3 + C / 18M) - C   for C < 2 M, else M
///
///   t  Seconds  s  of work between two checkpoints; the last part has none
///   C  Seconds  s  to write a checkpoint
///   R  Seconds  s  from a failure until the work after the last checkpoint goes on, reading it included
///   M  Seconds  s  mean time between failures of the job: that of a node over its nodes
///
/// A randomized run: each node fails at times that are Weibull (of shape 1: exponential) after the beginning or its
/// last failure. The work since the last checkpoint is lost, and a failure during a restart begins the restart again.
///
/// Source   Young, CACM 17(9), 1974; Daly, A higher order estimate of the optimum checkpoint interval for restart dumps,
///          Future Generation Computer Systems 22(3), 2006, equations 20 and 37
/// Valid    a spare for every node that fails; nodes fail independently and are new at the beginning and after a failure
/// Differs  a run that is drawn has no checkpoint at the end, Daly's equation 20 has one
/// Checked  tests/unit/models/stats/failures_test.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/core/units.hpp"

namespace orrery::stats {

struct FailingRun {
  Seconds work, checkpoint, restart;  ///< W, C, R
  Seconds mtbf;                       ///< of one node
  double shape = 1.0;
  std::uint32_t nodes = 1;

  Seconds between_failures() const { return mtbf / static_cast<double>(nodes); }
};

Seconds young_interval(const FailingRun& run);
Seconds daly_interval(const FailingRun& run);

struct DrawnTime {
  Seconds time;
  std::uint64_t failures = 0;
};
/// [draws] the same random failures for every interval, by the seed; a time is infinite if the run makes no progress in
/// 20,000 failures.
std::vector<DrawnTime> drawn_times(const FailingRun& run, Seconds interval, std::uint32_t draws, std::uint64_t seed);
Seconds mean_time(const std::vector<DrawnTime>& times);

/// The interval with the least mean time of these runs, to 1 % of the interval or within the flat range of the mean.
Seconds best_interval(const FailingRun& run, std::uint32_t draws, std::uint64_t seed);

/// An interval, at most the work, with its randomized times.
struct TriedInterval {
  Seconds interval, mean;
  std::vector<DrawnTime> times;
};
struct Checkpointing {
  TriedInterval young, daly;
  TriedInterval used;  ///< the given one, else the one with the least mean: `best_interval`, Young's or Daly's
};
Checkpointing checkpointing(const FailingRun& run, std::optional<Seconds> stated, std::uint32_t draws,
                            std::uint64_t seed);

}  // namespace orrery::stats
