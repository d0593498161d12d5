// Routes of pairs that are not in use are forgotten (sim/engine/player_routes.cpp): found again they change nothing.
#include <doctest/doctest.h>

#include <limits>
#include <memory>

#include "inside_of_nodes.hpp"
#include "sim/core/program.hpp"
#include "sim/engine/flow/sharing.hpp"
#include "sim/engine/player.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

/// Everyone exchanges messages of unequal sizes with everyone else, one after another and then all at once; twice.
class Exchanges final : public Program {
 public:
  explicit Exchanges(std::uint32_t ranks) : ranks_(ranks) {}
  std::string name() const override { return "exchanges"; }
  std::uint32_t ranks() const override { return ranks_; }
  Generator<Step> steps(Rank me) const override {
    const auto i = static_cast<std::uint32_t>(me);
    for (std::uint32_t round = 0; round < 2; ++round) {
      co_yield iteration(round);
      for (std::uint32_t k = 1; k < ranks_; ++k) {
        const std::uint32_t to = (i + k) % ranks_, from = (i + ranks_ - k) % ranks_;
        co_yield irecv(Rank{from}, size(from, i), Tag{0}, RequestId{0});
        co_yield isend(Rank{to}, size(i, to), Tag{0}, RequestId{1});
        co_yield wait_all();
      }
      for (std::uint32_t k = 1; k < ranks_; ++k) {
        const std::uint32_t to = (i + k) % ranks_, from = (i + ranks_ - k) % ranks_;
        co_yield irecv(Rank{from}, size(to, i), Tag{1}, RequestId{2 * k});
        co_yield isend(Rank{to}, size(i, from), Tag{1}, RequestId{2 * k + 1});
      }
      co_yield wait_all();
    }
  }

 private:
  static Bytes size(std::uint32_t a, std::uint32_t b) { return Bytes{1000.0 * (1 + (7 * a + 13 * b) % 50)}; }
  std::uint32_t ranks_;
};

/// The flow engine, with a say in how many pairs are kept.
class Run final : public engine::FlowSink {
 public:
  Run(const ReplayInput& input, std::size_t pairs)
      : pairs_(pairs),
        routes_(build_routes(*input.platform, *input.network)),
        player_(input, *routes_, *this),
        sharing_(player_.routes(), [this](engine::ResourceId id) { return player_.resources().capacity(id); }) {
    sharing_.remember_bottlenecks();
    sharing_.keep_loads(player_.resources().loads());
  }
  RunResult play() {
    player_.begin();
    sharing_.settle();
    std::vector<engine::FlowId> ended;
    for (;;) {
      const double now = std::min(player_.next_date(), sharing_.next_date());
      if (now == std::numeric_limits<double>::infinity()) break;
      ended.clear();
      sharing_.advance(now, ended);
      for (const engine::FlowId flow : ended) player_.flow_ended(flow, now);
      player_.run_due(now);
      if (player_.is_over()) sharing_.end_loads();
      sharing_.settle();
    }
    sharing_.add_up();
    return player_.finish("flow");
  }
  std::size_t forgotten() const { return forgotten_; }

  void start_flow(engine::FlowId flow, engine::RouteId route, double bytes, double cap) override {
    sharing_.start(flow, route, bytes, cap);
  }
  engine::Use use(engine::ResourceId resource) const override { return sharing_.use(resource); }
  void holds_of(engine::RouteId route, double cap, double began, std::vector<engine::Hold>& by) override {
    sharing_.holds_of(route, cap, began, by);
  }
  std::size_t pairs_kept(std::size_t) const override { return pairs_; }
  void forget_route(engine::RouteId route) override {
    ++forgotten_;
    sharing_.forget(route);
  }

 private:
  std::size_t pairs_, forgotten_ = 0;
  std::unique_ptr<Routes> routes_;
  engine::Player player_;
  engine::Sharing sharing_;
};

RunResult play_keeping(Cluster cluster, std::uint32_t pairs, bool may_keep_all = true) {
  cluster.options.critical_path = true;
  const Exchanges program(cluster.layout.ranks());
  const SecondsAsFlops compute;
  Run run({&program, &cluster.platform, &cluster.network(), &cluster.layout, &compute, cluster.options}, pairs);
  RunResult result = run.play();
  CHECK((may_keep_all || run.forgotten() > 0));
  return result;
}

void check_equal(const Cluster& cluster, bool may_keep_all = false) {
  const RunResult all = play_keeping(cluster, 1u << 20);
  REQUIRE(all.messages == 4ull * cluster.layout.ranks() * (cluster.layout.ranks() - 1));
  for (const std::uint32_t pairs : {1u, 20u, 40u}) {
    CAPTURE(pairs);
    const RunResult some = play_keeping(cluster, pairs, may_keep_all);
    CHECK(some.makespan == all.makespan);
    REQUIRE(some.phases.size() == all.phases.size());
    for (std::size_t k = 0; k < all.phases.size(); ++k) CHECK(some.phases[k].time == all.phases[k].time);
    REQUIRE(!all.resources.empty());
    REQUIRE(some.resources.size() == all.resources.size());
    for (std::size_t k = 0; k < all.resources.size(); ++k) {
      CHECK(some.resources[k].name == all.resources[k].name);
      CHECK(some.resources[k].bytes.si() == test::near(all.resources[k].bytes.si(), 1e-14));  // in another order
      CHECK(some.resources[k].busy == all.resources[k].busy);
      CHECK(some.resources[k].load == all.resources[k].load);
    }
    REQUIRE(some.critical_path.segments.size() == all.critical_path.segments.size());
    for (std::size_t k = 0; k < all.critical_path.segments.size(); ++k)
      CHECK(some.critical_path.segments[k].end == all.critical_path.segments[k].end);
  }
}

Cluster tree(Routing routing) {
  Cluster cluster = a_rank_per_node(12);
  cluster.network().topology = FatTreeTopology{{4, 3}, {1, 4}, {1, 1}};
  cluster.network().routing = routing;
  return cluster;
}

}  // namespace

TEST_SUITE("replay/forgotten_pairs") {
  using Kind = Routing::Kind;

  TEST_CASE("A star whose pairs are forgotten gives the same run to the last bit") {
    Cluster cluster = a_rank_per_node(12);
    cluster.wire().eager = Bytes{20e3};
    cluster.wire().bandwidth_factor = PiecewiseFactor({{0.0, 0.7}, {30e3, 0.9}});
    check_equal(cluster);
  }

  TEST_CASE("Adaptive and drawn ways that are forgotten are found again as they were") {
    check_equal(tree({Kind::adaptive, 3, 1}));
    check_equal(tree({Kind::valiant, 3, 1}));
    check_equal(tree({Kind::hash, 3, 1}));
    check_equal(tree({Kind::split, 3, 1}), true);  // of several parts: kept
    Cluster dragonfly = a_rank_per_node(16);
    dragonfly.network().topology = DragonflyTopology{4, 2, 2, 2};
    for (const Kind kind : {Kind::adaptive, Kind::valiant}) {
      dragonfly.network().routing = {kind, 8, 1};
      check_equal(dragonfly);
    }
  }

  TEST_CASE("Striped messages between several adapters do not notice that pairs are forgotten") {
    Cluster cluster = two_sockets(6);
    put_adapters(cluster, {0, 1});
    for (std::uint32_t node = 0; node < 6; ++node)
      for (const std::uint32_t socket : {0u, 1u}) seat(cluster, node, socket);
    cluster.network().adapters.stripe_over = 2;
    cluster.network().adapters.stripe_from = Bytes{25e3};
    cluster.network().topology = FatTreeTopology{{4, 3}, {1, 4}, {1, 1}};
    for (const Kind kind : {Kind::deterministic, Kind::adaptive}) {
      cluster.network().routing = {kind, 3, 1};
      check_equal(cluster);
      cluster.network().adapters.message_rate = PiecewiseRate(PerSecond{1e5});
      check_equal(cluster, true);
      cluster.network().adapters.message_rate = {};
    }
  }
}
