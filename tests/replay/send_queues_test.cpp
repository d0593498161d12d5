// Messages that wait for their turn at the adapter that sends them, in a closed form. L = 10 us, B = 1 GB/s
// (tests/support/cluster.hpp); every run on both engines.
#include <doctest/doctest.h>

#include "play.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

constexpr double L = 10e-6, B = 1e9, m = 1e6;

/// Rank 0 sends rank i + 1 so many times m bytes, all at once.
std::function<Generator<Step>(Rank)> one_to_all(std::vector<double> sizes) {
  return [=](Rank me) -> Generator<Step> {
    for (std::uint32_t i = 0; i < sizes.size(); ++i) {
      if (me == Rank{0}) co_yield isend(Rank{i + 1}, Bytes{sizes[i] * m}, Tag{0}, RequestId{i});
      if (me == Rank{i + 1}) co_yield recv(Rank{0}, Bytes{sizes[i] * m}, Tag{0});
    }
    if (me == Rank{0}) co_yield wait_all();
  };
}

Cluster queued(std::uint32_t ranks, std::uint32_t queues) {
  Cluster cluster = a_rank_per_node(ranks);
  cluster.network().adapters.send_queues = queues;
  return cluster;
}

/// When each receiver has its message, in m / B after the latency.
std::vector<double> ends(const Cluster& cluster, const std::vector<double>& sizes) {
  const RunResult result = play(cluster, one_to_all(sizes));
  std::vector<double> found;
  for (std::uint32_t i = 1; i <= sizes.size(); ++i)
    found.push_back((result.timelines[i].back().end.si() - L) / (m / B));
  return found;
}

void check(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == near(expected[i]));
}

}  // namespace

TEST_SUITE("replay/send queues") {
  TEST_CASE("Of one queue each message has the adapter to itself and of as many as messages all share it") {
    check(ends(queued(5, 0), {1, 1, 1, 1}), {4, 4, 4, 4});
    check(ends(queued(5, 4), {1, 1, 1, 1}), {4, 4, 4, 4});
    check(ends(queued(5, 1), {1, 1, 1, 1}), {1, 2, 3, 4});
    check(ends(queued(5, 2), {1, 1, 1, 1}), {2, 2, 4, 4});
  }

  TEST_CASE("A message waits for those of its queue though another queue is empty") {
    // Queues 0: 3 m, m; 1: m. The second is through at 2, the first at 4, and only then the third goes.
    check(ends(queued(4, 2), {3, 1, 1}), {4, 2, 5});
  }

  TEST_CASE("A message whose receiver is busy holds up those behind it") {
    // 0 and 1 both send to 2; 0 has another for 3, and half of its adapter is idle meanwhile.
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) {
        co_yield isend(Rank{2}, Bytes{m}, Tag{0}, RequestId{0});
        co_yield isend(Rank{3}, Bytes{m}, Tag{0}, RequestId{1});
        co_yield wait_all();
      }
      if (me == Rank{1}) co_yield send(Rank{2}, Bytes{m}, Tag{0});
      if (me == Rank{2}) co_yield recv(Rank{0}, Bytes{m}, Tag{0});
      if (me == Rank{2}) co_yield recv(Rank{1}, Bytes{m}, Tag{0});
      if (me == Rank{3}) co_yield recv(Rank{0}, Bytes{m}, Tag{0});
    };
    CHECK(makespan(queued(4, 0), steps) == near(L + 2 * m / B));
    CHECK(makespan(queued(4, 1), steps) == near(L + 3 * m / B));
  }

  TEST_CASE("Ranks of a node wait for each other and what has no bytes for nobody") {
    Cluster cluster(2);
    cluster.place({0, 0, 1, 1}).network().adapters.send_queues = 1;
    const auto steps = [](Rank me) -> Generator<Step> {
      const std::uint32_t number = static_cast<std::uint32_t>(me);
      if (number < 2) {
        co_yield isend(Rank{number + 2}, Bytes{m}, Tag{0}, RequestId{0});
        co_yield isend(Rank{number + 2}, Bytes{0}, Tag{1}, RequestId{1});
        co_yield wait_all();
      } else {
        co_yield recv(Rank{number - 2}, Bytes{0}, Tag{1});
        co_yield recv(Rank{number - 2}, Bytes{m}, Tag{0});
      }
    };
    const RunResult result = play(cluster, steps);
    CHECK(result.timelines[2].front().end.si() == near(L));
    CHECK(result.timelines[3].front().end.si() == near(L));
    CHECK(result.timelines[2].back().end.si() == near(L + m / B));
    CHECK(result.timelines[3].back().end.si() == near(L + 2 * m / B));
  }

  TEST_CASE("Copies beside the wire are over before the next message goes and others are not waited for") {
    Cluster cluster = queued(3, 1);
    cluster.type().copy_bandwidth = BytesPerSecond{B / 2};
    cluster.wire().copies = {0, 1};
    cluster.wire().copy_mode = CopyMode::pipelined;
    check(ends(cluster, {1, 1}), {2, 4});
    cluster.wire().copy_mode = CopyMode::sequential;
    check(ends(cluster, {1, 1}), {3, 4});
  }

  TEST_CASE("The rate of messages and their handshakes are as without queues") {
    Cluster cluster = queued(3, 1);
    cluster.wire().eager = cluster.wire().detach = Bytes{m};
    cluster.wire().handshake = 2;
    cluster.network().adapters.message_rate = PiecewiseRate(PerSecond{500.0});
    check(ends(cluster, {1, 1}), {2 + 2 * L / (m / B), 4 + 2 * L / (m / B)});
  }

  TEST_CASE("The adapter is what holds back a message that waits for its turn") {
    const CriticalPath path = path_of(queued(3, 1), one_to_all({1, 2}));
    REQUIRE(path.kept);
    CHECK(path.run.of(PathKind::latency).si() == near(L));
    CHECK(path.run.of(PathKind::transfer).si() == near(3 * m / B));
    CHECK(path.run.of(ResourceKind::nic_out).si() == near(3 * m / B));
  }
}
