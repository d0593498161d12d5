/// A factor by which all simulated times differ from the measured ones: seldom physics, mostly another quantity or unit.
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
  std::uint64_t iterations = 1;  ///< of the compared phase, summed up in `simulated`
};

/// What the times were compared as.
struct ComparedAs {
  std::string file;     ///< of the measured times
  std::string metric;   ///< that the scenario names; empty: the compared phase
  std::string printed;  ///< metric that benchmarks of the kernel's name print instead of it; empty: none
};

/// A sentence about a factor that two points and more have in common; empty: they have none.
std::string factor_note(const std::vector<TimePair>& pairs, const ComparedAs& as);

}  // namespace orrery::study
