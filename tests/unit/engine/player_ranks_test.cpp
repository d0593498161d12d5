// What a rank does while its messages travel: waits, probes, polling compute steps, barriers, shared cores. Times in
// us.
#include "scripted_sink.hpp"
#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"

namespace orrery::engine {

namespace {

using test::a_rank_per_node;
using test::Cluster;
using test::compute_for;
using test::near;

constexpr Bytes m{1000};

/// Ranks 1 and 2 send to rank 0, which computes first and waits then.
auto gather(double computing, Step waiting) {
  return [computing, waiting](Rank me) -> Generator<Step> {
    if (me != Rank{0}) {
      co_yield send(Rank{0}, m, Tag{1});
      co_return;
    }
    co_yield irecv(Rank{1}, m, Tag{1}, RequestId{1});
    co_yield irecv(Rank{2}, m, Tag{1}, RequestId{2});
    co_yield compute_for(computing);
    co_yield waiting;
    co_yield wait_all();
  };
}

/// A message of rank 0 and what rank 1 does about it.
auto answering(std::function<Generator<Step>()> receiver) {
  return [receiver = std::move(receiver)](Rank me) -> Generator<Step> {
    if (me == Rank{0}) co_yield send(Rank{1}, m, Tag{1});
    if (me != Rank{1}) co_return;
    co_yield elements_of(receiver());
  };
}

void refused(const Cluster& cluster, std::function<Generator<Step>(Rank)> steps, const char* message) {
  CHECK_THROWS_WITH_AS(play(cluster, std::move(steps)), message, ReplayError);
}

}  // namespace

TEST_SUITE("replay/player ranks") {
  TEST_CASE("Receives completed by one wait pay their overheads one after another in that wait and not before") {
    Cluster cluster = a_rank_per_node(3);
    cluster.wire().receive_overhead = PiecewiseLinear(3e-6);
    const Told early = play(cluster, gather(0.0, wait_all()));  // both come at 11
    CHECK(early.ranks[0] == Lines{"wait 0..17"});
    const Told late = play(cluster, gather(50e-6, wait_all()));
    CHECK(late.ranks[0] == Lines{"compute 0..50", "wait 50..56"});
  }

  TEST_CASE("A wait for one request leaves the others open and a wait for none is over at once") {
    Cluster cluster = a_rank_per_node(3);
    cluster.wire().receive_overhead = PiecewiseLinear(3e-6);
    const Told one = play(cluster, gather(0.0, wait(RequestId{2})));
    CHECK(one.ranks[0] == Lines{"wait 0..14", "wait 14..17"});
    const Told range = play(cluster, gather(0.0, wait_all(RequestId{2}, 7)));
    CHECK(range.ranks[0] == Lines{"wait 0..14", "wait 14..17"});
    const Told nothing = play(cluster, gather(0.0, wait(RequestId{3})));
    CHECK(nothing.ranks[0] == Lines{"wait 0..17"});
  }

  TEST_CASE("A wait for a send that does not detach ends when the message has arrived") {
    Cluster cluster = a_rank_per_node(2);
    cluster.wire().detach = m;
    const Told told = play(cluster, [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) {
        co_yield isend(Rank{1}, m, Tag{1}, RequestId{0});
        co_yield wait(RequestId{0});
        co_yield isend(Rank{1}, m, Tag{1}, RequestId{0});  // its number is free again
        co_yield compute_for(40e-6);
        co_yield wait(RequestId{0});
      } else {
        co_yield recv(Rank{0}, m, Tag{1});
        co_yield recv(Rank{0}, m, Tag{1});
      }
    });
    CHECK(told.ranks[0] == Lines{"wait 0..11", "compute 11..51"});
    CHECK(told.ranks[1] == Lines{"receive 0..11 (0, 1000 B)", "receive 11..22 (0, 1000 B)"});
  }

  TEST_CASE("A probe finds an envelope that left before its instant and costs its overhead each time") {
    Cluster cluster = a_rank_per_node(2);
    cluster.wire().send_overhead = PiecewiseLinear(2e-6);
    cluster.wire().probe_overhead = 1_us;
    const Told told = play(cluster, answering([]() -> Generator<Step> {
                             bool found = false;
                             while (!found) co_yield probe(Rank{0}, Tag{1}, found);
                             co_yield recv(Rank{0}, m, Tag{1});
                           }));
    // The envelope leaves at 2, at the instant of the second look, which does not see it yet.
    CHECK(told.ranks[1] == Lines{"wait 0..1", "wait 1..2", "wait 2..3", "receive 3..13 (0, 1000 B)"});
  }

  TEST_CASE("A probe for another tag or source finds nothing") {
    Cluster cluster = a_rank_per_node(2);
    bool tag = true, source = true, any = false;
    play(cluster, answering([&]() -> Generator<Step> {
           co_yield compute_for(1e-6);
           co_yield probe(Rank{0}, Tag{2}, tag);
           co_yield probe(Rank{1}, Tag{1}, source);
           co_yield probe(any_rank, any_tag, any);
           co_yield recv(any_rank, m, any_tag);
         }));
    CHECK_FALSE(tag);
    CHECK_FALSE(source);
    CHECK(any);
  }

  TEST_CASE("A polling compute step probes after each chunk until its request is complete and does the rest at once") {
    Cluster cluster = a_rank_per_node(2);
    cluster.wire().probe_overhead = 1_us;
    const auto polling_for = [](RequestId request, std::uint32_t chunks) {
      return answering([request, chunks]() -> Generator<Step> {
        ComputeUntil until;
        until.compute.flops = Flops{40e-6};
        until.chunks = chunks;
        until.request = request;
        co_yield irecv(Rank{0}, m, Tag{1}, RequestId{0});
        co_yield until;
        co_yield wait_all();
      });
    };
    // The message comes at 11. Chunks of 10: one until 10, a probe and one until 21, a probe and the other two.
    CHECK(play(cluster, polling_for(RequestId{0}, 4)).ranks[1] == Lines{"compute 0..42"});
    // Chunks of 5: until 5, 11 (the message comes at that very instant: not seen), 17, then a probe and 25.
    CHECK(play(cluster, polling_for(RequestId{0}, 8)).ranks[1] == Lines{"compute 0..43"});
    CHECK(play(cluster, polling_for(RequestId{0}, 1)).ranks[1] == Lines{"compute 0..40"});
    CHECK(play(cluster, polling_for(RequestId{7}, 4)).ranks[1].front() == "compute 0..41");  // no such request
  }

  TEST_CASE("All ranks leave an ideal barrier when the last one enters and in order") {
    const Told told = play(a_rank_per_node(3), [](Rank me) -> Generator<Step> {
      const auto i = static_cast<std::uint32_t>(me);
      co_yield compute_for(i == 1 ? 9e-6 : 1e-6);
      co_yield barrier();
      co_yield isend(Rank{(i + 1) % 3}, m, Tag{1}, RequestId{0});
      co_yield recv(Rank{(i + 2) % 3}, m, Tag{1});
      co_yield wait_all();
      co_yield barrier();
    });
    CHECK(told.flows == Lines{"19: 1000 B over outgoing NIC of node-0, incoming NIC of node-1",
                              "19: 1000 B over outgoing NIC of node-1, incoming NIC of node-2",
                              "19: 1000 B over outgoing NIC of node-2, incoming NIC of node-0"});
    CHECK(told.ranks[0] == Lines{"compute 0..1", "barrier 1..9", "receive 9..20 (2, 1000 B)"});
    CHECK(told.ranks[1] == Lines{"compute 0..9", "receive 9..20 (0, 1000 B)"});
    CHECK(told.run.makespan == near(20_us));
  }

  TEST_CASE("Ranks that share a core ask for it as a flow of at most their own cores and it is no resource to show") {
    Cluster cluster(1, 1);
    cluster.place({0, 0});
    const Told told = play(cluster, [](Rank) -> Generator<Step> { co_yield compute_for(5e-6); });
    const std::string line = "0: 5e+06 B over cores 0 at most 1e+12 B/s";  // 1e12 'bytes' are a core for a second
    CHECK(told.flows == Lines{line, line});
    CHECK(told.run.resources.empty());
    CHECK(told.run.makespan == near(5_us));
  }

  TEST_CASE("A phase lasts as long as its slowest rank from its own start") {
    const Told told = play(a_rank_per_node(2), [](Rank me) -> Generator<Step> {
      co_yield compute_for(me == Rank{0} ? 3e-6 : 8e-6);
      co_yield iteration(4);
      co_yield phase("update");
      co_yield compute_for(me == Rank{0} ? 7e-6 : 5e-6);
    });
    REQUIRE(told.run.phases.size() == 2);
    CHECK(told.run.phases[0].phase == default_phase);
    CHECK(told.run.phases[0].time == near(8_us));
    CHECK(told.run.phases[1].phase == "update");
    CHECK(told.run.phases[1].iteration == 4);
    CHECK(told.run.phases[1].time == near(7_us));
    CHECK(told.run.phases[1].slowest == Rank{0});
    CHECK(told.run.phases[1].begin == near(3_us));
    CHECK(told.run.phases[1].end == near(13_us));
  }

  TEST_CASE("A rank that names no rank or uses a number twice is told so") {
    const Cluster cluster = a_rank_per_node(2);
    refused(
        cluster,
        [](Rank me) -> Generator<Step> {
          if (me == Rank{0}) co_yield send(Rank{7}, m, Tag{1});
        },
        "rank 0 sends to rank 7 (ranks are 0..1; test, t=0s)");
    refused(
        cluster,
        [](Rank me) -> Generator<Step> {
          co_yield compute_for(2e-6);
          if (me == Rank{1}) co_yield recv(Rank{2}, m, Tag{1});
        },
        "rank 1 receives from rank 2 (ranks are 0..1; test, t=2e-06s)");
    refused(
        cluster,
        [](Rank) -> Generator<Step> {
          co_yield irecv(Rank{0}, m, Tag{1}, RequestId{3});
          co_yield irecv(Rank{0}, m, Tag{1}, RequestId{3});
        },
        "rank 0 reuses request 3 before waiting for it (test, p=2, t=0s)");
  }

  TEST_CASE("Ranks that wait for each other for ever are named with what they wait for") {
    Cluster cluster = a_rank_per_node(2);
    cluster.wire().eager = cluster.wire().detach = m;
    refused(
        cluster, [](Rank me) -> Generator<Step> { co_yield send(me == Rank{0} ? Rank{1} : Rank{0}, m, Tag{1}); },
        "rank 0 waits for rank 1 to receive tag 1 (1000 B)\nrank 1 waits for rank 0 to receive tag 1 (1000 B)\n"
        "cycle: 0 -> 1 -> 0 (test, p=2, t=0s)");
  }

  TEST_CASE("A step that no program can mean is refused in every build with its rank and number") {
    const Cluster cluster = a_rank_per_node(2);
    const auto of_first = [](Step step) {
      return [step](Rank me) -> Generator<Step> {
        if (me == Rank{0}) co_yield step;
      };
    };
    refused(cluster, of_first(send(Rank{1}, Bytes(-8), Tag{1})),
            "rank 0 sends -8 B (a number from 0 on; test, p=2, t=0s)");
    refused(cluster, of_first(isend(Rank{1}, Bytes(std::numeric_limits<double>::quiet_NaN()), Tag{1}, RequestId{1})),
            "rank 0 sends nan B (a number from 0 on; test, p=2, t=0s)");
    refused(cluster, of_first(compute_for(-1.0)), "rank 0 computes for -1 s (a number from 0 on; test, p=2, t=0s)");
    refused(cluster, of_first(compute_for(std::numeric_limits<double>::infinity())),
            "rank 0 computes for inf s (a number from 0 on; test, p=2, t=0s)");
    refused(cluster, of_first(CollectiveEnd{}), "rank 0 ends a collective that it has not begun (t=0s)");
    refused(cluster, of_first(CollectiveBegin{nullptr}),
            "rank 0 begins a collective, but says not which (test, p=2, t=0s)");
    refused(cluster, of_first(Probe{Rank{1}, Tag{1}}),
            "rank 0 probes, but says not where the answer goes (test, p=2, t=0s)");
    refused(cluster, of_first(WaitAny{nullptr, nullptr}),
            "rank 0 waits for any request, but says not of which or where the answer goes (test, p=2, t=0s)");
  }

  TEST_CASE("A layout of another number of ranks than the program is refused") {
    const Cluster cluster = a_rank_per_node(2);
    const FunctionProgram program("test", 3, [](Rank) -> Generator<Step> { co_return; });
    CHECK_THROWS_WITH_AS(ScriptedSink(cluster, program),
                         "layout 'test': has 2 ranks, program 'test' has 3 (they must agree)", InputError);
  }
}

}  // namespace orrery::engine
