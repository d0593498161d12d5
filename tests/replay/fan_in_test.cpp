// What is said where more eager messages are under way to one port than it buffers. L = 10 us, B = 1 GB/s
// (tests/support/cluster.hpp); every run on both engines.
#include <doctest/doctest.h>

#include "play.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

constexpr double L = 10e-6, B = 1e9, m = 1000.0;

Cluster buffered(std::uint32_t ranks, double bytes) {
  Cluster cluster = a_rank_per_node(ranks);
  cluster.network().receive_buffer = Bytes{bytes};
  return cluster;
}

/// Everybody else sends rank 0 so many messages of m bytes.
std::function<Generator<Step>(Rank)> all_to_one(std::uint32_t p, std::uint32_t each) {
  return [=](Rank me) -> Generator<Step> {
    for (std::uint32_t i = 0; i < each; ++i) {
      if (index(me) > 0) co_yield isend(Rank{0}, Bytes{m}, Tag{0}, RequestId{i});
      for (std::uint32_t from = 1; index(me) == 0 && from < p; ++from)
        co_yield irecv(Rank{from}, Bytes{m}, Tag{0}, RequestId{i * p + from});
    }
    co_yield wait_all();
  };
}

}  // namespace

TEST_SUITE("replay/fan-in") {
  TEST_CASE("Eager messages of several senders to one port that does not hold them are told") {
    const RunResult result = play(buffered(4, 2.5 * m), all_to_one(4, 1));
    CHECK(result.makespan.si() == near(L + 3 * m / B));
    CHECK(result.fan_in.port == "incoming NIC of node-0");
    CHECK(result.fan_in.senders == 3);
    CHECK(result.fan_in.bytes.si() == near(3 * m));
    CHECK(result.fan_in.buffer.si() == near(2.5 * m));
    CHECK(result.fan_in.at == Seconds{});
  }

  TEST_CASE("A sender counts once as its messages follow each other over its own wire") {
    CHECK(play(buffered(4, 2.5 * m), all_to_one(4, 5)).fan_in.bytes.si() == near(3 * m));
    CHECK(play(buffered(2, 1.5 * m), all_to_one(2, 5)).fan_in.port.empty());
  }

  TEST_CASE("One long message of one sender overflows nothing however little is buffered") {
    CHECK(play(buffered(2, 0.5 * m), all_to_one(2, 1)).fan_in.port.empty());
    CHECK(play(buffered(3, 0.5 * m), all_to_one(3, 1)).fan_in.senders == 2);
  }

  TEST_CASE("Ranks that share an adapter count as one sender") {
    Cluster cluster(2);
    cluster.place({0, 1, 1, 1}).network().receive_buffer = Bytes{1.5 * m};
    CHECK(play(cluster, all_to_one(4, 1)).fan_in.port.empty());
  }

  TEST_CASE("Nothing is told where the buffer holds what comes or where none is stated") {
    CHECK(play(buffered(4, 3 * m), all_to_one(4, 1)).fan_in.port.empty());
    CHECK(play(buffered(4, 0.0), all_to_one(4, 1)).fan_in.port.empty());
  }

  TEST_CASE("Rendezvous messages do not count as their receiver asks for them") {
    Cluster cluster = buffered(4, 2.5 * m);
    cluster.wire().eager = cluster.wire().detach = Bytes{m};
    CHECK(play(cluster, all_to_one(4, 1)).fan_in.port.empty());
  }
}
