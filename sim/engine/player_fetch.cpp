// What the events to come will read is fetched beforehand: each line that is not in a cache would cost as much as 500
// instructions, and one leads to the next. One step per entry of the queue, a few entries apart.
//
//   entries ahead   a rank                                           a message that starts its flow
//   13              its first cache lines                            the message
//   10              its program; its message or what waits for it    where the class of its route is known
//   7               the coroutine that runs next; sending: the       that class
//                   route; what waits at the receiver
//   4               what that is made from; sending: the first       its resources
//                   entry there
//   1                                                                those of the other users
#include "sim/engine/player.hpp"

namespace orrery::engine {

void Player::fetch_ahead() const {
  const auto look = [&](std::size_t distance, auto of_a_rank, auto of_a_message) {
    const DateQueue::Entry* entry = timers_.ahead(distance);
    if (entry == nullptr) return;
    if (const TimerOwner owner{entry->what}; owner.is_rank())
      of_a_rank(processes_[index(owner.rank())]);
    else
      of_a_message(messages_[owner.message()]);
  };
  const auto itself = [](const Process& process) { fetch_lines(&process, 2); };
  const auto next_step = [this](const Process& process) { fetch_next_step(process); };
  const auto route_and_receiver = [this](const Process& process) {
    process.program.fetch_innermost();
    if (process.state != State::sending) return;
    const Message& message = messages_[process.message];
    matching_.fetch_queue(message.to);
    protocol_.fetch_transfer(message.from, message.to);
    fetch(&process.requests[message.send_slot]);
  };
  const auto first_entry = [this](const Process& process) {
    process.program.fetch_source();
    if (process.state != State::sending) return;
    matching_.fetch_entry(messages_[process.message].to, messages_[process.message].from);
  };
  const auto start_in = [this](int steps) {
    return [this, steps](const Message& message) {
      if (message.transfer.wire != no_route) sink_.fetch_start(message.transfer.wire, steps);
    };
  };
  look(13, itself, [](const Message& message) { fetch(&message); });
  look(10, next_step, start_in(3));
  look(7, route_and_receiver, start_in(2));
  look(4, first_entry, start_in(1));
  look(
      1, [](const Process&) {}, start_in(0));
  if (!free_messages_.empty()) fetch(&messages_[free_messages_.back()]);  // the next to be sent
}

void Player::fetch_next_step(const Process& process) const {
  process.program.fetch_outermost();
  if (process.state == State::sending) return fetch(&messages_[process.message]);
  const Rank rank{static_cast<std::uint32_t>(&process - processes_.data())};
  matching_.fetch_queue(rank);
  recording_.fetch_rank(rank);
}

void Player::fetch_end(FlowId flow, int steps_to_end) const {
  const FlowOwner owner{flow};
  if (owner.is_rank()) return fetch(&processes_[index(owner.rank())]);
  const Message& message = messages_[owner.message()];
  if (steps_to_end > 1) return fetch(&message);
  fetch(&processes_[index(message.from)]);
  fetch(&processes_[index(message.to)]);
}

}  // namespace orrery::engine
