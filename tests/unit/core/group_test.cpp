#include "sim/core/group.hpp"

#include <doctest/doctest.h>

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

  TEST_CASE("Fingerprints tell groups apart by ranks and order and communicator") {
    const Group list = Group::of({Rank{0}, Rank{2}, Rank{4}});
    CHECK(list.fingerprint() == Group::of({Rank{0}, Rank{2}, Rank{4}}).fingerprint());
    CHECK(list.fingerprint() != Group::of({Rank{2}, Rank{0}, Rank{4}}).fingerprint());
    CHECK(list.fingerprint() != Group::of({Rank{0}, Rank{2}, Rank{4}}, Communicator{1}).fingerprint());
    CHECK(list.fingerprint() != Group::of({Rank{0}, Rank{2}}).fingerprint());
    CHECK(Group::strided(Rank{0}, 2, 3).fingerprint() != Group::strided(Rank{0}, 1, 3).fingerprint());
  }
}
