/// A factor between all simulated and measured times: seldom physics, usually another quantity or unit.
///
///   simulated / measured  about 2 or 1/2 at every point        one is half of a round trip, or of one direction
///                         about the number of iterations       one is of an iteration, the other of them all
///                         about a power of 1000                the file's times are in another unit
///
/// Checked  tests/unit/study/measured_rows_test.cpp
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/units.hpp"

namespace orrery::study {

struct TimePair {
  Seconds simulated, measured;
  std::uint64_t iterations = 1;  ///< of the compared phase, whose sum is `simulated`
};

/// The quantity that the times were compared as.
struct ComparedAs {
  std::string file;     ///< of the measured times
  std::string metric;   ///< named in the scenario; empty: the compared phase
  std::string printed;  ///< metric that benchmarks like the kernel print instead; empty: none
};

/// A sentence about a factor that two or more points have in common; empty if there is none.
std::string factor_note(const std::vector<TimePair>& pairs, const ComparedAs& as);

}  // namespace orrery::study
