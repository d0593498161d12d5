/// MPI's matching for all ranks of a run: source or any, tag or any, communicator; messages do not overtake.
///
/// Waiting entries of a receiving rank, posted receives and envelopes, lie in small hash buckets by source; receives
/// from any source have a separate list. Entries live in one pool: no allocation per message in steady state, and a
/// message that finds its receive touches one cache line of the rank and one of the entry. If a receive that names its
/// source and one from any source both match, the one posted first wins.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/core/fetch.hpp"
#include "sim/core/step.hpp"
#include "sim/engine/ids.hpp"

namespace orrery::engine {

struct Pattern {
  Rank from = any_rank;
  Tag tag = any_tag;
  Communicator communicator = world;
};

class Matching {
 public:
  explicit Matching(std::uint32_t ranks) : queues_(ranks) {}

  /// A message to `to` can be matched from now on: returns the receive that takes it, or none (it waits).
  Slot offer(Rank to, const Pattern& envelope, MessageId message, double now = 0.0);
  /// `me` posts a receive: returns the earliest waiting message that it takes, or none (it waits).
  MessageId request(Rank me, const Pattern& wanted, Slot receive);
  struct Waiting {
    MessageId message = no_message;
    double since = 0.0;  ///< when it was offered
  };
  /// The waiting message that a receive of this pattern would take, or none. The message stays there.
  Waiting waiting(Rank me, const Pattern& wanted);

  /// Calls act(to, envelope, message) for every message that waits at some rank.
  template <class Act>
  void for_each_message(Act act) const {
    for (std::uint32_t to = 0; to < queues_.size(); ++to) {
      const Queue& queue = queues_[to];
      if (queue.messages == 0) continue;
      const List* const lists = queue.many != nullptr ? queue.many.get() : queue.few.data();
      for (std::uint32_t k = 0; k < queue.buckets; ++k)
        for (Index i = lists[k].head; i != none; i = pool_[i].next)
          if (pool_[i].is_message) act(Rank{to}, pool_[i].pattern, pool_[i].message());
    }
  }

  /// The pattern that the receive of this slot waits for; null: its message has been sent, or there is none.
  const Pattern* posted(Rank me, Slot receive);

  /// Prefetches: this rank will soon post or get something; then the first entry that may match.
  void fetch_queue(Rank rank) const { fetch(&queues_[index(rank)]); }
  void fetch_entry(Rank to, Rank from) const {
    const List& list = queues_[index(to)].of(from);
    if (list.head != none) fetch(&pool_[list.head]);
  }

 private:
  using Index = std::uint32_t;  ///< in the pool
  static constexpr Index none = 0xffffffffu;
  /// A posted receive or a waiting envelope: a slot of the receiver's requests, or a message.
  struct Entry {
    Pattern pattern;
    std::uint32_t number = 0;  ///< read by `message` and `receive`
    Index next = none;
    bool is_message = false;
    std::uint64_t sequence = 0;
    double since = 0.0;  ///< of a message: when it was offered
    MessageId message() const { return assert(is_message), MessageId{number}; }
    Slot receive() const { return assert(!is_message), Slot{number}; }
  };
  struct List {
    Index head = none, tail = none;
  };
  static constexpr std::size_t buckets_few = 4;
  struct alignas(64) Queue {
    std::uint32_t receives = 0, messages = 0;  ///< number that wait
    std::uint32_t buckets = buckets_few;       ///< a power of two
    List any_source;                           ///< receives
    std::unique_ptr<List[]> many;
    std::array<List, buckets_few> few;  ///< receives and messages by source; elsewhere when there are more

    List* begin() { return many != nullptr ? many.get() : few.data(); }
    List* end() { return begin() + buckets; }
    List& of(Rank from) { return begin()[index(from) & (buckets - 1)]; }
    const List& of(Rank from) const { return (many != nullptr ? many.get() : few.data())[index(from) & (buckets - 1)]; }
  };
  struct Found {
    List* list = nullptr;
    Index previous = none, entry = none;
  };
  static bool takes(const Pattern& wanted, const Pattern& envelope) {
    return (wanted.from == any_rank || wanted.from == envelope.from) &&
           (wanted.tag == any_tag || wanted.tag == envelope.tag) && wanted.communicator == envelope.communicator;
  }
  static bool before(const Entry& a, const Entry& b) { return a.sequence < b.sequence; }
  template <class Accepts>
  Found first(List& list, Accepts accepts) const;
  Found find_message(Queue& queue, const Pattern& wanted) const;
  const Entry& remove(Queue& queue, const Found& found);  ///< valid until the next `append`
  void append(Queue& queue, const Entry& entry);
  void link(List& list, Index i);
  void grow(Queue& queue);

  std::vector<Queue> queues_;
  std::vector<Entry> pool_;
  std::vector<Index> free_;
  std::uint64_t sequence_ = 0;
};

}  // namespace orrery::engine
