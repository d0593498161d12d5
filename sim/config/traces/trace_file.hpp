/// Traces of programs: SMPI's time-independent (TI) traces and GOAL schedules, for reading and writing.
///
///   Trace trace = read_trace("halo-ti/index.txt");     // the content determines the kind
///   write_file("copy.ti", ti_text(trace));  write_file("copy.goal", goal_text(trace));
///
/// A TI trace is one file with the lines of all ranks ("0 send 1 7 1024"), or an index file that names one file per
/// rank, one name a line. Names are searched for as written, then next to the index. Lines '#orrery RANK MARK' have
/// data that TI lacks (phases, iterations, stages, ideal barriers, the speed for compute amounts); SMPI skips them.
///
/// Every problem is an InputError with file and line: unknown calls, missing arguments, ranks or counts out of range, a
/// trace without 'finalize' (truncated), a missing file of a rank, unmatched sends or receives, ranks whose collectives
/// differ. Trace::notes list what was dropped or changed.
///
/// Source   TI: SimGrid 3.32, src/smpi/internals/smpi_replay.cpp. GOAL: Hoefler, Siebert, Lumsdaine, Group Operation
///          Assembly Language, ICPP 2009; the text form of LogGOPSim's txt2bin (Hoefler et al., LSAP 2010)
/// Checked  tests/unit/config/traces/ti_test.cpp, goal_test.cpp, tests/contract/trace_fuzz_test.cpp,
///          validation/smpi-traces
#pragma once

#include <string>
#include <string_view>

#include "sim/core/trace.hpp"

namespace orrery::config {

Trace read_trace(const std::string& file);

/// Throws InputError for a text that is neither a trace nor the index of existing traces; `wanted` describes the input.
void require_trace(const std::string& text, const std::string& file, std::string_view wanted);

/// One TI file with all ranks.
Trace parse_ti(const std::string& text, const std::string& file);

/// A GOAL schedule: a graph per rank, in an order that is possible for MPI calls (sim/config/traces/goal_order.hpp).
Trace parse_goal(const std::string& text, const std::string& file);

/// True if the text begins like a GOAL schedule.
bool looks_like_goal(const std::string& text);

/// The lines of one rank, in the format of parse_ti.
std::string ti_text(const Trace& trace, Rank rank);
/// All ranks, one after another.
std::string ti_text(const Trace& trace);

/// The messages and compute times of all ranks in MPI's order. Throws InputError for ideal barriers and collectives,
/// and rounds times to nanoseconds; marks are left out; a train becomes single messages.
std::string goal_text(const Trace& trace);

}  // namespace orrery::config
