// Open requests and waits of the player, and what a rank that waits for ever waits for.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/core/error.hpp"
#include "sim/replay/player.hpp"

namespace orrery::replay {

namespace {

constexpr std::size_t scanned_max = 32;  // open requests; beyond, a hash table finds them

}  // namespace

Player::Index Player::find_request(const Process& process, Index number) {
  if (process.open.size() > scanned_max) {
    const auto found = process.slot_of.find(number);
    return found == process.slot_of.end() ? none : found->second;
  }
  for (const Index slot : process.open)
    if (process.requests[slot].number == number) return slot;
  return none;
}

Player::Index Player::open_request(Rank rank, RequestId id) {
  Process& process = processes_[index(rank)];
  const auto number = static_cast<Index>(id);
  if (find_request(process, number) != none)
    throw ReplayError(fmt::format("rank {} reuses request {} before waiting for it ({}, p={}, t={:.6g}s)", index(rank),
                                  number, program_.name(), layout_.ranks(), now_));
  if (process.free_slots.empty()) {
    process.requests.resize(std::max<std::size_t>(process.requests.size(), 1) + 1);
    process.free_slots.push_back(static_cast<Index>(process.requests.size() - 1));
  }
  const Index slot = process.free_slots.back();
  process.free_slots.pop_back();
  Request& request = process.requests[slot];
  request = Request{};
  request.phase = Request::Phase::open;
  request.number = number;
  request.position = static_cast<Index>(process.open.size());
  process.open.push_back(slot);
  if (process.open.size() == scanned_max + 1) {
    process.slot_of.clear();
    for (const Index open : process.open) process.slot_of[process.requests[open].number] = open;
  } else if (process.open.size() > scanned_max) {
    process.slot_of[number] = slot;
  }
  return slot;
}

void Player::close_request(Process& process, Index slot) {
  Request& request = process.requests[slot];
  request.phase = Request::Phase::closed;
  request.awaited = false;
  if (slot == blocking_request) return;
  if (process.open.size() > scanned_max) process.slot_of.erase(request.number);
  const Index last = process.open.back();
  process.open[request.position] = last;
  process.requests[last].position = request.position;
  process.open.pop_back();
  process.free_slots.push_back(slot);
}

bool Player::perform_wait(Rank rank, Index first, Index count) {
  Process& process = processes_[index(rank)];
  process.awaited = 0;
  process.overhead_due = 0.0;
  const auto want = [&](Index slot) {
    Request& request = process.requests[slot];
    if (request.phase == Request::Phase::open) {
      request.awaited = true;
      ++process.awaited;
      return;
    }
    if (request.is_receive)
      process.overhead_due += request.repeat * protocol_.receive_overhead(request.peer, rank, Bytes{request.bytes});
    close_request(process, slot);
  };
  if (count == 1) {
    const Index slot = find_request(process, first);
    if (slot != none) want(slot);
  } else {  // backwards, because closing moves the last open request into the gap
    for (std::size_t i = process.open.size(); i-- > 0;) {
      const Index number = process.requests[process.open[i]].number;
      if (number >= first && number - first < count) want(process.open[i]);
    }
  }
  process.state = State::waiting;
  process.core_busy = false;
  return go_on_waiting(rank);
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

void Player::explain(const Process& process, Index slot, std::vector<Awaited>& into) const {
  const Request& request = process.requests[slot];
  into.push_back({request.is_receive ? Awaited::What::message : Awaited::What::receiver, request.peer, request.tag,
                  Bytes{request.bytes}, request.communicator});
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
    } else if (process.state == State::waiting) {
      std::vector<Index> slots = process.open;
      std::ranges::sort(slots, {}, [&](Index slot) { return process.requests[slot].number; });
      for (const Index slot : slots)
        if (process.requests[slot].awaited) explain(process, slot, entry.awaits);
    } else if (!process.requests.empty()) {
      explain(process, blocking_request, entry.awaits);
    }
  }
  return blocked;
}

}  // namespace orrery::replay
