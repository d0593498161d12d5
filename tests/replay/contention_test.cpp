// Messages that share resources. L = 10 us, B = 1 GB/s, L_m = 1 us, C = 1 GB/s per core, M = 4 GB/s per node
// (play.hpp).
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "play.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::Absolute;
using test::Cluster;
using test::compute_for;
using test::makespan;
using test::near;
using test::play;

namespace {

constexpr double L = 10e-6, B = 1e9, L_m = 1e-6, C = 1e9, M = 4e9;
constexpr double m = 1e6;

/// Ranks 0..n-1 each send m bytes to rank n + i % receivers.
std::function<Generator<Step>(Rank)> pairs(std::uint32_t n, std::uint32_t receivers) {
  return [n, receivers](Rank me) -> Generator<Step> {
    const auto i = static_cast<std::uint32_t>(me);
    if (i < n) {
      co_yield send(Rank{n + i % receivers}, Bytes{m}, Tag{0});
      co_return;
    }
    for (std::uint32_t k = 0; k < n / receivers; ++k) co_yield irecv(any_rank, Bytes{m}, Tag{0}, RequestId{k});
    co_yield wait_all();
  };
}

const ResourceRecord& resource(const RunResult& result, const std::string& name) {
  const auto found = std::ranges::find(result.resources, name, &ResourceRecord::name);
  REQUIRE(found != result.resources.end());
  return *found;
}

}  // namespace

TEST_SUITE("replay/links") {
  TEST_CASE("Two messages over one shared link take twice as long as one") {
    CHECK(makespan(Cluster(4).place({0, 1, 2, 3}), pairs(2, 2)) == near(L + m / B));
    CHECK(makespan(Cluster(3).place({0, 0, 1, 2}), pairs(2, 2)) == near(L + 2 * m / B));  // both leave node 0
  }

  TEST_CASE("A short message leaves its share of a link to the long one") {
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield send(Rank{2}, Bytes{m}, Tag{0});
      if (me == Rank{1}) co_yield send(Rank{3}, Bytes{3 * m}, Tag{0});
      if (me == Rank{2}) co_yield recv(Rank{0}, Bytes{m}, Tag{0});
      if (me == Rank{3}) co_yield recv(Rank{1}, Bytes{3 * m}, Tag{0});
    };
    const RunResult result = play(Cluster(2).place({0, 0, 1, 1}), steps);
    CHECK(result.timelines[2].back().end.si() == near(L + 2 * m / B));     // half the link each
    CHECK(result.makespan.si() == near(L + 2 * m / B + (3 * m - m) / B));  // then all of it
  }

  TEST_CASE("Messages of unequal latency share a link fairly") {
    Cluster cluster(2);
    cluster.place({0, 0, 1, 1});
    cluster.wire().latency_factor = PiecewiseFactor({{0.0, 1.0}, {2 * m, 9.0}});
    const auto steps = [](Rank me) -> Generator<Step> {  // the longer message starts 8 L later
      if (me == Rank{0}) co_yield send(Rank{2}, Bytes{m}, Tag{0});
      if (me == Rank{1}) co_yield send(Rank{3}, Bytes{2 * m}, Tag{0});
      if (me == Rank{2}) co_yield recv(Rank{0}, Bytes{m}, Tag{0});
      if (me == Rank{3}) co_yield recv(Rank{1}, Bytes{2 * m}, Tag{0});
    };
    const double alone = 8 * L * B;  // bytes of the short message before the long one starts
    CHECK(play(cluster, steps).timelines[2].back().end.si() == near(9 * L + 2 * (m - alone) / B));
  }

  TEST_CASE("Incast of n messages to one NIC takes n times as long") {
    for (const std::uint32_t n : {2u, 7u, 32u}) {
      std::vector<std::uint32_t> nodes(n + 1);
      for (std::uint32_t i = 0; i <= n; ++i) nodes[i] = i;
      CHECK(makespan(Cluster(n + 1).place(nodes), pairs(n, 1)) == near(L + n * m / B));
    }
  }

  TEST_CASE("A flow capped by its own limit leaves the rest of the link to others") {
    Cluster cluster(2);
    cluster.place({0, 0, 1, 1});
    cluster.wire().bandwidth_factor = PiecewiseFactor({{0.0, 0.25}, {2 * m, 1.0}});
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield send(Rank{2}, Bytes{m}, Tag{0});      // at most B / 4
      if (me == Rank{1}) co_yield send(Rank{3}, Bytes{3 * m}, Tag{0});  // the other 3/4
      if (me == Rank{2}) co_yield recv(Rank{0}, Bytes{m}, Tag{0});
      if (me == Rank{3}) co_yield recv(Rank{1}, Bytes{3 * m}, Tag{0});
    };
    CHECK(makespan(cluster, steps) == near(L + 4 * m / B));
  }

  TEST_CASE("What goes beside the messages is shared as they are") {
    // Alone a message gets what the wire carries of payload, two of them half of it each: the sum stays.
    Cluster alone = Cluster(2).place({0, 1}), cluster = Cluster(2).place({0, 0, 1, 1});
    alone.wire().wire_efficiency = cluster.wire().wire_efficiency = PiecewiseFactor({{0.0, 0.8}});
    CHECK(makespan(alone, pairs(1, 1)) == near(L + m / (0.8 * B)));
    const RunResult both = play(cluster, pairs(2, 2));
    CHECK(both.makespan.si() == near(L + 2 * m / (0.8 * B)));
    CHECK(resource(both, "outgoing NIC of node-0").bytes.si() == near(2 * m / 0.8));
    CHECK(both.phases[0].traffic[1].bytes.si() == near(2 * m));
  }

  TEST_CASE("A message with a limit of its own leaves what the wire carries to others") {
    // The wire carries 0.8 B of payload: of messages that may have 0.5 B, one gets that and two get 0.4 B each.
    const auto times = [](double limit) {
      Cluster alone = Cluster(2).place({0, 1}), both = Cluster(2).place({0, 0, 1, 1});
      alone.wire().wire_efficiency = both.wire().wire_efficiency = PiecewiseFactor({{0.0, 0.8}});
      alone.wire().bandwidth_factor = both.wire().bandwidth_factor = PiecewiseFactor({{0.0, limit}});
      return std::array{makespan(alone, pairs(1, 1)) - L, makespan(both, pairs(2, 2)) - L};
    };
    CHECK(times(0.5)[0] == near(m / (0.5 * B)));
    CHECK(times(0.5)[1] == near(2 * m / (0.8 * B)));
    CHECK(times(0.3)[0] == near(m / (0.3 * B)));
    CHECK(times(0.3)[1] == near(m / (0.3 * B)));
    CHECK(times(0.9)[0] == near(m / (0.8 * B)));  // more than the wire carries
  }

  TEST_CASE("Messages of unequal efficiency share the wire and not the payload") {
    // m at 0.5 and 2 m at 1: both put 2 m on the wire.
    Cluster cluster(2);
    cluster.place({0, 0, 1, 1});
    cluster.wire().wire_efficiency = PiecewiseFactor({{0.0, 0.5}, {2 * m, 1.0}});
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield send(Rank{2}, Bytes{m}, Tag{0});
      if (me == Rank{1}) co_yield send(Rank{3}, Bytes{2 * m}, Tag{0});
      if (me == Rank{2}) co_yield recv(Rank{0}, Bytes{m}, Tag{0});
      if (me == Rank{3}) co_yield recv(Rank{1}, Bytes{2 * m}, Tag{0});
    };
    CHECK(makespan(cluster, steps) == near(L + 4 * m / B));
  }

  TEST_CASE("A chain through three switches adds latencies and moves at its narrowest link") {
    Cluster cluster(2);
    cluster.place({0, 1});
    GraphTopology graph;
    graph.switches = {"a", "b", "c"};
    const auto edge = [](const char* from, const char* to, double bandwidth, double latency) {
      return GraphTopology::Edge{from, to, BytesPerSecond{bandwidth}, Seconds{latency}};
    };
    graph.edges = {edge("node:0", "a", 0.0, 0.0), edge("a", "b", 0.5 * B, 2e-6), edge("b", "c", 0.25 * B, 3e-6),
                   edge("node:1", "c", 0.0, 0.0)};
    cluster.network().topology = graph;
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield send(Rank{1}, Bytes{m}, Tag{1});
      if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{m}, Tag{1});
    };
    CHECK(makespan(cluster, steps) == near(L + 2e-6 + 3e-6 + m / (0.25 * B)));
  }

  TEST_CASE("Two directions of a node do not share its NIC") {
    const auto steps = [](Rank me) -> Generator<Step> {
      const Rank other{1 - static_cast<std::uint32_t>(me)};
      co_yield irecv(other, Bytes{m}, Tag{0}, RequestId{0});
      co_yield send(other, Bytes{m}, Tag{0});
      co_yield wait_all();
    };
    CHECK(makespan(Cluster(2).place({0, 1}), steps) == near(L + m / B));
  }
}

TEST_SUITE("replay/copies") {
  TEST_CASE("Six messages of one rank share the copy bandwidth of its core") {
    Cluster cluster(7);
    cluster.place({0, 1, 2, 3, 4, 5, 6});
    cluster.wire().copies = {1, 0};
    cluster.wire().copy_mode = CopyMode::pipelined;
    cluster.network().bandwidth = BytesPerSecond{100 * B};
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me != Rank{0}) {
        co_yield recv(Rank{0}, Bytes{m}, Tag{0});
        co_return;
      }
      for (std::uint32_t i = 1; i <= 6; ++i) co_yield isend(Rank{i}, Bytes{m}, Tag{0}, RequestId{i});
      co_yield wait_all();
    };
    CHECK(makespan(cluster, steps) == near(L + 6 * m / C));
  }

  TEST_CASE("Ranks copying in one memory slow each other down only beyond its saturation") {
    for (const std::uint32_t tau : {1u, 2u, 4u, 5u, 8u}) {
      Cluster cluster(1, 2 * tau);
      cluster.place(std::vector<std::uint32_t>(2 * tau, 0));
      cluster.shared().copies = {1, 0};
      const double rate = std::min(C, M / tau);  // saturated from tau = M / C = 4 on
      CHECK(makespan(cluster, pairs(tau, tau)) == near(L_m + m / rate));
      cluster.shared().copies = {1, 1};
      CHECK(makespan(cluster, pairs(tau, tau)) == near(L_m + 2 * m / rate));
    }
  }

  TEST_CASE("Copies of network messages and of shared memory share the memory of a node") {
    Cluster cluster(2);
    cluster.type().memory_bandwidth = BytesPerSecond{C};
    cluster.place({0, 0, 0, 1});  // 0 -> 1 inside the node, 2 -> 3 across
    cluster.shared().copies = cluster.wire().copies = {1, 0};
    cluster.type().shared_memory_latency = Seconds{L};
    const auto steps = [](Rank me) -> Generator<Step> {
      const auto i = static_cast<std::uint32_t>(me);
      if (i % 2 == 0) co_yield send(Rank{i + 1}, Bytes{m}, Tag{0});
      if (i % 2 == 1) co_yield recv(Rank{i - 1}, Bytes{m}, Tag{0});
    };
    const RunResult result = play(cluster, steps);
    CHECK(result.timelines[1].back().end.si() == near(L + 2 * m / C));
    CHECK(result.timelines[3].back().end.si() == near(L + 2 * m / C + m / B));
  }

  TEST_CASE("Busy time bytes and load of a resource are those of its flows") {
    Cluster cluster = Cluster(2).place({0, 1});
    cluster.options.load_bins = 10;
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield compute_for(1e-3 - L);
      if (me == Rank{0}) co_yield send(Rank{1}, Bytes{m}, Tag{0});  // on the wire from 1 ms to 2 ms
      if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{m}, Tag{0});
    };
    const RunResult result = play(cluster, steps);
    REQUIRE(result.resources.size() == 2);
    CHECK(result.resources[0].kind == ResourceKind::nic_out);
    CHECK(result.resources[1].kind == ResourceKind::nic_in);
    for (const ResourceRecord& record : result.resources) {
      CHECK(record.bytes.si() == near(m));
      CHECK(record.busy.si() == near(1e-3));
      REQUIRE(record.load.size() == 10);
      double total = 0.0;
      for (const double load : record.load) total += load / 10;
      CHECK(total == near(0.5, 1e-6));
      CHECK(record.load[2] == near(0.0, Absolute{0.01}));
      CHECK(record.load[7] == near(1.0, 0.01));
    }
  }

  TEST_CASE("A load curve keeps what was carried when while the time it covers grows") {
    Cluster cluster = Cluster(2).place({0, 1});
    cluster.options.load_bins = 160;  // of 50 us
    const auto steps = [](Rank me) -> Generator<Step> {
      const double begins[] = {L, 1e-3, 6e-3}, sizes[] = {m / 8, m, 2 * m};  // on the wire for 1/8, 1 and 2 ms
      double now = 0.0;
      for (int k = 0; k < 3; ++k) {
        if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{sizes[k]}, Tag{0});
        if (me == Rank{1}) continue;
        co_yield compute_for(begins[k] - L - now);
        now = begins[k] - L;
        co_yield isend(Rank{1}, Bytes{sizes[k]}, Tag{0}, RequestId{static_cast<std::uint32_t>(k)});
      }
      co_yield wait_all();
    };
    const RunResult result = play(cluster, steps);
    REQUIRE(result.makespan.si() == near(8e-3));
    for (const ResourceRecord& record : result.resources) {
      const auto carried_ms = [&](double from_ms, double until_ms) {  // at full load
        double sum = 0.0;
        for (auto bin = std::lround(20 * from_ms); bin < std::lround(20 * until_ms); ++bin)
          sum += record.load.at(static_cast<std::size_t>(bin)) / 20;
        return sum;
      };
      CHECK(carried_ms(0.0, 0.3) == near(0.125, 1e-6));
      CHECK(carried_ms(0.3, 0.9) == 0.0);
      CHECK(carried_ms(0.9, 2.1) == near(1.0, 1e-6));
      CHECK(carried_ms(2.1, 5.9) == 0.0);
      CHECK(carried_ms(5.9, 8.0) == near(2.0, 1e-6));
    }
  }

  TEST_CASE("Memories and copying cores are named after their node and rank") {
    Cluster cluster = Cluster(1).place({0, 0});
    cluster.shared().copies = {1, 1};
    const RunResult result = play(cluster, pairs(1, 1));
    CHECK(resource(result, "memory of node-0").bytes.si() == near(2 * m));
    CHECK(resource(result, "copying core of rank 0").bytes.si() == near(m));
    CHECK(resource(result, "copying core of rank 1").busy.si() == near(m / C));
  }
}
