/// MPI's matching over the whole program, phase by phase: in order per (sender, receiver, tag, communicator).
///
/// Checked  tests/unit/core/phase_builder_test.cpp
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/phase.hpp"
#include "sim/core/segment.hpp"

namespace orrery {

class PhaseMatching {
 public:
  void match(Phase& phase, std::vector<Segment>& segments) {
    sent_.resize(segments.size());
    create_messages(phase, segments);
    for (std::uint32_t r = 0; r < segments.size(); ++r)
      for (auto& transfer : segments[r].transfers)
        if (!transfer.is_send && transfer.peer != any_rank && transfer.tag != any_tag) match_named(transfer, Rank{r});
    for (std::uint32_t r = 0; r < segments.size(); ++r)
      for (auto& transfer : segments[r].transfers)
        if (!transfer.is_send && (transfer.peer == any_rank || transfer.tag == any_tag)) match_any(transfer, Rank{r});
    leave_for_later(phase);
  }
  /// Every send has its receive and every receive its send: the next phase is independent of this one.
  bool settled() const {
    return owed_.empty() && std::ranges::all_of(sent_, [](const auto& queues) { return queues.empty(); });
  }
  /// Throws ReplayError for a receive without a matching send in the whole program.
  void check_complete(const std::string& program, std::uint32_t ranks) const {
    for (const auto& [key, count] : owed_) {
      const auto& [from, to, communicator, tag] = key;
      const std::string what = tag == any_tag ? "any tag" : fmt::format("tag {}", index(tag));
      const std::string whom =
          from == any_rank ? "any rank, and none sends it" : fmt::format("rank {}, which never sends it", index(from));
      throw ReplayError("rank {} waits for {} from {} ({}, p={})", index(to), what, whom, program, ranks);
    }
  }

 private:
  using Key = std::tuple<Rank, Rank, Communicator, Tag>;
  /// Messages of one sender, communicator and tag that a receiver has not received yet, first in, first out: `earlier`
  /// counts those of earlier phases; those of this phase are linked by `next_`. (A std::deque takes 512 B to 4 KiB.)
  struct Queue {
    Rank from{};
    Communicator communicator{};
    Tag tag{};
    std::uint32_t earlier = 0, first = none, last = none;

    auto key() const { return std::tuple(from, communicator, tag); }
    bool empty() const { return earlier == 0 && first == none; }
  };

  /// The position of the queue with this key among those of its receiver, in ascending order, or where to insert it.
  std::vector<Queue>::iterator place_of(Rank to, const std::tuple<Rank, Communicator, Tag>& key) {
    std::vector<Queue>& queues = sent_[index(to)];
    if (queues.empty() || queues.back().key() < key) return queues.end();  // senders come in order
    return std::ranges::lower_bound(queues, key, {}, &Queue::key);
  }
  void push(const Transfer& send, Rank me) {
    const std::tuple key(me, send.communicator, send.tag);
    auto queue = place_of(send.peer, key);
    if (queue == sent_[index(send.peer)].end() || queue->key() != key)
      queue = sent_[index(send.peer)].insert(queue, {me, send.communicator, send.tag});
    (queue->first == none ? queue->first : next_[queue->last]) = send.message;
    queue->last = send.message;
  }
  /// The next message, or `none` if it is one of an earlier phase.
  std::uint32_t pop(Queue& queue) {
    if (queue.earlier > 0) return --queue.earlier, none;
    const std::uint32_t message = queue.first;
    queue.first = next_[message];
    return message;
  }
  /// The remaining messages were sent here and are received in a later phase.
  void leave_for_later(Phase& phase) {
    for (auto& queues : sent_) {
      for (Queue& queue : queues)
        for (; queue.first != none; queue.first = next_[queue.first], ++queue.earlier)
          phase.messages[queue.first].received_in_phase = false;
      std::erase_if(queues, [](const Queue& queue) { return queue.empty(); });
    }
    next_.clear();
  }

  void create_messages(Phase& phase, std::vector<Segment>& segments) {
    std::size_t transfers = 0;
    for (const Segment& segment : segments) transfers += segment.transfers.size();
    phase.messages.reserve(transfers / 2);  // as many sends as receives
    for (std::uint32_t r = 0; r < segments.size(); ++r)
      for (auto& transfer : segments[r].transfers) {
        if (!transfer.is_send) continue;
        if (index(transfer.peer) >= phase.ranks)
          throw ReplayError("rank {} sends to rank {} (ranks are 0..{}; phase '{}')", r, index(transfer.peer),
                            phase.ranks - 1, phase.name);
        transfer.message = static_cast<std::uint32_t>(phase.messages.size());
        phase.messages.push_back({.from = Rank{r},
                                  .to = transfer.peer,
                                  .size = transfer.size,
                                  .tag = transfer.tag,
                                  .blocking = transfer.blocking,
                                  .stage = transfer.stage,
                                  .overlapped = transfer.overlapped,
                                  .repeat = transfer.repeat,
                                  .collective = transfer.collective});
        next_.push_back(none);
        const auto owed = owed_.find({Rank{r}, transfer.peer, transfer.communicator, transfer.tag});
        if (owed == owed_.end()) {
          push(transfer, Rank{r});
          continue;
        }
        phase.messages.back().received_in_phase = false;  // its receive was posted in an earlier phase
        if (--owed->second == 0) owed_.erase(owed);
      }
  }
  void match_named(Transfer& receive, Rank me) {
    const std::tuple key(receive.peer, receive.communicator, receive.tag);
    const auto queue = place_of(me, key);
    if (queue == sent_[index(me)].end() || queue->key() != key || queue->empty())
      ++owed_[Key{receive.peer, me, receive.communicator, receive.tag}];
    else
      receive.message = pop(*queue);
  }
  /// The sender that an any-source receive meets depends on time; the lowest sender is taken.
  void match_any(Transfer& receive, Rank me) {
    for (Queue& queue : sent_[index(me)]) {
      if (queue.communicator != receive.communicator || queue.empty()) continue;
      if (receive.tag != any_tag && queue.tag != receive.tag) continue;
      if (receive.peer != any_rank && queue.from != receive.peer) continue;
      receive.message = pop(queue);
      return;
    }
    ++owed_[Key{receive.peer, me, receive.communicator, receive.tag}];
  }

  std::vector<std::vector<Queue>> sent_;  ///< [ranks]
  std::vector<std::uint32_t> next_;       ///< [messages of the phase] in the queue of each
  std::map<Key, std::uint32_t> owed_;     ///< receives whose send has not been seen yet
};

}  // namespace orrery
