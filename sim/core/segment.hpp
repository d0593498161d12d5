/// A rank's program between two marks, reduced to what determines the order of its messages: the input for a phase.
#pragma once

#include <optional>
#include <vector>

#include "sim/core/phase.hpp"

namespace orrery {

inline constexpr std::uint32_t none = 0xffffffffu;

/// A send or receive as one rank performs it, in program order.
struct Transfer {
  Rank peer{};
  Bytes size;
  Tag tag{};
  Communicator communicator{};
  bool is_send = false;
  bool blocking = false;
  RequestId request{};
  std::uint32_t repeat = 1;         ///< messages of a train; `size` is their sum
  std::uint32_t stage = none;       ///< declared stage, if any
  std::uint32_t collective = none;  ///< index into Segment::collectives; once entered, into Phase::collectives
  std::uint32_t message = none;     ///< index into Phase::messages once matched
  bool overlapped = false;          ///< its rank computed between its post and its wait, in this segment

  bool operator==(const Transfer&) const = default;
};

/// An action of a rank between two marks.
struct Action {
  enum class Kind : std::uint8_t { transfer, wait, wait_all, stage } kind;
  std::uint32_t transfer = none;  ///< index into Segment::transfers
  RequestId first{};
  std::uint32_t count = 1;
  std::uint32_t stage = none;

  bool operator==(const Action&) const = default;
};

struct Segment {
  const char* phase = default_phase;
  std::uint32_t iteration = 0;
  bool ended = false;  ///< the rank's program ended before this segment
  bool starts_together = false;
  std::vector<Action> actions;
  std::vector<Transfer> transfers;
  std::vector<ComputeItem> computes;
  std::vector<CollectiveCall> collectives;  ///< in program order

  bool same_content(const Segment& other) const;  ///< compares all but the iteration; both unmatched
};

/// Reads one rank's program a segment at a time; a segment ends where a phase or iteration mark follows.
class RankReader {
 public:
  RankReader(const Program& program, Rank me) : me_(me), steps_(program.steps(me)) {}

  /// Stage marks are added to `phase` when they are read.
  Segment next_segment(Phase& phase);
  bool done() const { return done_; }

 private:
  struct Adder;
  /// A non-blocking transfer that has not been waited for; one of an earlier segment has no index.
  struct Open {
    RequestId request;
    std::uint32_t transfer = none;
  };

  Rank me_;
  Generator<Step> steps_;
  std::uint64_t pulled_ = 0;
  const char* phase_ = default_phase;
  std::uint32_t iteration_ = 0;
  std::uint32_t stage_ = none;
  std::vector<Open> open_;
  std::optional<CollectiveCall> inside_;  ///< a collective that has begun but not ended
  bool barrier_pending_ = false, barrier_last_ = false, done_ = false;
};

}  // namespace orrery
