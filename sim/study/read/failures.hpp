/// `failures:` of a scenario: the time that `steps` runs of a point, one after another, take on nodes that fail.
///
///   failures: {mtbf: 50000h, steps: 1000000, checkpoint: 2TB, storage: 100GB/s, restart: 10min}
///
/// A checkpoint takes V / min(S, n A) and so does reading it at a restart.
///
///   V  Bytes           B    `checkpoint`
///   S  BytesPerSecond  B/s  `storage`: of the file system, for all nodes together
///   n  -               1    nodes with ranks
///   A  BytesPerSecond  B/s  of the adapters of a node on the scenario's network
///
/// Checked  tests/unit/study/failures_test.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/core/units.hpp"

namespace orrery {

struct FailureSpec {
  Seconds mtbf;
  double shape = 1.0;
  std::uint64_t steps = 1;
  Bytes checkpoint;
  BytesPerSecond storage;
  Seconds restart{};
  std::optional<Seconds> interval;
  std::uint32_t draws = 1000;
  std::uint64_t seed = 1;
};

}  // namespace orrery
