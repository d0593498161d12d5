// The critical path of small programs, worked out by hand. L = 10 us, B = 1 GB/s, L_m = 1 us, C = 1 GB/s (play.hpp),
// where every program of these tests is also checked for: no gap, sums, both engines alike.
#include <doctest/doctest.h>

#include "play.hpp"
#include "sim/engine/history.hpp"
#include "sim/engine/resources.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::Cluster;
using test::compute_for;
using test::near;
using test::path_of;
using test::play;

namespace {

constexpr double L = 10e-6, B = 1e9, m = 1e6;

struct Part {
  PathKind kind;
  std::uint32_t rank;
  double time;
  std::string held_by = "";
};

void check_path(const CriticalPath& path, const std::vector<Part>& expected) {
  REQUIRE(path.kept);
  REQUIRE(path.segments.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO(i);
    const PathSegment& segment = path.segments[i];
    CHECK(std::string(path_kind_name(segment.kind)) == path_kind_name(expected[i].kind));
    CHECK(index(segment.rank) == expected[i].rank);
    CHECK((segment.end - segment.begin).si() / expected[i].time == near(1.0, 1e-6));
    if (expected[i].held_by == "cap")
      CHECK(segment.held_by == held_by_cap);
    else
      CHECK((segment.held_by < held_by_cap ? path.resources[segment.held_by].name : "") == expected[i].held_by);
  }
}

double share(const CriticalPath& path, PathKind kind) { return path.run.of(kind) / path.run.time; }

}  // namespace

TEST_SUITE("replay/critical path") {
  TEST_CASE("A ping-pong of small messages is all latency and overheads of both ranks in turn") {
    Cluster cluster = Cluster(2).place({0, 1});
    cluster.wire().send_overhead = PiecewiseLinear(2e-6);
    cluster.wire().receive_overhead = PiecewiseLinear(3e-6);
    const CriticalPath path = path_of(cluster, [](Rank me) -> Generator<Step> {
      for (int i = 0; i < 2; ++i) {
        if (me == Rank{0}) co_yield send(Rank{1}, 0_B, Tag{1});
        co_yield recv(Rank{1 - static_cast<std::uint32_t>(me)}, 0_B, Tag{1});
        if (me == Rank{1}) co_yield send(Rank{0}, 0_B, Tag{1});
      }
    });
    std::vector<Part> expected;
    for (const std::uint32_t rank : {0u, 1u, 0u, 1u}) {
      expected.push_back({PathKind::send_overhead, rank, 2e-6});
      expected.push_back({PathKind::latency, rank, L});
      expected.push_back({PathKind::receive_overhead, 1 - rank, 3e-6});
    }
    check_path(path, expected);
  }

  TEST_CASE("Of an incast the saturated incoming NIC holds back the transfer on the path") {
    const CriticalPath path = path_of(Cluster(4).place({0, 1, 2, 3}), [](Rank me) -> Generator<Step> {
      if (me != Rank{0}) co_yield send(Rank{0}, Bytes{m}, Tag{1});
      for (std::uint32_t from = 1; me == Rank{0} && from < 4; ++from) co_yield recv(Rank{from}, Bytes{m}, Tag{1});
    });
    check_path(path, {{PathKind::latency, 1, L}, {PathKind::transfer, 1, 3 * m / B, "incoming NIC of node-0"}});
    CHECK(path.run.of(ResourceKind::nic_in) == path.run.of(PathKind::transfer));
    CHECK(path.run.of(ResourceKind::nic_out) == Seconds{});
  }

  TEST_CASE("A flow is held back by one resource after another as others end") {
    // 2 -> 1 of m and 0 -> 1 of 2 m share the incoming NIC; then 0 -> 1 shares the outgoing one with 0 -> 3 of 5 m,
    // which alone has the rest of the time.
    const CriticalPath path = path_of(Cluster(4).place({0, 1, 2, 3}), [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) {
        co_yield isend(Rank{1}, Bytes{2 * m}, Tag{1}, RequestId{0});
        co_yield compute_for(L + 2.5 * m / B);
        co_yield isend(Rank{3}, Bytes{m}, Tag{1}, RequestId{1});
      }
      if (me == Rank{1}) {
        co_yield recv(Rank{2}, Bytes{m}, Tag{1});
        co_yield recv(Rank{0}, Bytes{2 * m}, Tag{1});
      }
      if (me == Rank{2}) co_yield send(Rank{1}, Bytes{m}, Tag{1});
      if (me == Rank{3}) co_yield recv(Rank{0}, Bytes{m}, Tag{1});
    });
    // The last to end is 0 -> 3: it begins L after 2.5 ms + L and shares with what is left of 0 -> 1 (0.5 ms - L
    // alone).
    const double left = 0.5 * m - L * B, shared = 2 * left / B;
    check_path(path, {{PathKind::computation, 0, L + 2.5 * m / B},
                      {PathKind::latency, 0, L},
                      {PathKind::transfer, 0, shared + (m - left) / B, "outgoing NIC of node-0"}});
  }

  TEST_CASE("A transfer that two resources held back in turn is split between them") {
    // 0 -> 1 of 3 m. 2 -> 1 of m from the start: the incoming NIC is shared for 2 ms, and 2 m are left. Then the cap of
    // half the bandwidth no longer matters less: alone the flow gets its own limit.
    Cluster cluster = Cluster(3).place({0, 1, 2});
    cluster.wire().bandwidth_factor = PiecewiseFactor({{0.0, 0.75}});
    const CriticalPath path = path_of(cluster, [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield send(Rank{1}, Bytes{3 * m}, Tag{1});
      if (me == Rank{2}) co_yield send(Rank{1}, Bytes{m}, Tag{1});
      if (me == Rank{1}) {
        co_yield recv(Rank{2}, Bytes{m}, Tag{1});
        co_yield recv(Rank{0}, Bytes{3 * m}, Tag{1});
      }
    });
    check_path(path, {{PathKind::latency, 0, L},
                      {PathKind::transfer, 0, 2 * m / B, "incoming NIC of node-1"},
                      {PathKind::transfer, 0, 2 * m / (0.75 * B), "cap"}});
    CHECK(path.run.own_limit.si() / (2 * m / (0.75 * B)) == near(1.0, 1e-6));
  }

  TEST_CASE("A late sender puts its computation on the path of the receiver's phase") {
    const RunResult result = play(Cluster(2).place({0, 1}), [](Rank me) -> Generator<Step> {
      co_yield phase("computation");
      co_yield compute_for(me == Rank{0} ? 5e-3 : 1e-3);
      co_yield phase("communication");
      if (me == Rank{0}) co_yield send(Rank{1}, Bytes{m}, Tag{1});
      if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{m}, Tag{1});
    });
    const PathTotals& of = result.critical_path.of_phase("communication");
    CHECK(of.time.si() / (4e-3 + L + m / B) == near(1.0, 1e-9));
    CHECK(of.late.si() / 4e-3 == near(1.0, 1e-9));
    CHECK(of.computing.at(0).rank == Rank{0});
    CHECK(of.of(PathKind::latency).si() / L == near(1.0, 1e-9));
    CHECK(of.of(ResourceKind::nic_in) + of.of(ResourceKind::nic_out) == of.of(PathKind::transfer));
    CHECK(result.critical_path.of_phase("computation").late == Seconds{});
  }

  TEST_CASE("A late receiver of a rendezvous message leads the path through its own computation and the handshake") {
    Cluster cluster = Cluster(2).place({0, 1});
    cluster.wire().eager = 0_B;
    cluster.wire().handshake = 2;
    const CriticalPath path = path_of(cluster, [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield send(Rank{1}, Bytes{m}, Tag{1});
      if (me == Rank{1}) {
        co_yield compute_for(1e-3);
        co_yield recv(Rank{0}, Bytes{m}, Tag{1});
      }
    });
    REQUIRE(path.segments.size() == 4);
    CHECK(path.segments[0].kind == PathKind::computation);
    CHECK(path.segments[0].rank == Rank{1});
    CHECK(path.segments[1].kind == PathKind::handshake);
    CHECK((path.segments[1].end - path.segments[1].begin).si() / (2 * L) == near(1.0, 1e-6));
    CHECK(path.segments[2].kind == PathKind::latency);
    CHECK(path.segments[3].kind == PathKind::transfer);
  }

  TEST_CASE("A request that came before its late receiver leaves the answer alone on the path") {
    Cluster cluster = Cluster(2).place({0, 1});
    cluster.wire().eager = 0_B;
    cluster.wire().handshake = 2;
    cluster.wire().handshake_request = 1;
    const auto receiver_after = [&](double seconds) {
      return path_of(cluster, [seconds](Rank me) -> Generator<Step> {
        if (me == Rank{0}) co_yield send(Rank{1}, Bytes{m}, Tag{1});
        if (me == Rank{1}) co_yield compute_for(seconds);
        if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{m}, Tag{1});
      });
    };
    check_path(receiver_after(1e-3), {{PathKind::computation, 1, 1e-3},
                                      {PathKind::handshake, 0, L},
                                      {PathKind::latency, 0, L},
                                      {PathKind::transfer, 0, m / B, "outgoing NIC of node-0"}});
    // A receiver that is there before the request is not on the path: all of the handshake is.
    check_path(receiver_after(0.5 * L), {{PathKind::handshake, 0, 2 * L},
                                         {PathKind::latency, 0, L},
                                         {PathKind::transfer, 0, m / B, "outgoing NIC of node-0"}});
  }

  TEST_CASE("An unexpected message is copied on the path from when its receive is posted") {
    const CriticalPath path = path_of(Cluster(2).place({0, 1}), [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield send(Rank{1}, Bytes{m}, Tag{1});
      if (me == Rank{1}) {
        co_yield compute_for(10e-3);
        co_yield recv(Rank{0}, Bytes{m}, Tag{1});
      }
    });
    check_path(path,
               {{PathKind::computation, 1, 10e-3}, {PathKind::unexpected_copy, 0, 1e-3, "copying core of rank 1"}});
  }

  TEST_CASE("A barrier leads to the rank that entered last") {
    const CriticalPath path = path_of(Cluster(3).place({0, 1, 2}), [](Rank me) -> Generator<Step> {
      co_yield compute_for(me == Rank{2} ? 5e-3 : 1e-3);
      co_yield barrier();
      co_yield compute_for(me == Rank{1} ? 2e-3 : 1e-3);
    });
    check_path(path, {{PathKind::computation, 2, 5e-3}, {PathKind::computation, 1, 2e-3}});
    CHECK(path.run.computing.at(0).rank == Rank{2});
  }

  TEST_CASE("A message that comes while its receiver still computes is not on the path") {
    const CriticalPath path = path_of(Cluster(2).place({0, 1}), [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield send(Rank{1}, Bytes{m}, Tag{1});
      if (me == Rank{1}) {
        co_yield irecv(Rank{0}, Bytes{m}, Tag{1}, RequestId{0});
        co_yield compute_for(10e-3);
        co_yield wait_all();
      }
    });
    check_path(path, {{PathKind::computation, 1, 10e-3}});
    CHECK(share(path, PathKind::computation) == near(1.0, 1e-12));
  }

  TEST_CASE("Ranks that share a core have the time they wait for it on the path") {
    const CriticalPath path =
        path_of(Cluster(1, 1).place({0, 0}), [](Rank) -> Generator<Step> { co_yield compute_for(1e-3); });
    CHECK(share(path, PathKind::computation) == near(0.5, 1e-9));
    CHECK(share(path, PathKind::shared_cores) == near(0.5, 1e-9));
  }

  TEST_CASE("History that nobody can come back to is freed and what all share is added up") {
    engine::History history(2);
    for (int i = 1; i <= 400'000; ++i) {
      const double begin = i - 1.0;
      history.worked(Rank{0}, PathKind::computation, 0, begin + 0.5);
      history.worked(Rank{1}, PathKind::computation, 0, begin + 0.25);
      history.sent(engine::MessageId{0}, Rank{0}, {});
      history.delayed(engine::MessageId{0}, {Rank{0}, Rank{1}}, i);
      history.waited(Rank{1}, engine::MessageId{0}, {Rank{0}, Rank{1}});
      history.forget(engine::MessageId{0});
      history.barrier(Rank{1}, 0, 2);
      for (const std::uint32_t rank : {0u, 1u})
        history.phase_ended(static_cast<std::uint32_t>(i - 1), 0, Rank{rank}, begin, i, rank == 0);
    }
    CHECK(history.events() <= 1u << 17);
  }

  TEST_CASE("What does not fit into the log is added up by cause and nothing of the run is lost") {
    // One phase from start to end: nothing of it may be added up to the run before.
    Cluster cluster = Cluster(2).place({0, 1});
    engine::History history(2, 1000);
    history.worked(Rank{1}, PathKind::computation, 0, 0.25);
    for (int i = 1; i <= 10'000; ++i) {
      history.worked(Rank{0}, PathKind::computation, 0, i - 0.5);
      history.worked(Rank{0}, PathKind::send_overhead, 0, i);
    }
    CHECK(history.events() <= 1000);
    history.phase_ended(0, 0, Rank{0}, 0.0, 10'000.0, true);
    history.finished(Rank{0});
    history.phase_ended(0, 0, Rank{1}, 0.0, 0.25, false);
    history.finished(Rank{1});
    const FunctionProgram program("test", 2, [](Rank) -> Generator<Step> { co_return; });
    const test::SecondsAsFlops compute;
    const ReplayInput input{&program,        &cluster.platform, &cluster.platform.networks.front(),
                            &cluster.layout, &compute,          cluster.options};
    const auto routes = build_routes(cluster.platform, cluster.network());
    const engine::Resources resources(input, *routes);
    const CriticalPath path =
        history.result(resources, {"all"}, {{"all", 0, Seconds(10'000.0), Rank{0}, Seconds{}, Seconds(10'000.0), {}}});
    for (const PathTotals& of : {path.run, path.of_phase("all")}) {
      CHECK(of.time.si() == near(10'000.0, 1e-12));
      CHECK(of.left_out == Seconds{});
      CHECK(of.of(PathKind::computation).si() == near(5'000.0, 1e-12));
      CHECK(of.of(PathKind::send_overhead).si() == near(5'000.0, 1e-12));
      CHECK(of.computing.at(0).rank == Rank{0});
    }
    CHECK(path.segments_in_all == 20'000);
    CHECK(path.segments.size() < path.segments_in_all);
  }

  TEST_CASE("A phase whose path begins within what was added up says how much of it is not known") {
    // Two hundred ranks begin their phase at dates of their own: more than stretches are divided at.
    constexpr std::uint32_t ranks = 200;
    engine::History history(ranks, 1000);
    for (std::uint32_t r = 0; r < ranks; ++r) {
      const double begin = 1.0 + 0.001 * r;
      history.worked(Rank{r}, PathKind::computation, 0, begin);
      history.phase_ended(0, 0, Rank{r}, 0.0, begin, true);
    }
    for (int i = 1; i <= 5'000; ++i) {  // rank 0 alone works on
      history.worked(Rank{0}, PathKind::computation, 1, i + 1.5);
      history.worked(Rank{0}, PathKind::send_overhead, 1, i + 2.0);
    }
    history.phase_ended(1, 1, Rank{0}, 1.0, 5'002.0, true);
    for (std::uint32_t r = 1; r < ranks; ++r) {
      history.barrier(Rank{0}, r, r + 1);
      history.phase_ended(1, 1, Rank{r}, 1.0 + 0.001 * r, 5'002.0, false);
    }
    for (std::uint32_t r = 0; r < ranks; ++r) history.finished(Rank{r});
    Cluster cluster = Cluster(2).place({0, 1});
    const FunctionProgram program("test", 2, [](Rank) -> Generator<Step> { co_return; });
    const test::SecondsAsFlops compute;
    const ReplayInput input{&program,        &cluster.platform, &cluster.platform.networks.front(),
                            &cluster.layout, &compute,          cluster.options};
    const auto routes = build_routes(cluster.platform, cluster.network());
    const CriticalPath path =
        history.result(engine::Resources(input, *routes), {"first", "second"},
                       {{"second", 0, Seconds(5'001.0), Rank{0}, Seconds{1.0}, Seconds(5'002.0), {}}});
    const PathTotals& of = path.of_phase("second");
    Seconds all = of.left_out;
    for (const Seconds time : of.kinds) all += time;
    CHECK(all.si() == near(5'001.0, 1e-12));
    CHECK(of.left_out.si() < 0.01);
    CHECK(path.run.left_out == Seconds{});
  }
}
