// Messages that move only in MPI calls of their ranks. L = 10 us, B = 1 GB/s (play.hpp); a handshake of two latencies.
#include <doctest/doctest.h>

#include "play.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::Cluster;
using test::compute_for;
using test::makespan;
using test::near;

namespace {

constexpr double L = 10e-6, B = 1e9;
constexpr double m = 1e6, before = 1e-6, work = 5e-3;

/// A rank on each of two nodes; messages from one byte on wait for calls.
Cluster in_calls(std::uint32_t request = 0, std::uint32_t handshake = 2) {
  Cluster cluster = test::a_rank_per_node(2);
  cluster.wire().eager = cluster.wire().detach = Bytes{1};
  cluster.wire().handshake = handshake;
  cluster.wire().handshake_request = request;
  cluster.wire().progress = MessageProgress::in_calls;
  return cluster;
}

Cluster independent(std::uint32_t request = 0) {
  Cluster cluster = in_calls(request);
  cluster.wire().progress = MessageProgress::independent;
  return cluster;
}

/// Rank 0 sends and computes before it waits; rank 1 waits all the time.
Generator<Step> busy_sender(Rank me) {
  if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{m}, Tag{1});
  if (me == Rank{1}) co_return;
  co_yield isend(Rank{1}, Bytes{m}, Tag{1}, RequestId{0});
  co_yield compute_for(work);
  co_yield wait_all();
}

/// Rank 1 has posted its receive and computes in so many parts, with a call of nothing between them; rank 0 sends.
std::function<Generator<Step>(Rank)> busy_receiver(int parts) {
  return [parts](Rank me) -> Generator<Step> {
    if (me == Rank{0}) co_yield compute_for(before);
    if (me == Rank{0}) co_yield send(Rank{1}, Bytes{m}, Tag{1});
    if (me == Rank{0}) co_return;
    co_yield irecv(Rank{0}, Bytes{m}, Tag{1}, RequestId{0});
    for (int k = 0; k < parts; ++k) {
      if (k > 0) co_yield wait_all(RequestId{7}, 1);
      co_yield compute_for(work / parts);
    }
    co_yield wait_all();
  };
}

}  // namespace

TEST_SUITE("replay/progress") {
  TEST_CASE("A message of a sender that computes moves from the sender's next call on") {
    CHECK(makespan(in_calls(), busy_sender) == near(work + L + m / B));
    CHECK(makespan(independent(), busy_sender) == near(work));  // it has come meanwhile
  }
  TEST_CASE("A message whose sender is back in a call before the answer comes loses nothing") {
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{m}, Tag{1});
      if (me == Rank{1}) co_return;
      co_yield isend(Rank{1}, Bytes{m}, Tag{1}, RequestId{0});
      co_yield compute_for(L);
      co_yield wait_all();
    };
    CHECK(makespan(in_calls(), steps) == near(2 * L + L + m / B));
    CHECK(makespan(independent(), steps) == near(2 * L + L + m / B));
  }
  TEST_CASE("A receiver that computes answers in its next call") {
    CHECK(makespan(in_calls(), busy_receiver(1)) == near(work + 2 * L + L + m / B));
    CHECK(makespan(in_calls(1), busy_receiver(1)) == near(work + L + L + m / B));  // the request was there
    CHECK(makespan(in_calls(0, 0), busy_receiver(1)) == near(work + L + m / B));
    CHECK(makespan(independent(), busy_receiver(1)) == near(work));
  }
  TEST_CASE("Any call of a receiver that computes answers and the data move while it computes again") {
    CHECK(makespan(in_calls(), busy_receiver(2)) == near(work));
    CHECK(makespan(in_calls(), busy_receiver(5)) == near(work));
    // Of fifty parts the answer is given between the first and the second: the rest is computed meanwhile.
    CHECK(makespan(in_calls(), busy_receiver(50)) == near(work));
  }
  TEST_CASE("A message below the threshold moves whatever its ranks do") {
    for (const bool in : {false, true}) {
      Cluster cluster = in ? in_calls() : independent();
      cluster.wire().eager = cluster.wire().detach = Bytes{2 * m};
      CHECK(makespan(cluster, busy_sender) == near(work));
      CHECK(makespan(cluster, busy_receiver(1)) == near(work));
    }
  }
  TEST_CASE("Blocking messages are the same whether they move in calls or not") {
    const auto steps = [](Rank me) -> Generator<Step> {
      for (std::uint32_t k = 0; k < 3; ++k) {
        co_yield compute_for(me == Rank{0} ? 1e-4 : 3e-4);
        if (me == Rank{0}) co_yield send(Rank{1}, Bytes{m}, Tag{k});
        if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{m}, Tag{k});
      }
    };
    for (const std::uint32_t request : {0u, 1u})
      CHECK(makespan(in_calls(request), steps) == near(makespan(independent(request), steps)));
  }
  TEST_CASE("Of two ranks that exchange and then compute each answers in its wait") {
    const auto steps = [](Rank me) -> Generator<Step> {
      const Rank other{me == Rank{0} ? 1u : 0u};
      co_yield irecv(other, Bytes{m}, Tag{1}, RequestId{0});
      co_yield compute_for(me == Rank{0} ? 1e-6 : 2e-6);
      co_yield isend(other, Bytes{m}, Tag{1}, RequestId{1});
      co_yield compute_for(me == Rank{0} ? work : 2 * work);
      co_yield wait_all();
    };
    // Rank 1's message, which rank 0 answered in its wait, moves from rank 1's wait on.
    CHECK(makespan(in_calls(), steps) == near(2e-6 + 2 * work + L + m / B));
    CHECK(makespan(independent(), steps) == near(2e-6 + 2 * work));
  }
  TEST_CASE("A compute step that polls answers between its chunks") {
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield compute_for(before);
      if (me == Rank{0}) co_yield send(Rank{1}, Bytes{m}, Tag{1});
      if (me == Rank{0}) co_return;
      co_yield irecv(Rank{0}, Bytes{m}, Tag{1}, RequestId{0});
      co_yield Step{ComputeUntil{Compute{.work = Work::generic, .flops = Flops{work}}, 2, RequestId{0}}};
      co_yield compute_for(work);
      co_yield wait_all();
    };
    CHECK(makespan(in_calls(), steps) == near(2 * work));  // answered after half of the first
    CHECK(makespan(independent(), steps) == near(2 * work));
  }
  TEST_CASE("What waited for a rank is on that rank's path") {
    const CriticalPath path = test::path_of(in_calls(), busy_sender);
    CHECK(path.run.kinds[static_cast<std::size_t>(PathKind::computation)].si() == near(work));
    CHECK(path.run.kinds[static_cast<std::size_t>(PathKind::handshake)].si() == 0.0);
    CHECK(path.run.kinds[static_cast<std::size_t>(PathKind::latency)].si() == near(L));
    const CriticalPath late = test::path_of(in_calls(), busy_receiver(1));
    CHECK(late.run.kinds[static_cast<std::size_t>(PathKind::computation)].si() == near(work));
    CHECK(late.run.kinds[static_cast<std::size_t>(PathKind::handshake)].si() == near(2 * L));
  }
  TEST_CASE("Ranks of one node that talk through memory wait for calls where that channel says so") {
    Cluster cluster = Cluster(1).place({0, 0});
    cluster.shared().eager = cluster.shared().detach = Bytes{1};
    cluster.shared().copies = {0, 1};
    cluster.shared().handshake = 2;
    cluster.shared().progress = MessageProgress::in_calls;
    CHECK(makespan(cluster, busy_sender) == near(work + 1e-6 + m / B));
  }
}
