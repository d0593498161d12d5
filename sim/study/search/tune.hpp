/// The best value of an integer parameter of a kernel: a model proposes, an engine confirms near the proposal.
///
///   T(v)      time of the whole program with value v: predicted (with the slowest rank's computation where the
///             model leaves it out), or the makespan on an engine
///   values    the requested ones; else the minimum of the range, a ladder 1, 2, 3, 4, 6, 8, 12 ... within it and its
///             maximum, until two in a row are refused, six have the same prediction or the prediction exceeds four
///             times the least; then bisection between the neighbours of the best
///   confirm   the proposal is simulated, then values a quarter away or more (a tenth, or the next, if there are no
///             others) on the better side, until the best simulated one has a worse one on either side; then further
///             out, in turns
///
/// A value that the kernel refuses is left out, and the answer gives the reason.
///
/// Valid    curves with one valley; others: what was asked for, and the valley that the ladder falls into
/// Checked  tests/unit/study/tune_test.cpp, tests/unit/study/tune_job_test.cpp, docs/tuning.md
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/units.hpp"

namespace orrery::study {

/// Time of a value; empty if the value is refused.
using TimeOfValue = std::function<std::optional<Seconds>(std::int64_t)>;
using TimesByValue = std::map<std::int64_t, Seconds>;

struct ValueRange {
  std::int64_t least = 1, greatest = 1;
};

/// Predictions of the requested values; without these, of the ends of the range, a ladder between them and the valley
/// that the ladder finds.
TimesByValue predicted_times(const std::vector<std::int64_t>& values, const ValueRange& range, const TimeOfValue& time);

/// Times simulated near the minimum of `predicted`, at most `most`.
TimesByValue confirmed_times(const TimesByValue& predicted, std::size_t most, const TimeOfValue& time);

/// The value with the least time, the first of several. The map must not be empty.
std::int64_t best_of(const TimesByValue& times);

}  // namespace orrery::study
