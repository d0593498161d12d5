/// The best value of an integer parameter of a kernel: a model proposes, an engine confirms near what it proposes.
///
///   T(v)      time of the whole program with value v: predicted (with the slowest rank's computation where the
///             model leaves it out), or the makespan on an engine
///   values    those asked for; else the least of the range, a ladder 1, 2, 3, 4, 6, 8, 12 ... within it and its
///             greatest, until two in a row are refused, six predict the same or the prediction has grown beyond four
///             times the least; then all halves between the neighbours of the best
///   confirm   the proposal is played, then values a quarter away and more (a tenth, or the next, where there are no
///             others) on whichever side is the better, until the best of those played has a worse one on either side;
///             then further out, by turns
///
/// A value that the kernel refuses is left out, and the answer says why.
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

/// Time of a value; nothing where it is refused.
using TimeOfValue = std::function<std::optional<Seconds>(std::int64_t)>;
using TimesByValue = std::map<std::int64_t, Seconds>;

struct ValueRange {
  std::int64_t least = 1, greatest = 1;
};

/// Predictions of the values asked for; where none are, of the ends of the range, a ladder between them and the valley
/// it finds.
TimesByValue predicted_times(const std::vector<std::int64_t>& values, const ValueRange& range, const TimeOfValue& time);

/// Times played near the least of `predicted`, at most so many.
TimesByValue confirmed_times(const TimesByValue& predicted, std::size_t most, const TimeOfValue& time);

/// The value of the least time, the first of several. The map is not empty.
std::int64_t best_of(const TimesByValue& times);

}  // namespace orrery::study
