// Messages that move only while their ranks are inside MPI calls: in_calls.hpp.
#include "sim/engine/player.hpp"

namespace orrery::engine {

bool Player::is_in_call(Rank rank) const { return in_calls_->inside(rank) || !seen(in_calls_->left(rank)); }

void Player::enter_call(Rank rank) {
  for (const MessageId message : in_calls_->enter(rank)) {
    const bool answered = in_calls_->is_answered(message);
    if (history_) history_->taken_up(message, rank, answered ? 0.0 : in_calls_->answer_takes(message));
    if (answered)
      answer_came(message);
    else
      request_came(message);
  }
}

/// A message that such a rank has to answer and to send is not started: its receive is posted.
void Player::negotiate(MessageId message) {
  const double comes = messages_[message].request_comes();
  if (comes > now_) return timers_.push(comes, TimerOwner{message}.token());
  request_came(message);
}

void Player::request_came(MessageId message) {
  if (!is_in_call(messages_[message].to)) return in_calls_->wait_for(messages_[message].to, message);
  const double answer = in_calls_->answer(message);
  if (answer > 0.0) return timers_.push(now_ + answer, TimerOwner{message}.token());
  answer_came(message);
}

void Player::answer_came(MessageId message) {
  if (!is_in_call(messages_[message].from)) return in_calls_->wait_for(messages_[message].from, message);
  in_calls_->release(message);
  start_transfer(message);
}

}  // namespace orrery::engine
