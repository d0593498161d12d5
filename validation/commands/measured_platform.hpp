/// `orrery new platform NAME --measure`: this machine as a platform of one node, its inside measured with real MPI.
///
///   1. micro-benchmarks between two cores and on all of them (orrery-mpi), 51 runs each, up to three times while times
///      do not repeat
///   2. matrix products on one core (orrery-rates), where a BLAS is there
///   3. the channel fitted (models/channel/inside_fit.hpp), the file written as a draft, the benchmarks played on it by
///      the engine 'flow': how far those are from what was measured stands in the file
///
/// Times that do not repeat are refused. Of the network nothing is known: its parameters stay `assumed`.
///
/// Checked  tests/unit/validation/measured_platform_test.cpp, tests/cli/measured_platform.sh
#pragma once

#include <string>
#include <vector>

#include "models/channel/inside_fit.hpp"
#include "validation/commands/this_machine.hpp"

namespace orrery::cli {

/// Measures for some seconds, and returns the text of the file. `command` is the one that was typed. Throws Skipped where
/// there is nothing to measure with.
std::string measured_platform(const std::string& name, const std::string& command);

/// How well times of messages are known, of the rows of orrery-mpi's table. A row is loose where the ends of its median's
/// 95 % interval are three times apart, or where a longer message of the series took less than half of its time.
struct Repeats {
  double median = 0.0;  ///< of the half widths of the intervals over the medians
  std::size_t rows = 0, loose = 0;
  std::string loosest = {};  ///< "1 B of pingpong/... in 507 us": a loose row of the ping-pong
};
Repeats repeats_of(const std::string& table);

/// Of each row the one of less time: what else the machine does makes times longer, never shorter.
std::string least_rows(const std::string& table, const std::string& again);

/// What a series is when the file is played.
struct PlayedSeries {
  std::string name;  ///< "ping-pong", "2 messages at once"
  std::vector<std::pair<Bytes, Seconds>> measured, simulated;
};

struct MeasuredParameters {
  ThisMachine machine;
  InsideFit fit;
  double core_speed = 0.0;           ///< flop/s; 0: not measured
  std::string core_speed_source;     ///< or why it was not
  std::string source;                ///< "measured on ..., by ..."
  std::vector<std::string> remarks;  ///< comments at the head of the file
  std::vector<PlayedSeries> played;  ///< none in a draft
};

/// The commented file.
std::string measured_platform_text(const std::string& name, const MeasuredParameters& parameters);

}  // namespace orrery::cli
