#include "sim/engine/matching.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <random>

using namespace orrery;
using engine::Matching;
using engine::MessageId;
using engine::no_message;
using engine::no_slot;
using engine::Pattern;
using engine::Slot;

namespace {

constexpr Rank me{0};
Pattern from(std::uint32_t rank, std::uint32_t tag) { return {Rank{rank}, Tag{tag}, world}; }

/// What MPI says, as slowly as it can be said: two lists searched from the front.
class Reference {
 public:
  Slot offer(const Pattern& envelope, MessageId message) {
    const auto takes_it = [&](const Receive& receive) { return takes(receive.wanted, envelope); };
    const auto found = std::ranges::find_if(receives_, takes_it);
    if (found == receives_.end()) return messages_.push_back({envelope, message}), no_slot;
    const Slot slot = found->slot;
    receives_.erase(found);
    return slot;
  }
  MessageId request(const Pattern& wanted, Slot slot) {
    const auto is_taken = [&](const Envelope& envelope) { return takes(wanted, envelope.pattern); };
    const auto found = std::ranges::find_if(messages_, is_taken);
    if (found == messages_.end()) return receives_.push_back({wanted, slot}), no_message;
    const MessageId message = found->message;
    messages_.erase(found);
    return message;
  }

 private:
  struct Receive {
    Pattern wanted;
    Slot slot;
  };
  struct Envelope {
    Pattern pattern;
    MessageId message;
  };
  static bool takes(const Pattern& wanted, const Pattern& envelope) {
    return (wanted.from == any_rank || wanted.from == envelope.from) &&
           (wanted.tag == any_tag || wanted.tag == envelope.tag) && wanted.communicator == envelope.communicator;
  }
  std::deque<Receive> receives_;
  std::deque<Envelope> messages_;
};

}  // namespace

TEST_SUITE("replay/matching") {
  TEST_CASE("A receive takes the earliest message of its source and tag") {
    Matching matching(1);
    CHECK(matching.offer(me, from(5, 1), MessageId{10}) == no_slot);
    CHECK(matching.offer(me, from(5, 2), MessageId{11}) == no_slot);
    CHECK(matching.offer(me, from(5, 1), MessageId{12}) == no_slot);
    CHECK(matching.request(me, from(5, 2), Slot{0}) == MessageId{11});
    CHECK(matching.request(me, from(5, 1), Slot{0}) == MessageId{10});
    CHECK(matching.request(me, {Rank{5}, any_tag, world}, Slot{0}) == MessageId{12});
  }

  TEST_CASE("Of a receive from any source and one from the sender the one posted first wins") {
    Matching matching(1);
    CHECK(matching.request(me, {}, Slot{1}) == no_message);
    CHECK(matching.request(me, from(3, 0), Slot{2}) == no_message);
    CHECK(matching.request(me, {}, Slot{3}) == no_message);
    CHECK(matching.offer(me, from(3, 0), MessageId{9}) == Slot{1});
    CHECK(matching.offer(me, from(3, 0), MessageId{9}) == Slot{2});
    CHECK(matching.offer(me, from(3, 0), MessageId{9}) == Slot{3});
  }

  TEST_CASE("Any sequence of sends and receives matches as two lists searched from the front do") {
    std::mt19937 random(7);
    const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
    for (const unsigned sources : {2u, 5u, 40u}) {
      Matching matching(1);
      Reference reference;
      for (std::uint32_t i = 0; i < 5000; ++i) {
        const Communicator communicator{below(2)};
        if (below(2) == 0) {
          const Pattern envelope{Rank{below(sources)}, Tag{below(3)}, communicator};
          REQUIRE(matching.offer(me, envelope, MessageId{i}) == reference.offer(envelope, MessageId{i}));
        } else {
          const Pattern wanted{below(4) == 0 ? any_rank : Rank{below(sources)}, below(4) == 0 ? any_tag : Tag{below(3)},
                               communicator};
          REQUIRE(matching.request(me, wanted, Slot{i}) == reference.request(wanted, Slot{i}));
        }
      }
    }
  }
}
