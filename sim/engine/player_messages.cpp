// The life of a message in the player: protocol.hpp says what happens when.
#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "sim/core/error.hpp"
#include "sim/core/trace_streams.hpp"
#include "sim/engine/player.hpp"

namespace orrery::engine {

MessageId Player::new_message() {
  if (free_messages_.empty()) return messages_.add();
  const MessageId i = free_messages_.back();
  free_messages_.pop_back();
  return i;
}

bool Player::perform_send(Rank rank, const Send& send, Slot slot, bool blocking) {
  Process& process = processes_[index(rank)];
  if (index(send.to) >= processes_.size())
    throw ReplayError("rank {} sends to rank {} (ranks are 0..{}; {}, t={:.6g}s)", index(rank), index(send.to),
                      processes_.size() - 1, program_.name(), now_);
  require_number(send.message.si(), "sends", "B", rank);
  process.requests[slot] = {send.to, send.tag, send.communicator, 1, send.message.si()};

  const MessageId i = new_message();
  Message& message = messages_[i];
  message = Message{.bytes = send.message.si(),
                    .from = rank,
                    .to = send.to,
                    .repeat = std::max(send.repeat, 1u),
                    .send_slot = slot,
                    .blocking = blocking,
                    .by_gpus = send.in_switch != InSwitch::nothing || send.communicator == between_streams ||
                               (send.protocol != GpuProtocol::none && protocol_.by_gpus(rank, send.to))};
  process.message = i;
  process.peer = send.to;
  process.bytes = send.message;
  if (send.communicator != between_streams) messages_started_ += message.repeat;
  if (message.by_gpus) return launch(i, &send), false;
  double overhead = message.repeat * protocol_.send_overhead(rank, send.to, send.message, blocking);
  if (protocol_.overheads_vary()) overhead = varied_overhead(rank, send.to, overhead);
  if (protocol_.has_block_overhead() && send.message <= collectives_.block(rank))
    overhead += message.repeat * protocol_.block_overhead(rank, send.to, send.message);
  if (!occupy_core(rank, overhead, State::sending)) return false;
  launch(i);
  return false;
}

/// The overhead is paid: the envelope leaves and the sender goes on or blocks.
void Player::launch(MessageId i, const Send* by_gpus) {
  if (protocol_.pairs() > pairs_max_) forget_unused_routes();
  Message& message = messages_[i];
  const Rank sender = message.from;
  Handshake handshake;
  message.transfer = by_gpus != nullptr ? protocol_.transfer_by_gpus(sender, message.to, Bytes{message.bytes}, *by_gpus,
                                                                     collectives_.team(sender))
                                        : protocol_.transfer(sender, message.to, Bytes{message.bytes}, &handshake);
  if (history_) history_->sent(i, sender, {message.repeat * handshake.all, handshake.request});
  if (ports_ && message.transfer.wire != no_route && handshake.all > 0.0) {
    message.transfer.delay -= handshake.all;
    message.handshakes_left = protocol_.handshakes() & 15u;
  }
  const bool held = in_calls_ && !message.transfer.eager && by_gpus == nullptr &&
                    protocol_.moves_in_calls(message.transfer.medium, sender);
  if (held) {
    message.transfer.delay -= handshake.all;
    in_calls_->hold(i, message.repeat * handshake.all - handshake.request);
  }
  message.transfer.delay *= message.repeat;
  if (handshake.request > 0.0 && message.handshakes_left == 0) {
    if (!held) message.transfer.delay -= handshake.request;
    message.request_comes_at(now_ + handshake.request);
  }
  if (by_gpus == nullptr || by_gpus->communicator != between_streams) {
    recording_.message(sender, message.transfer.kind(), Bytes{message.bytes}, message.repeat);
    if (jobs_) jobs_->sent(sender, Bytes{message.bytes}, message.repeat);
  }
  recording_.sent(i, sender, processes_[index(sender)].since);
  const bool detached = message.transfer.detached, blocking = message.blocking;
  if (detached) {
    send_complete(message);
    if (blocking) end_interval(sender, Activity::send);
  }
  if (!blocking) end_interval(sender, Activity::send);
  if (detached || !blocking)
    resume(sender);
  else
    processes_[index(sender)].state = State::send_wait;
  const bool eager = message.transfer.eager;
  const Request& request = processes_[index(sender)].requests[message.send_slot];
  const Slot slot = matching_.offer(message.to, {sender, request.tag, request.communicator}, i, now_);
  if (slot != no_slot) matched(i, slot);
  if (eager || (slot == no_slot && requests_ahead(message))) start_transfer(i);
}

void Player::post_receive(Rank rank, Slot slot, const Recv& recv) {
  Process& process = processes_[index(rank)];
  if (recv.from != any_rank && index(recv.from) >= processes_.size())
    throw ReplayError("rank {} receives from rank {} (ranks are 0..{}; {}, t={:.6g}s)", index(rank), index(recv.from),
                      processes_.size() - 1, program_.name(), now_);
  if (recv.from == any_rank) require_order("a rank receives from any source");
  process.requests[slot] = {recv.from, recv.tag, recv.communicator, 1, recv.message.si()};
  const MessageId message = matching_.request(rank, {recv.from, recv.tag, recv.communicator}, slot);
  if (message != no_message) matched(message, slot);
}

bool Player::perform_receive(Rank rank, const Recv& recv) {
  Process& process = processes_[index(rank)];
  process.state = State::receive_wait;
  process.peer = recv.from;
  process.bytes = recv.message;
  post_receive(rank, process.requests.open_blocking(true), recv);
  return false;
}

void Player::matched(MessageId i, Slot slot) {
  Message& message = messages_[i];
  message.receive_slot = slot;
  if (message.leg != Leg::none) return;  // its request is on its way through ports, and then finds the receive
  if (history_ && (!message.transfer.eager || message.arrived)) history_->met(i, message.to);
  if (!message.transfer.eager) return start_transfer(i);
  if (!message.arrived) return;
  if (!seen(message.arrived_at())) return received(i);
  if (processes_[index(message.to)].requests[slot].communicator != between_streams) ++unexpected_;
  if (message.bytes > 0.0 && message.transfer.medium != Medium::gpu_links && !message.by_gpus)
    return start_flow(i, unexpected_flow);
  received(i);
}

void Player::start_transfer(MessageId i) {
  if (in_calls_ && in_calls_->holds(i)) return negotiate(i);
  if (messages_[i].handshakes_left > 0) return begin_leg(i);  // in turn there and back
  Message& message = messages_[i];
  if (protocol_.adapts(message.transfer))
    protocol_.take_least_loaded(message.transfer, message.from, message.to, message.bytes);
  const double delay = message.transfer.delay;
  const bool waits = delay > 0.0 || message.request_comes() > now_;
  if (waits && !crosses_ports(message))
    return timers_.push(std::max(now_, message.request_comes()) + delay, TimerOwner{i}.token());
  next_flows(i);
}

void Player::delayed(MessageId i) {
  if (in_calls_ && in_calls_->holds(i)) return in_calls_->is_answered(i) ? answer_came(i) : request_came(i);
  if (messages_[i].leg != Leg::none) return leg_over(i);
  if (history_) {
    const Message& message = messages_[i];
    if (protocol_.flows(message.transfer) == 0 || message.bytes <= 0.0)
      history_->delayed(i, {message.from, message.to}, now_);
  }
  next_flows(i);
}

/// Starts the next flow, or all of them when they are pipelined; the message has arrived when none is left.
void Player::next_flows(MessageId i) {
  Message& message = messages_[i];
  const std::uint32_t flows = protocol_.flows(message.transfer);
  if (message.next_flow == flows) return arrived(i);
  if (message.bytes <= 0.0) {
    if (!crosses_ports(message)) return arrived(i);
    message.next_flow = static_cast<std::uint8_t>(flows);
    return start_flow(i, wire_flow(message));  // headers alone
  }
  const std::uint32_t last =
      message.transfer.pipelined ? flows : protocol_.end_of_group(message.transfer, message.next_flow);
  if (queues_)
    if (const Line line = line_of(message, last);
        line.queues > 0 && !queues_->has_turn(line.number, line.queues, i, now_))
      return;
  while (message.next_flow < last) start_flow(i, message.next_flow++);
}

FlowPlan Player::flow_of(const Message& message, std::uint32_t k) const {
  if (k == unexpected_flow) return protocol_.unexpected_copy(message.transfer, message.to, message.bytes);
  FlowPlan plan = protocol_.flow(message.transfer, message.from, message.to, message.bytes, k);
  if (message.by_gpus) plan.bytes += protocol_.gap_bytes(message.transfer, k);
  return plan;
}

void Player::start_flow(MessageId i, std::uint32_t k) {
  Message& message = messages_[i];
  const FlowPlan flow = flow_of(message, k);
  const bool in_turn = is_through_ports(message, k);
  message.flows_begin(now_ + (in_turn ? message.transfer.delay : 0.0));
  ++message.flows_running;
  if (jobs_) jobs_->carried(message.from, routes_.resources(flow.route), message.repeat * flow.bytes);
  if (alike_) alike_->flow_starts(routes_.resources(flow.route), now_);
  if (in_turn) return begin_leg(i);
  sink_.start_flow(FlowOwner{i, k}.id(), flow.route, message.repeat * flow.bytes, flow.cap);
}

void Player::flow_of_message_ended(MessageId i, std::uint32_t k) {
  Message& message = messages_[i];
  message.flows_begin(
      std::min(message.flows_began(), now_));  // a switch at work forwards sooner than the latency has it
  if (history_ && message.flows_running == 1) remember_flow(i, k, flow_of(message, k));
  if (alike_) alike_->flow_ends(routes_.resources(flow_of(message, k).route));
  if (protocol_.adapts(message.transfer)) protocol_.wire_ended(message.transfer, k);
  --message.flows_running;
  if (k == unexpected_flow) return received(i);
  if (message.flows_running > 0) return;
  if (queues_)
    if (const Line line = line_of(message, message.next_flow); line.queues > 0) end_turn(i, line);
  next_flows(i);
}

/// Of flows that run together only the last to end.
void Player::remember_flow(MessageId i, std::uint32_t k, const FlowPlan& plan) {
  const Message& message = messages_[i];
  holds_.clear();
  if (is_through_ports(message, k))
    holds_.push_back({routes_.resources(plan.route).back(), now_ - message.flows_began()});
  else
    sink_.holds_of(plan.route, plan.cap, message.flows_began(), holds_);
  const bool copied = k == unexpected_flow;
  history_->flowed(i, {message.from, message.to}, copied ? 0.0 : message.flows_began(),
                   copied ? PathKind::unexpected_copy : protocol_.kind(message.transfer, k), holds_, now_);
}

/// Of the first part, which is all of a message that is not striped. Graphs have a plain link there.
ResourceId Player::sending_adapter(const Message& message) const {
  const auto way = routes_.resources(message.transfer.wire);
  const auto found =
      std::ranges::find(way, ResourceKind::nic_out, [this](ResourceId id) { return resources_.kind(id); });
  return found != way.end() ? *found : way.front();
}

void Player::arrived(MessageId i) {
  Message& message = messages_[i];
  message.arrives(now_);
  messages_arrived_ += message.repeat;
  if (!message.sender_free) send_complete(message);
  if (message.receive_slot != no_slot) received(i);
}

void Player::send_complete(Message& message) {
  message.sender_free = true;
  const Rank rank = message.from;
  Process& process = processes_[index(rank)];
  if (message.blocking) {
    if (process.state != State::send_wait) return;
    if (history_) history_->waited(rank, messages_.id_of(message), {message.from, message.to});
    end_interval(rank, Activity::send);
    return resume(rank);
  }
  if (!process.requests.is_awaited(message.send_slot)) return request_completed(rank, message.send_slot, message);
  if (history_ && !process.core_busy) history_->waited(rank, messages_.id_of(message), {message.from, message.to});
  process.requests.close(message.send_slot);
  --process.awaited;
  if (go_on_waiting(rank)) resume(rank);
}

void Player::received(MessageId i) {
  const Message& message = messages_[i];
  if (recording_.keeps(message.from, message.to))
    recording_.received(i, {message.from, message.to, Seconds{}, Seconds{now_}, message.repeat * Bytes{message.bytes},
                            protocol_.way_taken(message.transfer, message.from, message.to, message.bytes)});
  receive_complete(message.to, message.receive_slot, message);
  release(i);
}

void Player::receive_complete(Rank rank, Slot slot, const Message& message) {
  Process& process = processes_[index(rank)];
  double overhead = message.by_gpus ? 0.0
                                    : message.repeat * protocol_.receive_overhead(message.transfer.medium, rank,
                                                                                  Bytes{message.bytes});
  if (protocol_.overheads_vary()) overhead = varied_overhead(rank, message.from, overhead);
  if (slot == Requests::blocking) {
    if (history_) history_->waited(rank, messages_.id_of(message), {message.from, message.to});
    if (!occupy_core(rank, overhead, State::receiving)) return;
    end_interval(rank, Activity::receive);
    return resume(rank);
  }
  if (!process.requests.is_awaited(slot)) {
    Request& request = process.requests[slot];  // what came, for whoever waits for it
    request.peer = message.from;
    request.repeat = message.by_gpus ? 0 : message.repeat;
    request.bytes = message.bytes;
    return request_completed(rank, slot, message);
  }
  if (history_ && !process.core_busy) history_->waited(rank, messages_.id_of(message), {message.from, message.to});
  process.requests.close(slot);
  --process.awaited;
  process.overhead_due += overhead;
  if (go_on_waiting(rank)) resume(rank);
}

void Player::release(MessageId i) {
  assert(messages_[i].sender_free);
  if (history_) history_->forget(i);
  free_messages_.push_back(i);
}

}  // namespace orrery::engine
