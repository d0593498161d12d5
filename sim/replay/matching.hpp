/// MPI's matching for all ranks of a run: source or any, tag or any, communicator; messages do not overtake.
///
/// Each receiving rank has posted receives and waiting envelopes, in small hash buckets by source; receives from any
/// source have a list of their own. Entries live in one pool with free lists: no allocation per message in steady
/// state. A tie between a receive that names its source and one that takes any goes to the one posted first.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <vector>

#include "sim/core/step.hpp"

namespace orrery::replay {

struct Pattern {
  Rank from = any_rank;
  Tag tag = any_tag;
  Communicator communicator = world;
};

class Matching {
 public:
  using Handle = std::uint32_t;
  static constexpr Handle none = 0xffffffffu;

  explicit Matching(std::uint32_t ranks) : queues_(ranks) {}

  /// A message to `to` can be matched from now on: the receive that takes it, or none (it waits).
  Handle offer(Rank to, const Pattern& envelope, Handle message);
  /// `me` posts a receive: the earliest waiting message it takes, or none (it waits).
  Handle request(Rank me, const Pattern& wanted, Handle receive);
  /// The waiting message that a receive of this pattern would take, or none. It is left there.
  Handle waiting(Rank me, const Pattern& wanted);

 private:
  using Index = std::uint32_t;
  struct Entry {
    Pattern pattern;
    Handle handle = none;
    Index next = none;
    std::uint64_t sequence = 0;
  };
  struct List {
    Index head = none, tail = none;
  };
  using Buckets = boost::container::small_vector<List, 4>;  ///< by source; their number is a power of two
  struct alignas(64) Queue {
    Buckets receives = Buckets(4), messages = Buckets(4);
    List any_source;
    std::uint32_t entries = 0;
  };
  struct Found {
    List* list = nullptr;
    Index previous = none, entry = none;
  };
  static bool takes(const Pattern& wanted, const Pattern& envelope) {
    return (wanted.from == any_rank || wanted.from == envelope.from) &&
           (wanted.tag == any_tag || wanted.tag == envelope.tag) && wanted.communicator == envelope.communicator;
  }
  static std::size_t bucket(const Buckets& lists, Rank from) { return index(from) & (lists.size() - 1); }
  template <class Accepts>
  Found first(List& list, Accepts accepts) const;
  Found find_message(Queue& queue, const Pattern& wanted) const;
  Handle remove(const Found& found);
  void append(List& list, const Pattern& pattern, Handle handle);
  void grow(Queue& queue);
  void rehash(Buckets& lists, std::size_t size);

  std::vector<Queue> queues_;
  std::vector<Entry> pool_;
  Index free_ = none;
  std::uint64_t sequence_ = 0;
};

}  // namespace orrery::replay
