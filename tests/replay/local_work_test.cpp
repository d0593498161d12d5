// Local work of collectives. L = 10 us, B = 1 GB/s; memory copies 4 GB/s (tests/support/cluster.hpp); every run on both
// engines.
#include "platforms/local_work.hpp"

#include <doctest/doctest.h>

#include <numeric>

#include "inside_of_nodes.hpp"
#include "kernels/collectives/collective.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

constexpr double L = 10e-6, B = 1e9, M = 4e9, m = 1e6, r = 2e9, c = 3e9;

/// Ranks on these nodes, with rates of memory for vectors beyond a cache of so many bytes.
Cluster reducing(const std::vector<std::uint32_t>& nodes, double cache = 0.0) {
  Cluster cluster(nodes.back() + 1);
  LocalRates& rates = cluster.type().local_work;
  rates.reduction = BytesPerSecond{r};
  rates.copy = BytesPerSecond{c};
  rates.cache = Bytes{cache};
  rates.cached_reduction = BytesPerSecond{4 * r};
  rates.cached_copy = BytesPerSecond{4 * c};
  cluster.place(nodes);
  for (Placement& place : cluster.layout.placements) place.local_work = kinds_of(rates);
  return cluster;
}

double time_of(const Cluster& cluster, std::string_view algorithm) {
  const std::uint32_t p = cluster.layout.ranks();
  const Group world = Group::world(p);
  const collectives::Nodes nodes = collectives::nodes_of(world, &cluster.layout);
  return makespan(cluster, [=](Rank me) {
    const collectives::Call call{.group = world, .me = me, .algorithm = collectives::Choice(algorithm), .nodes = nodes};
    return collectives::allreduce(call, Bytes{m});
  });
}

}  // namespace

TEST_SUITE("replay/local work") {
  TEST_CASE("An allreduce of two ranks takes its copy and its message and its reduction") {
    CHECK(time_of(reducing({0, 1}), "rdb") == near(m / c + L + m / B + m / r));
  }
  TEST_CASE("A ring of four ranks copies its operand and reduces three quarters of it between messages") {
    CHECK(time_of(reducing({0, 1, 2, 3}), "lr") == near(m / c + 3 * m / 4 / r + 6 * (L + m / 4 / B)));
  }
  TEST_CASE("Ranks of a node that reduce at once share its memory") {
    // Reducing a byte sweeps as much memory as copying 1.5: two ranks ask for 6 of 4 GB/s, copying too.
    CHECK(time_of(reducing({0, 0}), "rdb") == near(2 * m / M + 1e-6 + 1.5 * 2 * m / M));
  }
  TEST_CASE("Vectors that stay in caches neither wait for the memory nor load it") {
    CHECK(time_of(reducing({0, 0}, m), "rdb") == near(m / (4 * c) + 1e-6 + m / (4 * r)));
  }
  TEST_CASE("A cache that two ranks of a socket share holds half as much of each") {
    Cluster cluster = reducing({0, 0}, m);
    cluster.type().local_work.shared_cache = Bytes{1.5 * m};  // three quarters of a vector for each: to memory
    CHECK(time_of(cluster, "rdb") == near(2 * m / M + 1e-6 + 1.5 * 2 * m / M));
    cluster.type().local_work.shared_cache = Bytes{2 * m};
    CHECK(time_of(cluster, "rdb") == near(m / (4 * c) + 1e-6 + m / (4 * r)));
  }
  TEST_CASE("A ring registers each block of a new buffer before it sends it") {
    constexpr double registration = 50e-6;
    const auto time = [](double new_from) {
      Cluster cluster = reducing({0, 1, 2, 3});
      LocalRates& rates = cluster.type().local_work;
      rates.registration = Seconds{registration};
      rates.fresh_from = Bytes{new_from};
      for (Placement& place : cluster.layout.placements) place.local_work = kinds_of(rates);
      const Group world = Group::world(4);
      const collectives::Nodes nodes = collectives::nodes_of(world, &cluster.layout);
      return makespan(cluster, [=](Rank me) {
        const collectives::Call call{
            .group = world, .me = me, .algorithm = collectives::Choice("ompi_ring"), .nodes = nodes};
        return collectives::reduce_scatter(call, collectives::Shares::equal(4, static_cast<std::uint64_t>(m / 4)));
      });
    };
    const double kept = m / c + 3 * (L + m / 4 / B + m / 4 / r) + m / 4 / c;
    CHECK(time(2 * m) == near(kept));
    CHECK(time(m) == near(kept + 3 * registration));
  }
  TEST_CASE("An allgatherv reads one count of each rank and an allgather none") {
    Cluster cluster = reducing({0, 1, 2, 3});
    LocalRates& rates = cluster.type().local_work;
    rates = {};
    rates.count = 0.025_us;
    for (Placement& place : cluster.layout.placements) place.local_work = kinds_of(rates);
    const Group world = Group::world(4);
    const collectives::Nodes nodes = collectives::nodes_of(world, &cluster.layout);
    const auto time = [&](auto collective) {
      return makespan(cluster, [=](Rank me) {
        return collective({.group = world, .me = me, .algorithm = collectives::Choice("NTSLR"), .nodes = nodes});
      });
    };
    const double ring = 3 * (L + m / 4 / B);
    CHECK(time([](const collectives::Call& call) { return collectives::allgather(call, Bytes{m / 4}); }) == near(ring));
    CHECK(time([](const collectives::Call& call) {
            return collectives::allgatherv(call, collectives::Shares::equal(4, static_cast<std::uint64_t>(m / 4)));
          }) == near(ring + 4 * 25e-9));
  }
  TEST_CASE("A block of a collective to another node takes its overhead from the eager limit on") {
    /// What the ranks on these nodes take longer for it.
    const auto longer = [](const std::vector<std::uint32_t>& nodes, double eager, auto steps) {
      const auto p = static_cast<std::uint32_t>(nodes.size());
      Cluster cluster(nodes.back() + 1);
      cluster.place(nodes).wire().eager = cluster.wire().detach = Bytes{eager};
      const auto time = [&] {
        return makespan(cluster, [=](Rank me) {
          return steps(collectives::Call{.group = Group::world(p), .me = me});
        });
      };
      const double before = time();
      cluster.wire().block_overhead = PiecewiseLinear({{m / 8, 40e-6}, {m / 4, 50e-6}, {m / 2, 70e-6}});
      return time() - before;
    };
    constexpr double one = 50e-6, two = 70e-6;  // shares
    const auto allgather = [](const char* algorithm) {
      return [=](collectives::Call call) {
        call.algorithm = collectives::Choice(algorithm);
        return collectives::allgather(call, Bytes{m / 4});
      };
    };
    const std::vector<std::uint32_t> apart{0, 1, 2, 3};
    CHECK(longer(apart, m / 4, allgather("NTSLR")) == near(3 * one));
    CHECK(longer(apart, m / 4, allgather("gather_bcast")) == near(one + two));  // and the whole of four
    CHECK(longer(apart, m, allgather("NTSLR")) == 0.0);
    CHECK(longer({0, 0, 0, 0}, m / 4, allgather("NTSLR")) == 0.0);
    std::vector<std::uint32_t> many(98);  // two of 98 shares are 98 of them, times two, by 98, and no rounding less
    std::iota(many.begin(), many.end(), 0u);
    CHECK(longer(many, m / 4, allgather("ompi_neighborexchange")) == near(one + 48 * two));
    CHECK(longer(apart, m / 4, [](collectives::Call call) {
            call.algorithm = collectives::Choice("binomial_tree");
            return collectives::bcast(call, Bytes{m}, 0);
          }) == 0.0);
    // One block each is half of all that there are, and more than two shares of what its sender has for all.
    CHECK(longer(apart, m / 4, [](collectives::Call call) {
            call.algorithm = collectives::Choice("pair");
            const auto sizes = collectives::PairSizes::of([](Member from, Member to) -> std::uint64_t {
              return to == (from + 1) % 4 ? static_cast<std::uint64_t>(m / 4) : 0;
            });
            return collectives::alltoallv(call, sizes);
          }) == near(2 * one));  // in the first and in the last of three rounds
    // Messages of ranks that have left theirs, while others are in one, belong to none.
    CHECK(longer(apart, m / 8, [](collectives::Call call) -> Generator<Step> {
            const bool first = call.me < Rank{2};
            call.group = Group::of(first ? std::vector{Rank{0}, Rank{1}} : std::vector{Rank{2}, Rank{3}});
            call.algorithm = collectives::Choice("NTSLR");
            co_yield elements_of(collectives::allgather(call, Bytes{first ? m / 8 : m / 2}));
            for (int i = 0; i < 8; ++i) {
              if (call.me == Rank{0}) co_yield send(Rank{1}, Bytes{m / 8}, Tag{7});
              if (call.me == Rank{1}) co_yield recv(Rank{0}, Bytes{m / 8}, Tag{7});
            }
          }) == near(40e-6));
  }
  TEST_CASE("The memory says that it reduced") {
    const Cluster cluster = reducing({0, 1});
    const Group world = Group::world(2);
    const collectives::Nodes nodes = collectives::nodes_of(world, &cluster.layout);
    const RunResult run = play(cluster, [=](Rank me) {
      const collectives::Call call{.group = world, .me = me, .algorithm = collectives::Choice("rdb"), .nodes = nodes};
      return collectives::allreduce(call, Bytes{m});
    });
    for (const auto& load : run.kind_loads)
      if (load.kind == ResourceKind::memory) CHECK(load.bytes.si() == near(2 * 2.5 * m));
  }
}
