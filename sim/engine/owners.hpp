/// The owner of a timer or a flow of the player, as the single number that queues and engines store.
///
///   timer   a rank (its core becomes free) or a message (its delay is over)
///   flow    a rank's, over time-shared cores, or one of a message, by number: below `unexpected_flow` those of its
///           transfer, in order
///
/// The top bit distinguishes ranks from messages; 26 bits number the messages in flight.
#pragma once

#include <cstdint>

#include "sim/engine/ids.hpp"

namespace orrery::engine {

inline constexpr std::uint32_t unexpected_flow = 31;  ///< the copy of an unexpected message

class TimerOwner {
 public:
  explicit TimerOwner(Rank rank) : token_(of_rank | static_cast<std::uint32_t>(rank)) {}
  explicit TimerOwner(MessageId message) : token_(static_cast<std::uint32_t>(message)) {}
  explicit TimerOwner(std::uint32_t token) : token_(token) {}
  std::uint32_t token() const { return token_; }
  bool is_rank() const { return (token_ & of_rank) != 0; }
  Rank rank() const { return Rank{token_ & ~of_rank}; }
  MessageId message() const { return MessageId{token_}; }

  static constexpr std::uint32_t of_rank = 0x80000000u;

 private:
  std::uint32_t token_;
};

class FlowOwner {
 public:
  explicit FlowOwner(Rank rank) : token_(TimerOwner::of_rank | static_cast<std::uint32_t>(rank)) {}
  FlowOwner(MessageId message, std::uint32_t flow)
      : token_((static_cast<std::uint32_t>(message) << flow_bits) | flow) {}
  explicit FlowOwner(FlowId flow) : token_(static_cast<std::uint32_t>(flow)) {}
  FlowId id() const { return FlowId{token_}; }
  bool is_rank() const { return (token_ & TimerOwner::of_rank) != 0; }
  Rank rank() const { return Rank{token_ & ~TimerOwner::of_rank}; }
  MessageId message() const { return MessageId{token_ >> flow_bits}; }
  std::uint32_t flow() const { return token_ & ((1u << flow_bits) - 1); }

 private:
  static constexpr std::uint32_t flow_bits = 5;
  std::uint32_t token_;
};

}  // namespace orrery::engine
