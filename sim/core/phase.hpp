/// The view that an analytic model has of a program: phases.
///
/// A phase is a DAG of messages and compute steps in program order, with a repeat count, plus a *composition*: ordered
/// stages, in each of which one rank's transmissions form a sequence or a set. The composition is
///   declared  by stage marks: inside a stage, consecutive transmissions of a rank follow each other (`sequence`) or
///             start together (`set`); a stage starts when the one before it has ended on every rank, because papers
///             compose so (Rico-Gallego et al. 2016, section 4.1: pivot column, then pivot row);
///   derived   otherwise: a blocking send precedes whatever its rank does next; a blocking receive or a wait precedes
///             what comes after it; non-blocking sends between two waits form a set. Stages are then dependency levels.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/program.hpp"

namespace orrery {

inline constexpr std::uint32_t no_collective = 0xffffffffu;

/// One transmission.
struct Message {
  Rank from{}, to{};
  Bytes size;
  Tag tag{};
  bool blocking = false;             ///< sent by a blocking send
  std::uint32_t stage = 0;           ///< declared stage, or dependency level when derived
  std::vector<std::uint32_t> after;  ///< messages of this phase that end before this one starts, ascending
  /// The receiver had been idle, waiting for this message, for at least one whole dependency level before it was sent
  /// (condition 2 of Meyer 2012, equation 5.4).
  bool receiver_waiting = false;
  bool received_in_phase = true;             ///< false: its receive lies in a later phase
  bool overlapped = false;                   ///< its sender computed in this phase while the message was in flight
  std::uint32_t repeat = 1;                  ///< a train of `repeat` equal messages; `size` is their sum
  std::uint32_t collective = no_collective;  ///< index into Phase::collectives
};

/// One collective of the phase, for models that treat a whole collective by a closed form.
struct PhaseCollective {
  CollectiveCall call;
  std::vector<std::uint32_t> messages;  ///< indices into Phase::messages, ascending
};

struct Stage {
  std::string name;
  Composition composition = Composition::set;

  bool operator==(const Stage&) const = default;
};

/// Consecutive identical compute steps of one rank inside the phase, in program order.
struct ComputeItem {
  Rank rank{};
  Compute compute;
  std::uint32_t repeat = 1;
  bool overlapped = false;  ///< while non-blocking transfers of the rank were in flight

  bool operator==(const ComputeItem&) const = default;
};

struct Phase {
  std::string name;
  std::uint32_t ranks = 0;
  std::uint64_t repeat = 1;  ///< consecutive iterations with identical content
  std::uint32_t first_iteration = 0;
  bool declared = false;         ///< stages come from stage marks
  bool starts_together = false;  ///< an ideal barrier precedes the phase
  std::vector<Stage> stages;
  std::vector<Message> messages;      ///< by stage, then sender, then program order
  std::vector<ComputeItem> computes;  ///< by rank, then program order
  /// By lowest member, then in its program order. An alltoallv has the largest of its members' sizes.
  std::vector<PhaseCollective> collectives;
};

/// Splits a program into phases at its phase and iteration marks; equal consecutive iterations become one phase with a
/// repeat count. Reads all ranks in lock step, so only one iteration is in memory at a time.
/// `tell` is called after each iteration with the number of iterations of phases read so far.
/// Throws ReplayError if a receive has no send or if the ranks disagree on their marks.
std::vector<Phase> build_phases(const Program& program, const std::function<void(std::uint64_t)>& tell = {});

}  // namespace orrery
