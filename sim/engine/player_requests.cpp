// Open requests and waits of the player, and what a rank that waits for ever waits for.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "sim/core/error.hpp"
#include "sim/engine/player.hpp"

namespace orrery::engine {

Slot Player::open_request(Rank rank, RequestId id, bool is_receive) {
  Requests& requests = processes_[index(rank)].requests;
  if (requests.find(id) != no_slot)
    throw ReplayError("rank {} reuses request {} before waiting for it ({}, p={}, t={:.6g}s)", index(rank), index(id),
                      program_.name(), layout_.ranks(), now_);
  return requests.open(id, is_receive);
}

bool Player::perform_wait(Rank rank, RequestId first, std::uint32_t count) {
  Process& process = processes_[index(rank)];
  process.awaited = 0;
  process.overhead_due = 0.0;
  const auto want = [&](Slot slot) {
    if (!process.requests.is_complete(slot)) {
      process.requests.await(slot);
      ++process.awaited;
      return;
    }
    if (process.requests.is_receive(slot)) {
      const Request& request = process.requests[slot];
      process.overhead_due += request.repeat * protocol_.receive_overhead(request.peer, rank, Bytes{request.bytes});
    }
    process.requests.close(slot);
  };
  if (count == 1) {
    const Slot slot = process.requests.find(first);
    if (slot != no_slot) want(slot);
  } else {
    process.requests.for_each_open([&](Slot slot) {
      const RequestId number = process.requests.number(slot);
      if (number >= first && index(number) - index(first) < count) want(slot);
    });
  }
  process.state = State::waiting;
  process.core_busy = false;
  return go_on_waiting(rank);
}

bool Player::perform_choice(Rank rank, const WaitAny& any) {
  require_order("a rank waits for whichever request is first");
  if (any.of == nullptr || any.found == nullptr)
    throw ReplayError(
        "rank {} waits for any request, but says not of which or where the answer goes ({}, "
        "p={}, t={:.6g}s)",
        index(rank), program_.name(), layout_.ranks(), now_);
  polling(rank).any = any;
  processes_[index(rank)].state = State::choosing;
  return choose(rank);
}

/// Whether a request that would do has completed: the first that did, of those at one date the first named.
bool Player::choose(Rank rank) {
  Process& process = processes_[index(rank)];
  const auto& [of, found] = process.polling->any;
  double earliest = std::numeric_limits<double>::infinity();
  for (std::uint32_t i = 0; i < of->size(); ++i) {
    const Slot slot = process.requests.find((*of)[i]);
    if (slot == no_slot || !process.requests.is_complete(slot)) continue;
    if (process.requests[slot].completed >= earliest) continue;
    earliest = process.requests[slot].completed;
    *found = i;
  }
  if (earliest > now_) return false;
  process.state = State::running;
  end_interval(rank, Activity::wait);
  return true;
}

/// A request that is not waited for by itself.
void Player::request_completed(Rank rank, Slot slot, const Message& message) {
  Process& process = processes_[index(rank)];
  process.requests.complete(slot);
  process.requests[slot].completed = now_;
  if (process.state != State::choosing || !choose(rank)) return;
  if (history_) history_->waited(rank, messages_.id_of(message), {message.from, message.to});
  resume(rank);
}

/// True when the wait is over.
bool Player::go_on_waiting(Rank rank) {
  Process& process = processes_[index(rank)];
  if (process.core_busy) return false;
  if (process.overhead_due > 0.0) {
    process.core_busy = true;
    const double seconds = std::exchange(process.overhead_due, 0.0);
    occupy_core(rank, seconds, State::waiting);
    return false;
  }
  if (process.awaited > 0) return false;
  end_interval(rank, Activity::wait);
  return true;
}

void Player::explain(const Process& process, Slot slot, std::vector<Awaited>& into) const {
  const Request& request = process.requests[slot];
  into.push_back({process.requests.is_receive(slot) ? Awaited::What::message : Awaited::What::receiver, request.peer,
                  request.tag, Bytes{request.bytes}, request.communicator});
}

Unreceived Player::unreceived() const {
  constexpr std::size_t shown = 4;
  std::map<std::tuple<Rank, Rank, Communicator, Tag>, std::uint64_t> left;  // by receiver and sender
  Unreceived all;
  matching_.for_each_message([&](Rank to, const Pattern& envelope, MessageId message) {
    const std::uint64_t messages = messages_[message].repeat;
    left[{to, envelope.from, envelope.communicator, envelope.tag}] += messages;
    all.messages += messages;
  });
  all.kinds = left.size();
  for (const auto& [which, messages] : left) {
    const auto& [to, from, communicator, tag] = which;
    if (all.first.size() < shown)
      all.first.push_back(
          {from, to, static_cast<std::uint32_t>(tag), static_cast<std::uint32_t>(communicator), messages});
  }
  return all;
}

std::vector<BlockedRank> Player::blocked_ranks() const {
  std::vector<BlockedRank> blocked;
  for (std::uint32_t i = 0; i < processes_.size(); ++i) {
    const Process& process = processes_[i];
    if (process.state == State::done) continue;
    BlockedRank& entry = blocked.emplace_back();
    entry.rank = Rank{i};
    if (process.state == State::barrier) {
      const auto missing = std::ranges::find_if(processes_, [](const Process& p) { return p.state != State::barrier; });
      entry.awaits.push_back({Awaited::What::barrier, Rank{static_cast<std::uint32_t>(missing - processes_.begin())},
                              any_tag, Bytes{}, world});
    } else if (process.state == State::choosing) {
      for (const RequestId id : *process.polling->any.of)
        if (const Slot slot = process.requests.find(id); slot != no_slot) explain(process, slot, entry.awaits);
    } else if (process.state == State::waiting) {
      std::vector<Slot> slots;
      process.requests.for_each_open([&](Slot slot) { slots.push_back(slot); });
      std::ranges::sort(slots, {}, [&](Slot slot) { return process.requests.number(slot); });
      for (const Slot slot : slots)
        if (process.requests.is_awaited(slot)) explain(process, slot, entry.awaits);
    } else {
      explain(process, Requests::blocking, entry.awaits);
    }
  }
  return blocked;
}

}  // namespace orrery::engine
