// What the events to come will read is fetched beforehand: each line that is not in a cache would cost as much as 500
// instructions, and one leads to the next. One step per entry of the queue, a few entries apart.
//
//   entries ahead   a rank                                           a message that starts its flow
//   13              its first cache lines                            the message
//   10              its program; its message or what waits for it    where the class of its route is known
//   7               sending: the route; what waits at the receiver   that class
//   4               sending: the first entry there                   its resources
//   1                                                                those of the other users
#include "sim/replay/player.hpp"

namespace orrery::replay {

void Player::fetch_ahead() const {
  const auto rank_at = [&](std::size_t distance) -> const Process* {
    const DateQueue::Entry* entry = timers_.ahead(distance);
    return entry != nullptr && (entry->what & of_rank) != 0 ? &processes_[entry->what & ~of_rank] : nullptr;
  };
  if (const Process* process = rank_at(13)) fetch_lines(process, 2);
  if (const Process* process = rank_at(10)) {
    const Rank rank{static_cast<std::uint32_t>(process - processes_.data())};
    process->program.fetch_frame();
    if (process->state == State::sending) {
      fetch(&messages_[process->message]);
    } else {
      matching_.fetch_queue(rank);
      recording_.fetch_rank(rank);
    }
  }
  if (const Process* process = rank_at(7); process != nullptr && process->state == State::sending) {
    const Message& message = messages_[process->message];
    matching_.fetch_queue(message.to);
    protocol_.fetch_transfer(message.from, message.to);
    fetch(&process->requests[message.send_slot]);
  }
  if (const Process* process = rank_at(4))
    if (process->state == State::sending)
      matching_.fetch_entry(messages_[process->message].to, messages_[process->message].from);

  const auto message_at = [&](std::size_t distance) -> const Message* {
    const DateQueue::Entry* entry = timers_.ahead(distance);
    return entry != nullptr && (entry->what & of_rank) == 0 ? &messages_[entry->what] : nullptr;
  };
  if (const Message* message = message_at(13)) fetch(message);
  if (!free_messages_.empty()) fetch(&messages_[free_messages_.back()]);  // the next to be sent
  std::size_t distance = 1;
  for (int steps = 0; steps <= 3; ++steps, distance += 3)
    if (const Message* message = message_at(distance))
      if (message->transfer.wire != no_route) sink_.fetch_start(message->transfer.wire, steps);
}

void Player::fetch_end(FlowId flow, int steps_to_end) const {
  if ((flow & of_rank) != 0) return fetch(&processes_[flow & ~of_rank]);
  const Message& message = messages_[flow >> flow_bits];
  if (steps_to_end > 1) return fetch(&message);
  fetch(&processes_[index(message.from)]);
  fetch(&processes_[index(message.to)]);
}

}  // namespace orrery::replay
