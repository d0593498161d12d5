/// Any program as a trace: the steps of all ranks with the times of a compute model, for export.
///
/// Compute steps become flops of hosts of 1 Gflop/s that take the model's time; phase, iteration and stage marks are
/// kept. A wait for some of the open requests becomes one wait per request. Messages of a communicator other than the
/// world get tags of their own: tag + communicator * 2^20, because a trace has only the world. Collectives remain
/// messages between marks. Trains remain trains, at both ends. `notes` name what a trace cannot express: protocols
/// between GPU kernels and operations of a switch.
///
/// Checked  tests/unit/core/trace_of_test.cpp
#pragma once

#include "sim/core/compute_model.hpp"
#include "sim/core/program.hpp"
#include "sim/core/trace.hpp"

namespace orrery {

inline constexpr double traced_speed = 1e9;  ///< flop/s
inline constexpr std::uint32_t communicator_tags = 1u << 20;

/// What a collective becomes: its messages between marks, or one call if a trace has one. A trace has calls of all
/// ranks in order, with the same share or block for everyone (not alltoallv, gatherv ... or reduce_scatter).
enum class TracedCollectives : std::uint8_t { messages, calls };

/// Throws InputError that begins with `where` if tags alone cannot separate the tags and communicators.
Trace trace_of(const Program& program, const ComputeModel& compute, const std::string& where,
               TracedCollectives collectives = TracedCollectives::messages);

/// The same calls for hosts of 1 Gflop/s: amounts recorded for hosts of `speed` flop/s (0: as given in the trace) keep
/// their time; the others take the time of the compute model.
Trace retimed(const Trace& trace, const ComputeModel& compute, double speed);

/// The phase of a trace that models are compared with: 'communication' if it is marked or if nothing is marked, else
/// the phase with the most messages and collectives ('program' before the first mark).
std::string communication_phase(const Trace& trace);

}  // namespace orrery
