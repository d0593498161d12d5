/// Traces of programs: SMPI's time-independent (TI) traces and GOAL schedules, in and out.
///
///   Trace trace = read_trace("halo-ti/index.txt");     // the kind is seen from the content
///   write_file("copy.ti", ti_text(trace));  write_file("copy.goal", goal_text(trace));
///
/// A TI trace is one file with the lines of all ranks ("0 send 1 7 1024"), or an index file that names one file per
/// rank, one name a line. Names are looked for as written, then beside the index. Lines '#orrery RANK MARK' carry what
/// TI cannot (phases, iterations, stages, ideal barriers, the speed the compute amounts are for); SMPI skips them.
///
/// Every problem is an InputError with file and line: unknown calls, missing arguments, ranks or counts out of range,
/// a trace without 'finalize' (cut off), a file per rank that is missing, sends that nobody receives, receives that
/// nobody sends, ranks whose collectives differ. What was dropped or changed is in Trace::notes.
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

/// Throws InputError for a text that is neither a trace nor the index of traces that are there; `wanted` says what is.
void require_trace(const std::string& text, const std::string& file, std::string_view wanted);

/// One TI file with all ranks.
Trace parse_ti(const std::string& text, const std::string& file);

/// A GOAL schedule: a graph per rank, put in an order that MPI calls can have (sim/config/traces/goal_order.hpp).
Trace parse_goal(const std::string& text, const std::string& file);

/// True when the text begins as a GOAL schedule does.
bool looks_like_goal(const std::string& text);

/// The lines of one rank, as parse_ti takes them.
std::string ti_text(const Trace& trace, Rank rank);
/// All ranks, one after another.
std::string ti_text(const Trace& trace);

/// The messages and compute times of all ranks with the order MPI gives them. Throws InputError for ideal barriers and
/// collectives, and rounds times to nanoseconds; marks are left out; a train is as many messages.
std::string goal_text(const Trace& trace);

}  // namespace orrery::config
