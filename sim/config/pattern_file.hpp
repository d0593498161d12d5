/// Patterns of signals as text: stage matrices as in Meyer's thesis, or only the signals. For reading and writing.
///
///   # comment                       ranks 4
///   0 0 0 0                         stage
///   1 0 0 0                         1: 0
///   1 0 0 0                         2: 0
///   1 0 0 0                         3: 0
///   (an empty line)                 stage
///   0 1 1 1                         0: 1 2 3
///   0 0 0 0 ...
///
/// Row i of a matrix, and the line "i: ...", are the ranks that rank i signals in that stage.
///
/// Checked  tests/unit/config/pattern_file_test.cpp
#pragma once

#include <string>

#include "sim/core/stage_pattern.hpp"

namespace orrery::config {

/// Throws InputError with file and line: a matrix that is not square or not as large as the first, a number that is
/// neither 0 nor 1, a rank outside the range, a rank that signals itself.
StagePattern read_pattern(const std::string& file);
StagePattern parse_pattern(const std::string& text, const std::string& file);

/// Only the signals, after `comment`, one comment line for each of its lines.
std::string pattern_text(const StagePattern& pattern, const std::string& comment = {});

}  // namespace orrery::config
