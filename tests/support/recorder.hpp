/// Runs a program without a clock: every step of every rank, and who received which message.
///
/// For tests that look at a whole program at once. Memory grows with the program.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/program.hpp"

namespace orrery {

struct Recording {
  std::string program;
  std::vector<std::vector<Step>> steps;                                 ///< [ranks]
  std::vector<std::shared_ptr<const CollectiveCall>> collectives = {};  ///< what the marks among the steps point to
  std::vector<std::shared_ptr<const std::vector<Rank>>> teams = {};

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(steps.size()); }
};

Recording record(const Program& program);

/// A message and the steps that sent and received it (indices into `Recording::steps` of its two ranks).
struct RecordedMessage {
  Rank from{}, to{};
  Bytes size;
  Tag tag{};
  bool blocking = false;  ///< sent by a blocking send
  std::size_t sent_at = 0, received_at = 0;
};

/// When a send is over: as soon as it is posted (eager), or only once it is received (as MPI_Ssend, and as a
/// rendezvous). A program that finishes only under `posted` relies on buffering.
enum class SendEnds : std::uint8_t { posted, received };

struct MatchedRun {
  std::vector<RecordedMessage> messages;  ///< in the order in which receives matched them
  std::string defect;                     ///< empty when every rank finished and every message arrived
};

/// Plays the recording with MPI's matching: same communicator, source or any, tag or any, non-overtaking. Ranks run in
/// turn until they block, so the result is the same every time. Defects: a rank that waits for ever, a message nobody
/// receives, a receive of another size, a request waited for that was never posted, a barrier not everybody enters.
MatchedRun match_messages(const Recording& recording, SendEnds send_ends = SendEnds::posted);

}  // namespace orrery
