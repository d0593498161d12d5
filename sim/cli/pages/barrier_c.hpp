/// A pattern of signals as a C function with MPI calls, with the code of each process written out.
///
///   int NAME(MPI_Comm comm)     returns MPI_SUCCESS, the first error of a call, or MPI_ERR_COMM where `comm` has
///                               not as many processes as the pattern has ranks
///
/// Signals are synchronous non-blocking sends of no data with tag NAME_TAG, which no other code may use on `comm` at
/// the same time: a separate communicator is the safe choice. A stage ends only after its signals have been received,
/// so that two calls of the function do not interfere.
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, section 7.3: hard-coded, synchronised-mode, customised for each process
/// Differs  the thesis' function serves the world communicator alone
/// Checked  tests/unit/study/barrier_job_test.cpp, tests/cli/barrier.sh (compiled, run, its signals proved)
#pragma once

#include <string>

#include "sim/core/stage_pattern.hpp"

namespace orrery::cli {

inline constexpr std::uint32_t barrier_c_ranks_max = 4096;

/// `comment` lines begin the file. Throws InputError that begins with "--emit-c" for a name that is no valid C
/// identifier or is taken, for too many ranks, and, with a counterexample, for a pattern that does not synchronise.
std::string barrier_c(const StagePattern& pattern, const std::string& name, const std::string& comment);

}  // namespace orrery::cli
