/// Messages that progress only while their ranks are inside MPI calls (ChannelProperties::progress in-calls), and which
/// ranks are inside. A rendezvous message needs each of its ranks once, in this order:
///
///   answer   the receiver, inside a call, once its receive is posted and the request has come
///   data     the sender, inside a call, once the answer has come: the rest of a handshake later
///
/// A rank that is not inside takes up the message when it enters its next call. A call that begins, or a wait that
/// ends, at the same instant as the arrival still sees it: their order is only rounding.
///
/// Differs  once its data have begun to move they go on, whether the ranks stay inside their calls or not
/// Checked  tests/replay/progress_test.cpp
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "sim/core/ids.hpp"
#include "sim/engine/ids.hpp"

namespace orrery::engine {

class InCalls {
 public:
  explicit InCalls(std::uint32_t ranks) : ranks_(ranks) {}

  /// Holds a message whose answer takes `answer` s.
  void hold(MessageId message, double answer) {
    if (index(message) >= held_.size()) held_.resize(index(message) + 1);
    held_[index(message)] = {answer, true, false};
  }
  bool holds(MessageId message) const { return index(message) < held_.size() && held_[index(message)].is_held; }
  bool is_answered(MessageId message) const { return held_[index(message)].is_answered; }
  double answer_takes(MessageId message) const { return held_[index(message)].answer; }
  /// The receiver answers; returns how long that takes.
  double answer(MessageId message) {
    held_[index(message)].is_answered = true;
    return answer_takes(message);
  }
  void release(MessageId message) { held_[index(message)].is_held = false; }

  bool inside(Rank rank) const { return ranks_[index(rank)].inside; }
  double left(Rank rank) const { return ranks_[index(rank)].left; }  ///< its last call
  /// The messages that have waited for the rank to enter a call.
  std::vector<MessageId> enter(Rank rank) {
    ranks_[index(rank)].inside = true;
    return std::exchange(ranks_[index(rank)].waiting, {});
  }
  void leave(Rank rank, double now) {
    if (!ranks_[index(rank)].inside) return;
    ranks_[index(rank)].inside = false;
    ranks_[index(rank)].left = now;
  }
  void wait_for(Rank rank, MessageId message) { ranks_[index(rank)].waiting.push_back(message); }

 private:
  struct Held {
    double answer = 0.0;
    bool is_held = false, is_answered = false;
  };
  struct OfRank {
    bool inside = false;
    double left = -std::numeric_limits<double>::infinity();
    std::vector<MessageId> waiting;
  };
  std::vector<Held> held_;  ///< [messages]
  std::vector<OfRank> ranks_;
};

}  // namespace orrery::engine
