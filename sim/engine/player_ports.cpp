// Messages through first-in-first-out ports (ports.hpp), in the place of a flow over the wire; starts and overheads
// that vary; processors that all ranks share; ranks that sleep; messages that wait for their turn before their wire
// (send_queues.hpp).
#include <algorithm>

#include "sim/engine/player.hpp"

namespace orrery::engine {

void Player::start(Rank rank, double after) {
  if (!(start_skew_ > 0.0) && !(after > 0.0)) return resume(rank);
  processes_[index(rank)].state = State::starting;
  double late = after;
  if (start_skew_ > 0.0) {
    if (overheads_.empty()) overheads_.resize(processes_.size());
    late += start_skew_ * uniform(static_cast<std::uint64_t>(options_.seed), index(rank), overheads_[index(rank)]++);
  }
  timers_.push(now_ + late, TimerOwner{rank}.token());
}

void Player::give_up_processor(Rank rank) {
  const Process& process = processes_[index(rank)];
  const bool waits = process.state == State::sleeping || process.state == State::send_wait ||
                     process.state == State::receive_wait || process.state == State::barrier ||
                     process.state == State::done || (process.state == State::waiting && !process.core_busy);
  if (!waits) return;
  if (const auto next = processors_->give_up(rank, now_))
    timers_.push(now_ + next->seconds, TimerOwner{next->rank}.token());
}

/// A timer of a rank whose work ended sooner than it looked.
bool Player::is_stale(Rank rank) {
  if (const Process& process = processes_[index(rank)]; process.state == State::sleeping)
    return now_ < process.polling->wakes;
  return kept_cores_ && kept_cores_->keeps(rank) && processes_[index(rank)].state != State::starting &&
         !kept_cores_->ends(rank, now_);
}

/// Its core is free for others meanwhile, and it has no activity.
bool Player::perform_sleep(Rank rank, const Compute& sleep) {
  Process& process = processes_[index(rank)];
  const double seconds = compute_.sampled_time(sleep, rank, process.computes++).si();
  if (!(seconds > 0.0)) return true;
  process.state = State::sleeping;
  if (history_ && process.time_shared) history_->shares_cores(rank, seconds);
  polling(rank).wakes = now_ + seconds;
  timers_.push(now_ + seconds, TimerOwner{rank}.token());
  return false;
}

double Player::varied_overhead(Rank rank, Rank peer, double overhead) {
  if (overheads_.empty()) overheads_.resize(processes_.size());
  return varied(overhead, protocol_.overhead_variation(rank, peer), static_cast<std::uint64_t>(options_.seed),
                index(rank), overheads_[index(rank)]++);
}

/// Which of a message's flows is the wire.
std::uint32_t Player::wire_flow(const Message& message) const {
  return message.transfer.sender_staging + message.transfer.sender_copies;
}

/// From where to where it goes: the data and the last part of a request as the message does, the last part of an answer
/// back from the receiver.
std::pair<NodeId, NodeId> Player::ends_of_leg(const Message& message) const {
  const NodeId from = protocol_.node(message.from), to = protocol_.node(message.to);
  const std::uint32_t left = message.handshakes_left, answers = protocol_.answers();
  const bool back = left > answers ? (left - answers) % 2 == 0 : left % 2 == 1;
  return back ? std::pair(to, from) : std::pair(from, to);
}

double Player::bytes_of_leg(const Message& message) const {
  if (message.handshakes_left > 0) return 0.0;
  return message.repeat * flow_of(message, wire_flow(message)).bytes;
}

double Player::forwarded() { return processors_->forward(now_, forwarding_ / 2.0, forwarding_next_ / 2.0); }

void Player::begin_leg(MessageId i) {
  Message& message = messages_[i];
  if (forwarding_ > 0.0) {
    message.leg = Leg::entering;
    timers_.push(forwarded(), TimerOwner{i}.token());
  } else {
    enter_ports(i);
  }
  if (message.handshakes_left == 0 && !message.sender_free) send_complete(message);
}

void Player::enter_ports(MessageId i) {
  Message& message = messages_[i];
  const auto [from, to] = ends_of_leg(message);
  const double latency = message.handshakes_left > 0 ? protocol_.latency(from, to) : message.transfer.delay;
  message.leg = Leg::arriving;
  timers_.push(ports_->enter(now_, from, to, bytes_of_leg(message), std::max(0.0, latency - forwarding_)),
               TimerOwner{i}.token());
}

void Player::leg_over(MessageId i) {
  Message& message = messages_[i];
  const auto [from, to] = ends_of_leg(message);
  switch (message.leg) {
    case Leg::entering:
      return enter_ports(i);
    case Leg::arriving:
      message.leg = Leg::leaving;
      return timers_.push(ports_->leave(now_, from, to, bytes_of_leg(message)), TimerOwner{i}.token());
    case Leg::leaving:
      if (forwarding_ > 0.0) {
        message.leg = Leg::delivered;
        return timers_.push(forwarded(), TimerOwner{i}.token());
      }
      break;
    default:
      break;
  }
  message.leg = Leg::none;
  if (message.handshakes_left == 0) return flow_of_message_ended(i, wire_flow(message));
  --message.handshakes_left;
  if (message.receive_slot == no_slot && !requests_ahead(message)) return;  // until its receive is posted
  start_transfer(i);
}

/// None where its flows up to this one, from where others of it ended, are not its wire, or nothing waits for that.
Player::Line Player::line_of(const Message& message, std::uint32_t end) const {
  const Transfer& transfer = message.transfer;
  if (!transfer.pipelined && end != protocol_.end_of_group(transfer, wire_flow(message))) return {};
  const std::uint32_t queues = protocol_.send_queues();
  if (transfer.medium == Medium::network && queues > 0) {
    const ResourceId adapter = sending_adapter(message);
    return {2 * static_cast<std::uint32_t>(adapter), queues, adapter};
  }
  if (transfer.medium == Medium::in_switches && transfer.between_nodes) {
    require_order("switches of the network reduce");
    return {2 * static_cast<std::uint32_t>(transfer.wire) + 1, 1, routes_.resources(transfer.wire).front()};
  }
  return {};
}

/// Its last byte is out: the next message goes.
void Player::end_turn(MessageId i, const Line& line) {
  const auto [next, since] = queues_->end(line.number, i);
  if (next == no_message) return;
  if (history_) {
    const Hold held{line.held_by, now_ - since};
    history_->flowed(next, {messages_[next].from, messages_[next].to}, since, PathKind::transfer, {&held, 1}, now_);
  }
  next_flows(next);
}

Use Player::use(ResourceId resource) const {
  Use use = sink_.use(resource);
  if (alike_) {
    use.bytes += alike_->use(resource).bytes;
    use.busy += alike_->use(resource).busy;
  }
  if (!ports_) return use;
  const auto link = static_cast<std::uint32_t>(resource);
  const std::uint32_t nodes = ports_->nodes();
  if (link >= 2 * nodes) return use;
  const Use through = link < nodes ? ports_->use_out(NodeId{link}) : ports_->use_in(NodeId{link - nodes});
  use.bytes += through.bytes;
  use.busy += through.busy;
  return use;
}

}  // namespace orrery::engine
