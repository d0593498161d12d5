/// Any program as a trace: the steps of all ranks with the times of a compute model, for export.
///
/// Compute steps become flops of hosts of 1 Gflop/s that take the model's time; phase, iteration and stage marks are
/// kept. A wait for some of the open requests becomes one wait per request. Messages of a communicator other than the
/// world get tags of their own: tag + communicator * 2^20, because a trace knows only the world. Collectives stay the
/// messages they are, between marks. Trains stay trains, at both ends. `notes` say what a trace has no words for: how
/// kernels of GPUs hand messages over, and what a switch does.
///
/// Checked  tests/unit/core/trace_of_test.cpp
#pragma once

#include "sim/core/compute_model.hpp"
#include "sim/core/program.hpp"
#include "sim/core/trace.hpp"

namespace orrery {

inline constexpr double traced_speed = 1e9;  ///< flop/s
inline constexpr std::uint32_t communicator_tags = 1u << 20;

/// What becomes of a collective: its messages between marks, or one call where a trace has one: of all ranks in order,
/// and with the same share or block for everyone (neither alltoallv, gatherv ... nor reduce_scatter).
enum class TracedCollectives : std::uint8_t { messages, calls };

/// Throws InputError opened by `where` when tags and communicators cannot be told apart by tags alone.
Trace trace_of(const Program& program, const ComputeModel& compute, const std::string& where,
               TracedCollectives collectives = TracedCollectives::messages);

/// The same calls for hosts of 1 Gflop/s: amounts recorded for hosts of `speed` flop/s (0: as the trace says) keep
/// their time, others take the compute model's.
Trace retimed(const Trace& trace, const ComputeModel& compute, double speed);

/// The phase of a trace that models are compared with: 'communication' where it is marked or nothing is, else the phase
/// with the most messages and collectives ('program' before the first mark).
std::string communication_phase(const Trace& trace);

}  // namespace orrery
