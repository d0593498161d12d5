#include "sim/core/collective_record.hpp"

#include <doctest/doctest.h>

using namespace orrery;

TEST_SUITE("core/collectives") {
  TEST_CASE("Bus bandwidth is what nccl-tests makes of size and time") {
    CollectiveRecord record{.operation = Operation::allreduce, .ranks = 8, .bytes = Bytes(1e9), .calls = 2};
    record.time = Seconds(4.0);
    CHECK(record.bandwidth() == BytesPerSecond(0.5e9));
    CHECK(record.bus_bandwidth() == BytesPerSecond(0.875e9));  // 2 (n-1)/n = 1.75
    record.operation = Operation::allgather;
    CHECK(record.bus_bandwidth() == BytesPerSecond(0.4375e9));
    record.operation = Operation::bcast;
    CHECK(record.bus_bandwidth() == BytesPerSecond(0.5e9));
    record.operation = Operation::barrier;
    CHECK(record.bus_bandwidth() == BytesPerSecond(0.0));
  }

  TEST_CASE("A collective that took no time has no bandwidth") {
    const CollectiveRecord record{.operation = Operation::bcast, .ranks = 2, .bytes = Bytes(8.0), .calls = 1};
    CHECK(record.bandwidth() == BytesPerSecond(0.0));
  }

  TEST_CASE("Groups are told apart by their ranks and communicator and not by who made them") {
    CHECK(Group::strided(Rank{0}, 2, 4).fingerprint() == Group::strided(Rank{0}, 2, 4).fingerprint());
    CHECK(Group::strided(Rank{0}, 2, 4).fingerprint() != Group::strided(Rank{1}, 2, 4).fingerprint());
    CHECK(Group::strided(Rank{0}, 2, 4).fingerprint() != Group::strided(Rank{0}, 2, 5).fingerprint());
    CHECK(Group::strided(Rank{0}, 2, 4) != Group::strided(Rank{0}, 2, 4, Communicator{1}));
    const Group first = Group::of({Rank{3}, Rank{1}}), second = Group::of({Rank{3}, Rank{1}});
    CHECK(first == second);
    CHECK(first.fingerprint() == second.fingerprint());
    CHECK(first != Group::of({Rank{1}, Rank{3}}));
  }

  TEST_CASE("Every operation has a name by which it is found") {
    for (std::size_t i = 0; i < operations; ++i) CHECK(find_operation(operation_names[i]) == static_cast<Operation>(i));
    CHECK_FALSE(find_operation("telepathy").has_value());
  }
}
