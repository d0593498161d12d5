// A network without congestion control: messages to a receiver that takes no more hold up others on every link that
// they have come over. L = 10 us, B = 1 GB/s; every run on both engines. Times by hand from the turns of
// sim/engine/flow/head_of_line.hpp.
#include "sim/engine/flow/head_of_line.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "inside_of_nodes.hpp"
#include "sim/core/error.hpp"
#include "sim/engine/flow/sharing.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::Cluster;
using test::near;
using test::play;

namespace {

constexpr double L = 10e-6, B = 1e9, m = 1e6;

struct Message {
  std::uint32_t from, to;
  double bytes;
};

/// All at once, and everybody waits for all.
std::function<Generator<Step>(Rank)> at_once(std::vector<Message> all) {
  return [all = std::move(all)](Rank me) -> Generator<Step> {
    RequestId id{0};
    for (const Message& message : all) {
      if (Rank{message.to} == me) co_yield irecv(Rank{message.from}, Bytes{message.bytes}, Tag{0}, id);
      if (Rank{message.from} == me) co_yield isend(Rank{message.to}, Bytes{message.bytes}, Tag{0}, id);
      if (Rank{message.to} == me || Rank{message.from} == me) id = RequestId{static_cast<std::uint32_t>(id) + 1};
    }
    co_yield wait_all();
  };
}

Cluster nodes(std::uint32_t count, Congestion congestion) {
  Cluster cluster = test::a_rank_per_node(count);
  cluster.network().congestion = congestion;
  return cluster;
}

/// Two leaves of four nodes and one spine, cables of four NICs: never full here.
Cluster two_leaves(Congestion congestion) {
  Cluster cluster = nodes(8, congestion);
  cluster.network().topology = FatTreeTopology{{4, 2}, {1, 1}, {1, 1}};
  cluster.network().link_bandwidth = BytesPerSecond{4 * B};
  return cluster;
}

double end_of(const RunResult& run, std::uint32_t rank) { return run.timelines[rank].back().end.si(); }

constexpr Congestion ideal = Congestion::ideal, head_of_line = Congestion::head_of_line;

}  // namespace

TEST_SUITE("replay/head of line") {
  TEST_CASE("A message beside an incast goes on in turn with it and has the NIC to itself afterwards") {
    // 0, 1 and 2 send to 3, at B/3 each for 3 m/B; 0 also sends 4 m to 4.
    const auto steps = at_once({{0, 3, m}, {1, 3, m}, {2, 3, m}, {0, 4, 4 * m}});
    CHECK(end_of(play(nodes(5, ideal), steps), 4) == near(L + 5 * m / B));         // 2B/3: 2 m are left then
    CHECK(end_of(play(nodes(5, head_of_line), steps), 4) == near(L + 6 * m / B));  // B/3: 3 m are
  }

  TEST_CASE("An incast itself takes as long with and without congestion control") {
    for (const std::uint32_t senders : {2u, 4u, 7u}) {
      std::vector<Message> all;
      for (std::uint32_t from = 0; from < senders; ++from) all.push_back({from, senders, m});
      CHECK(play(nodes(senders + 1, head_of_line), at_once(all)).makespan.si() == near(L + senders * m / B));
    }
  }

  TEST_CASE("On a cable in the way of an incast each NIC before it may pass what the sender of the incast passes") {
    // 0 and 4 send to 7, B/2 each: the turn of the cables up. 2 sends to 5 and 6 over them: B/4 each, not B/2.
    const std::vector<Message> beside{{0, 7, 4 * m}, {4, 7, 4 * m}, {2, 5, m}, {2, 6, m}};
    CHECK(end_of(play(two_leaves(ideal), at_once(beside)), 6) == near(L + 2 * m / B));
    CHECK(end_of(play(two_leaves(head_of_line), at_once(beside)), 6) == near(L + 4 * m / B));
  }

  TEST_CASE("The tree grows: who is held up on a cable holds up its own messages to elsewhere") {
    // As above, and 2 also sends to 3 beside it, which no cable of the tree leads to: B/4 as its others, not B/3.
    const std::vector<Message> beside{{0, 7, 4 * m}, {4, 7, 4 * m}, {2, 5, m}, {2, 6, m}, {2, 3, m}};
    CHECK(end_of(play(two_leaves(ideal), at_once(beside)), 3) == near(L + 3 * m / B));
    CHECK(end_of(play(two_leaves(head_of_line), at_once(beside)), 3) == near(L + 4 * m / B));
    // Alone that message passes the incast by: its NIC is no part of the tree.
    CHECK(end_of(play(two_leaves(head_of_line), at_once({{0, 7, 4 * m}, {4, 7, 4 * m}, {2, 3, m}})), 3) ==
          near(L + m / B));
  }

  TEST_CASE("Where several receivers hold up one link the slowest counts and the others are used by who is left") {
    // 0 sends to 5, 6 and 7. 2, 3, 4 to 6 as well: B/4 each, so that is the turn of 0's NIC, until 4 m/B. 1 sends 5 m to
    // 5, which takes 3B/4 of it so far and is full until all 6 m are there.
    const auto steps = at_once({{0, 6, m}, {2, 6, m}, {3, 6, m}, {4, 6, m}, {0, 5, m}, {1, 5, 5 * m}, {0, 7, m}});
    const RunResult run = play(nodes(8, head_of_line), steps);
    CHECK(end_of(run, 5) == near(L + 6 * m / B));
    CHECK(end_of(run, 7) == near(L + 4 * m / B));
    CHECK(end_of(play(nodes(8, ideal), steps), 7) == near(L + 8.0 / 3.0 * m / B));  // 3B/8 each of 0's to 5 and 7
  }

  TEST_CASE("Who is slow because of the connection of two ranks holds up nobody") {
    Cluster cluster = nodes(3, head_of_line);
    cluster.wire().pair_bandwidth = BytesPerSecond{B / 4};
    CHECK(end_of(play(cluster, at_once({{0, 1, m}, {0, 2, m}, {0, 2, m}})), 1) == near(L + 4 * m / B));
    cluster.wire().pair_from = Bytes{2 * m};  // 0 to 1 has none: it gets what the other leaves, 3B/4
    CHECK(end_of(play(cluster, at_once({{0, 1, 1.5 * m}, {0, 2, 4 * m}})), 1) == near(L + 2 * m / B));
  }

  TEST_CASE("Approximate sharing is refused beside it") {
    Cluster cluster = nodes(2, head_of_line);
    cluster.options.approximate = 0.01;
    const FunctionProgram program("test", 2, at_once({{0, 1, m}}));
    const test::SecondsAsFlops compute;
    const ReplayInput input{&program,        &cluster.platform, &cluster.network(),
                            &cluster.layout, &compute,          cluster.options};
    CHECK_THROWS_WITH_AS(
        make_flow_engine()->replay(input),
        "network 'net': 'congestion' is head-of-line beside approximate sharing (its rates are exact). "
        "Leave 'approximate' out?",
        InputError);
  }

  TEST_CASE("Where nothing is held up beyond the first link both play the same") {
    std::vector<Message> all;  // a shift by three: every NIC sends one message and receives one
    for (std::uint32_t from = 0; from < 8; ++from) all.push_back({from, (from + 3) % 8, m});
    CHECK(play(two_leaves(head_of_line), at_once(all)).makespan.si() ==
          near(play(two_leaves(ideal), at_once(all)).makespan.si()));
  }

  TEST_CASE("What held a message back is the link whose turn it waited for and then what it shares") {
    // As above with 3 m to 5 and to 6: B/4 until 8 m/B, when 2 m are through, then half of the NIC.
    const CriticalPath path =
        test::path_of(two_leaves(head_of_line), at_once({{0, 7, 4 * m}, {4, 7, 4 * m}, {2, 5, 3 * m}, {2, 6, 3 * m}}));
    CHECK(path.run.time.si() == near(L + 10 * m / B));
    CHECK(path.run.of(ResourceKind::link).si() == near(8 * m / B));
    CHECK(path.run.of(ResourceKind::nic_out).si() == near(2 * m / B));
  }

  TEST_CASE("In any crowd no load is over its capacity and no input has more than its turn") {
    std::mt19937_64 random(7);
    const auto below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(random() % n); };
    for (int system = 0; system < 300; ++system) {
      CAPTURE(system);
      const std::uint32_t ends = 2 + below(12), cables = 1 + below(8);
      engine::RouteTable routes;
      std::vector<double> capacities;
      for (std::uint32_t l = 0; l < 2 * ends + cables + 1; ++l)
        capacities.push_back(below(2) == 0 ? B : B * (0.1 + 0.1 * below(20)));
      const auto capacity = [&](engine::ResourceId id) { return capacities[index(id)]; };
      for (std::uint32_t r = 0; r < 40; ++r) {  // NIC out, cables in one order so that trees end, NIC in, a memory
        std::vector<engine::ResourceId> route{engine::ResourceId{below(ends)}};
        for (std::uint32_t l = 0; l < cables; ++l)
          if (below(3) == 0) route.push_back(engine::ResourceId{2 * ends + l});
        route.push_back(engine::ResourceId{ends + (below(2) == 0 ? 0 : below(ends))});
        if (below(4) == 0) route.push_back(engine::ResourceId{2 * ends + cables});
        routes.add(route);
      }
      engine::HeadOfLine sharing(routes, capacity, [&](engine::ResourceId id) {
        return index(id) < 2 * ends + cables ? engine::Part::link : engine::Part::beyond;
      });
      std::vector<engine::FlowId> ended;
      std::uint32_t flows = 0, over = 0;
      double now = 0.0;
      const auto start = [&] {
        sharing.start(engine::FlowId{flows++}, engine::RouteId{below(40)}, 1e5 + 1e3 * below(1000),
                      below(4) == 0 ? B / (1 + below(9)) : 0.0);
      };
      while (flows < 60) start();
      for (sharing.settle(); sharing.next_date() < 1e9; sharing.settle()) {
        std::string what;
        const double found = sharing.violation(&what);
        CAPTURE(what);
        CHECK_LE(found, 1e-9);
        CHECK(sharing.next_date() >= now);
        now = sharing.next_date();
        ended.clear();
        sharing.advance(now, ended);
        CHECK_FALSE(ended.empty());
        over += static_cast<std::uint32_t>(ended.size());
        if (flows < 90 && below(2) == 0) start();
      }
      CHECK(over == flows);
    }
  }

  TEST_CASE("Without a link before the full one rates are those of max-min sharing") {
    std::mt19937_64 random(11);
    const auto below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(random() % n); };
    for (int system = 0; system < 100; ++system) {
      engine::RouteTable routes;
      for (std::uint32_t r = 0; r < 20; ++r)
        routes.add(std::vector{engine::ResourceId{below(4)}, engine::ResourceId{4 + below(4)}});
      const auto capacity = [](engine::ResourceId id) { return B * (1.0 + static_cast<double>(id)); };
      engine::Sharing fair(routes, capacity);
      engine::HeadOfLine sharing(routes, capacity, [](engine::ResourceId) { return engine::Part::beyond; });
      for (std::uint32_t f = 0; f < 30; ++f) {
        const engine::RouteId route{below(20)};
        fair.start(engine::FlowId{f}, route, m, 0.0);
        sharing.start(engine::FlowId{f}, route, m, 0.0);
      }
      fair.settle();
      sharing.settle();
      for (std::uint32_t r = 0; r < 20; ++r)
        CHECK(sharing.rate(engine::RouteId{r}, 0.0) == near(fair.rate(engine::RouteId{r}, 0.0)));
    }
  }
}
