#include "sim/core/group.hpp"

#include <doctest/doctest.h>

#include "sim/core/error.hpp"

using namespace orrery;

TEST_SUITE("core/group") {
  TEST_CASE("A listed group finds each of its ranks in the order of the list") {
    const Group group = Group::of({Rank{3}, Rank{1}, Rank{7}});
    CHECK(group.size() == 3);
    for (Member m = 0; m < 3; ++m) {
      CHECK(group.contains(group.rank(m)));
      CHECK(group.member(group.rank(m)) == m);
    }
    for (const std::uint32_t other : {0u, 2u, 4u, 8u}) CHECK_FALSE(group.contains(Rank{other}));
  }

  TEST_CASE("A strided group finds its ranks and no others") {
    const Group group = Group::strided(Rank{2}, 3, 4);
    CHECK(group.rank(3) == Rank{11});
    CHECK(group.member(Rank{11}) == 3);
    for (const std::uint32_t other : {0u, 1u, 3u, 12u, 14u}) CHECK_FALSE(group.contains(Rank{other}));
  }

  TEST_CASE("A group that a kernel uses wrongly is refused in every build") {
    CHECK_THROWS_WITH_AS(Group::strided(Rank{2}, 0, 4),
                         "group: the stride is 0 (members are different ranks). Write 1?", InputError);
    for (const Group& group : {Group::strided(Rank{2}, 3, 4), Group::of({Rank{3}, Rank{1}, Rank{7}, Rank{8}})}) {
      CHECK_THROWS_WITH_AS(group.member(Rank{4}),
                           "group: rank 4 calls a collective of 4 ranks, and is none of them (only members call it). "
                           "Leave the call out there?",
                           InputError);
      CHECK_THROWS_WITH_AS(group.rank(4),
                           "group: member 4 is asked for (there are 4, numbered from 0). Correct the number?",
                           InputError);
    }
  }

  TEST_CASE("Fingerprints tell groups apart by ranks and order and communicator") {
    const Group list = Group::of({Rank{0}, Rank{2}, Rank{4}});
    CHECK(list.fingerprint() == Group::of({Rank{0}, Rank{2}, Rank{4}}).fingerprint());
    CHECK(list.fingerprint() != Group::of({Rank{2}, Rank{0}, Rank{4}}).fingerprint());
    CHECK(list.fingerprint() != Group::of({Rank{0}, Rank{2}, Rank{4}}, Communicator{1}).fingerprint());
    CHECK(list.fingerprint() != Group::of({Rank{0}, Rank{2}}).fingerprint());
    CHECK(Group::strided(Rank{0}, 2, 3).fingerprint() != Group::strided(Rank{0}, 1, 3).fingerprint());
  }
}
