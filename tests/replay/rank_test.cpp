// What a rank does between messages. L = 10 us, B = 1 GB/s (play.hpp).
#include <doctest/doctest.h>

#include "play.hpp"
#include "sim/core/error.hpp"
#include "sim/engine/wire_format.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::a_rank_per_node;
using test::Cluster;
using test::compute_for;
using test::makespan;
using test::near;
using test::play;

namespace {

constexpr double L = 10e-6, B = 1e9, C = 1e9;
constexpr double m = 1e6;

double end_of(const RunResult& result, std::uint32_t rank) { return result.timelines[rank].back().end.si(); }

}  // namespace

TEST_SUITE("replay/ranks") {
  TEST_CASE("Compute steps follow each other and overlap with messages") {
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield send(Rank{1}, Bytes{m}, Tag{0});
      if (me == Rank{0}) co_return;
      co_yield irecv(Rank{0}, Bytes{m}, Tag{0}, RequestId{3});
      co_yield compute_for(0.25e-3);
      co_yield compute_for(0.25e-3);
      co_yield wait(RequestId{3});
    };
    CHECK(makespan(a_rank_per_node(2), steps) == near(L + m / B));
  }

  TEST_CASE("Waiting for a request that has completed takes no time but its overhead") {
    Cluster cluster = a_rank_per_node(2);
    cluster.wire().receive_overhead = PiecewiseLinear(5e-6);
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield send(Rank{1}, Bytes{m}, Tag{0});
      if (me == Rank{0}) co_return;
      co_yield irecv(Rank{0}, Bytes{m}, Tag{0}, RequestId{0});
      co_yield compute_for(1.0);
      co_yield wait(RequestId{0});
    };
    CHECK(makespan(cluster, steps) == near(1.0 + 5e-6));
  }

  TEST_CASE("A wait-all handles the receives that it completes one after another") {
    Cluster cluster = a_rank_per_node(4);
    cluster.wire().receive_overhead = PiecewiseLinear(1.0);
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me != Rank{0}) {
        if (me == Rank{3}) co_yield compute_for(1.5);
        co_yield send(Rank{0}, Bytes{}, Tag{0});
        co_return;
      }
      for (std::uint32_t i = 1; i <= 3; ++i) co_yield irecv(Rank{i}, Bytes{}, Tag{0}, RequestId{i});
      co_yield wait_all();
    };
    // Two arrive at L and keep the core busy until L + 2; the third arrived at L + 1.5 and is handled last.
    CHECK(makespan(cluster, steps) == near(L + 3.0));
  }

  TEST_CASE("A wait-all over a range leaves other requests open") {
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me != Rank{0}) {
        if (me == Rank{2}) co_yield compute_for(1.0);
        co_yield send(Rank{0}, Bytes{}, Tag{0});
        co_return;
      }
      co_yield irecv(Rank{1}, Bytes{}, Tag{0}, RequestId{4});
      co_yield irecv(Rank{2}, Bytes{}, Tag{0}, RequestId{6});
      co_yield wait_all(RequestId{4}, 2);
      co_yield phase("rest");
      co_yield wait_all();
    };
    const RunResult result = play(a_rank_per_node(3), steps);
    CHECK(result.timelines[0].front().end.si() == near(L));
    CHECK(result.makespan.si() == near(1.0 + L));
  }

  TEST_CASE("A request number may be used again once waited for") {
    const auto steps = [](Rank me) -> Generator<Step> {
      for (int i = 0; i < 3; ++i) {
        if (me == Rank{0}) co_yield isend(Rank{1}, Bytes{m}, Tag{0}, RequestId{0});
        if (me == Rank{1}) co_yield irecv(Rank{0}, Bytes{m}, Tag{0}, RequestId{0});
        co_yield wait(RequestId{0});
      }
    };
    Cluster cluster = a_rank_per_node(2);
    cluster.wire().eager = cluster.wire().detach = Bytes{1};
    CHECK(makespan(cluster, steps) == near(3 * (L + m / B)));
  }

  TEST_CASE("A request that is still open may not be used again") {
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{1}) co_return;
      co_yield irecv(Rank{1}, Bytes{m}, Tag{0}, RequestId{7});
      co_yield irecv(Rank{1}, Bytes{m}, Tag{0}, RequestId{7});
    };
    CHECK_THROWS_WITH_AS(play(a_rank_per_node(2), steps),
                         "rank 0 reuses request 7 before waiting for it (test, p=2, t=0s)", ReplayError);
  }

  TEST_CASE("A rank that does not exist is named with its sender") {
    const auto steps = [](Rank) -> Generator<Step> { co_yield send(Rank{5}, Bytes{m}, Tag{0}); };
    CHECK_THROWS_WITH_AS(play(a_rank_per_node(2), steps), "rank 0 sends to rank 5 (ranks are 0..1; test, t=0s)",
                         ReplayError);
  }

  TEST_CASE("A layout must have as many ranks as the program") {
    CHECK_THROWS_WITH_AS(
        play(a_rank_per_node(2), FunctionProgram("three", 3, [](Rank) -> Generator<Step> { co_return; })),
        "layout 'test': has 2 ranks, program 'three' has 3 (they must agree)", InputError);
  }

  TEST_CASE("All ranks leave an ideal barrier when the last one enters") {
    const auto steps = [](Rank me) -> Generator<Step> {
      co_yield compute_for(1.0 + static_cast<double>(index(me)));
      co_yield barrier();
      co_yield compute_for(0.5);
    };
    const RunResult result = play(a_rank_per_node(3), steps);
    for (std::uint32_t rank = 0; rank < 3; ++rank) CHECK(end_of(result, rank) == near(3.5));
  }

  TEST_CASE("A receive from any source takes the message sent first") {
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{1}) co_yield compute_for(2.0);
      if (me == Rank{2}) co_yield compute_for(1.0);
      if (me != Rank{0}) co_yield send(Rank{0}, Bytes{m}, Tag{0});
      if (me != Rank{0}) co_return;
      co_yield compute_for(3.0);
      co_yield recv(any_rank, Bytes{m}, any_tag);
      co_yield recv(any_rank, Bytes{m}, any_tag);
    };
    const RunResult result = play(a_rank_per_node(3), steps);
    CHECK(result.timelines[0][1].end.si() == near(3.0 + m / C));  // unexpected: copied
    CHECK(result.timelines[0][2].end.si() == near(3.0 + 2 * m / C));
    CHECK(result.unexpected_messages == 2);
  }

  TEST_CASE("Messages of one sender do not overtake each other") {
    // The long message was sent first, so the first receive takes it although the short one arrives earlier.
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) {
        co_yield send(Rank{1}, Bytes{m}, Tag{0});
        co_yield send(Rank{1}, Bytes{}, Tag{0});
        co_return;
      }
      co_yield recv(Rank{0}, Bytes{m}, any_tag);
      co_yield recv(Rank{0}, Bytes{}, any_tag);
    };
    const RunResult result = play(a_rank_per_node(2), steps);
    CHECK(result.timelines[1][0].end.si() == near(L + m / B));
    CHECK(result.timelines[1].size() == 1);  // the second was there already
  }

  TEST_CASE("Tags and communicators keep messages apart") {
    const auto steps = [](Rank me) -> Generator<Step> {
      const Communicator other{1};
      if (me == Rank{0}) {
        co_yield send(Rank{1}, Bytes{m}, Tag{1});
        co_yield send(Rank{1}, Bytes{m}, Tag{2});
        co_yield send(Rank{1}, Bytes{}, Tag{1}, other);
        co_return;
      }
      co_yield recv(Rank{0}, Bytes{}, Tag{1}, other);  // arrives first: the others share the wire
      co_yield recv(Rank{0}, Bytes{m}, Tag{2});
      co_yield recv(Rank{0}, Bytes{m}, Tag{1});
    };
    const RunResult result = play(a_rank_per_node(2), steps);
    CHECK(result.timelines[1][0].end.si() == near(L));
    // Both long ones arrive together at L + 2 m / B; the last receive is posted in that instant, so nothing is copied.
    CHECK(result.makespan.si() == near(L + 2 * m / B));
    CHECK(result.unexpected_messages == 0);
  }

  TEST_CASE("Polling costs one probe after each chunk until the request has completed") {
    Cluster cluster = a_rank_per_node(2);
    cluster.wire().probe_overhead = Seconds{1e-3};
    const auto steps = [](double compute_before_send) {
      return [compute_before_send](Rank me) -> Generator<Step> {
        if (me == Rank{0}) {
          co_yield compute_for(compute_before_send);
          co_yield send(Rank{1}, Bytes{}, Tag{0});
          co_return;
        }
        co_yield irecv(Rank{0}, Bytes{}, Tag{0}, RequestId{0});
        co_yield ComputeUntil{{Work::generic, Flops{1.0}, {}}, 4, RequestId{0}};
        co_yield wait(RequestId{0});
      };
    };
    CHECK(end_of(play(cluster, steps(0.1)), 1) == near(1.0 + 1 * 1e-3));  // there after the first quarter
    CHECK(end_of(play(cluster, steps(0.4)), 1) == near(1.0 + 2 * 1e-3));
    CHECK(end_of(play(cluster, steps(9.0)), 1) == near(9.0 + L));  // three probes, then a wait
  }

  TEST_CASE("A probe finds a message once its envelope has left and leaves it to the receive") {
    Cluster cluster = a_rank_per_node(2);
    cluster.wire().probe_overhead = Seconds{1e-3};
    cluster.wire().eager = Bytes{1};  // the message stays with its sender until it is received
    cluster.wire().handshake = 0;
    std::uint32_t probes = 0;
    const auto steps = [&probes](Rank me) -> Generator<Step> {
      if (me == Rank{0}) {
        co_yield compute_for(1.0);
        co_yield send(Rank{1}, Bytes{m}, Tag{0});
        co_return;
      }
      bool found = false;
      for (probes = 0; !found; ++probes) {
        co_yield compute_for(0.4);
        co_yield probe(Rank{0}, Tag{0}, found);
      }
      co_yield recv(Rank{0}, Bytes{m}, Tag{0});
      if (probes == 3) co_yield compute_for(5.0);  // the answers were no, no, yes
    };
    CHECK(end_of(play(cluster, steps), 1) == near(3 * 0.4 + 3e-3 + L + m / B + 5.0));
  }

  TEST_CASE("A probe is not fooled by another tag or sender") {
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) {
        co_yield isend(Rank{1}, Bytes{m}, Tag{7}, RequestId{0});
        co_yield wait_all();
        co_return;
      }
      bool found = true;
      co_yield compute_for(1.0);
      co_yield probe(Rank{0}, Tag{8}, found);
      if (found) co_yield compute_for(10.0);
      co_yield probe(Rank{1}, Tag{7}, found);
      if (found) co_yield compute_for(100.0);
      co_yield probe(any_rank, any_tag, found);
      if (found) co_yield compute_for(2.0);
      co_yield recv(Rank{0}, Bytes{m}, Tag{7});
    };
    CHECK(end_of(play(a_rank_per_node(2), steps), 1) ==
          near(3.0 + m / C));  // arrived before its receive: copied once more
  }

  TEST_CASE("Ranks beyond the cores of a socket share them") {
    const auto steps = [](Rank me) -> Generator<Step> { co_yield compute_for(me == Rank{2} ? 2.0 : 1.0); };
    CHECK(makespan(Cluster(1, 3).place({0, 0, 0}), steps) == near(2.0));
    // 3 ranks on 2 cores run at 2/3 until the short ones end at 1.5; the long one has 1 of its 2 seconds left.
    CHECK(makespan(Cluster(1, 2).place({0, 0, 0}), steps) == near(1.5 + 1.0));
    CHECK(makespan(Cluster(1, 1).place({0, 0, 0}), steps) == near(4.0));
  }

  TEST_CASE("A rank of four cores on a shared socket gets no more than its own cores") {
    Cluster cluster(1, 6);
    cluster.place({0, 0});
    cluster.layout.placements[0].cores = 4;
    cluster.layout.placements[1].cores = 4;
    const auto steps = [](Rank me) -> Generator<Step> { co_yield compute_for(me == Rank{0} ? 1.0 : 2.0); };
    // 3 of 4 cores each: rank 0 ends at 4/3; rank 1 then has its 4 cores for the second that is left.
    CHECK(makespan(cluster, steps) == near(4.0 / 3.0 + 1.0));
  }
}
