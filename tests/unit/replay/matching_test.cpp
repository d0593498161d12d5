#include "sim/replay/matching.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <random>

using namespace orrery;
using replay::Matching;
using replay::Pattern;

namespace {

constexpr Rank me{0};
Pattern from(std::uint32_t rank, std::uint32_t tag) { return {Rank{rank}, Tag{tag}, world}; }

/// What MPI says, as slowly as it can be said: two lists searched from the front.
class Reference {
 public:
  Matching::Handle offer(const Pattern& envelope, Matching::Handle message) {
    return match(receives_, messages_, envelope, message,
                 [&](const Pattern& wanted) { return takes(wanted, envelope); });
  }
  Matching::Handle request(const Pattern& wanted, Matching::Handle receive) {
    return match(messages_, receives_, wanted, receive,
                 [&](const Pattern& envelope) { return takes(wanted, envelope); });
  }

 private:
  struct Entry {
    Pattern pattern;
    Matching::Handle handle;
  };
  static bool takes(const Pattern& wanted, const Pattern& envelope) {
    return (wanted.from == any_rank || wanted.from == envelope.from) &&
           (wanted.tag == any_tag || wanted.tag == envelope.tag) && wanted.communicator == envelope.communicator;
  }
  template <class Accepts>
  static Matching::Handle match(std::deque<Entry>& waiting, std::deque<Entry>& own, const Pattern& pattern,
                                Matching::Handle handle, Accepts accepts) {
    const auto found = std::ranges::find_if(waiting, accepts, &Entry::pattern);
    if (found == waiting.end()) {
      own.push_back({pattern, handle});
      return Matching::none;
    }
    const Matching::Handle other = found->handle;
    waiting.erase(found);
    return other;
  }
  std::deque<Entry> receives_, messages_;
};

}  // namespace

TEST_SUITE("replay/matching") {
  TEST_CASE("A receive takes the earliest message of its source and tag") {
    Matching matching(1);
    CHECK(matching.offer(me, from(5, 1), 10) == Matching::none);
    CHECK(matching.offer(me, from(5, 2), 11) == Matching::none);
    CHECK(matching.offer(me, from(5, 1), 12) == Matching::none);
    CHECK(matching.request(me, from(5, 2), 0) == 11);
    CHECK(matching.request(me, from(5, 1), 0) == 10);
    CHECK(matching.request(me, {Rank{5}, any_tag, world}, 0) == 12);
  }

  TEST_CASE("Of a receive from any source and one from the sender the one posted first wins") {
    Matching matching(1);
    CHECK(matching.request(me, {}, 1) == Matching::none);
    CHECK(matching.request(me, from(3, 0), 2) == Matching::none);
    CHECK(matching.request(me, {}, 3) == Matching::none);
    CHECK(matching.offer(me, from(3, 0), 9) == 1);
    CHECK(matching.offer(me, from(3, 0), 9) == 2);
    CHECK(matching.offer(me, from(3, 0), 9) == 3);
  }

  TEST_CASE("Any sequence of sends and receives matches as two lists searched from the front do") {
    std::mt19937 random(7);
    const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
    for (const unsigned sources : {2u, 5u, 40u}) {
      Matching matching(1);
      Reference reference;
      for (Matching::Handle i = 0; i < 5000; ++i) {
        const Communicator communicator{below(2)};
        if (below(2) == 0) {
          const Pattern envelope{Rank{below(sources)}, Tag{below(3)}, communicator};
          REQUIRE(matching.offer(me, envelope, i) == reference.offer(envelope, i));
        } else {
          const Pattern wanted{below(4) == 0 ? any_rank : Rank{below(sources)}, below(4) == 0 ? any_tag : Tag{below(3)},
                               communicator};
          REQUIRE(matching.request(me, wanted, i) == reference.request(wanted, i));
        }
      }
    }
  }
}
