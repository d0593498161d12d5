// Streams that switches of the network reduce and multicast, in a closed form. L = 10 us, B = 1 GB/s
// (tests/support/cluster.hpp); every run on both engines.
#include <doctest/doctest.h>

#include "kernels/collectives/collective.hpp"
#include "play.hpp"
#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

constexpr double L = 10e-6, B = 1e9, l = 5e-6;
constexpr double m = 1048576.0, stream = (1.0 + 1.0 / 32.0) * m / B;  // up and down, a segment apart

Cluster reducing(std::uint32_t ranks) {
  Cluster cluster = a_rank_per_node(ranks);
  cluster.network().aggregation = Aggregation{Seconds{l}};
  return cluster;
}

RunResult allreduced(const Cluster& cluster, double bytes, int times = 1) {
  return play(cluster, [&cluster, bytes, times](Rank me) -> Generator<Step> {
    const Group all = Group::world(cluster.layout.ranks());
    const collectives::Call call{
        .group = all, .me = me, .algorithm = "sharp", .nodes = collectives::nodes_of(all, &cluster.layout)};
    for (int i = 0; i < times; ++i) co_yield elements_of(collectives::allreduce(call, Bytes{bytes}));
  });
}

double seconds(const Cluster& cluster, double bytes, int times = 1) {
  return allreduced(cluster, bytes, times).makespan.si();
}

}  // namespace

TEST_SUITE("replay/aggregation") {
  TEST_CASE("A long vector goes up and down at once however many there are and a short one takes two ways") {
    for (const std::uint32_t ranks : {2u, 4u, 9u}) {
      CHECK(seconds(reducing(ranks), m) == near(2 * (L + l) + stream));
      CHECK(seconds(reducing(ranks), 8.0) == near(2 * (L + l) + 2 * 8.0 / B));
    }
    CHECK(seconds(reducing(4), m, 3) == near(3 * (2 * (L + l) + stream)));
  }

  TEST_CASE("Each link of the tree carries the vector once each way") {
    // Four nodes to a leaf, and one cable from each leaf to the spine, as wide as an adapter.
    Cluster cluster = reducing(8);
    cluster.network().topology = FatTreeTopology{{4, 2}, {1, 1}, {1, 1}};
    cluster.network().link_latency = 1_us;
    const RunResult result = allreduced(cluster, m);
    CHECK(result.makespan.si() == near(2 * (L + 2e-6 + l) + stream));
    std::size_t used = 0;
    for (const ResourceRecord& resource : result.resources) {
      if (resource.bytes == Bytes{}) continue;
      ++used;
      CHECK(resource.bytes.si() == near(m));
    }
    CHECK(used == 2 * 8 + 4);  // both ways of each adapter and of each cable
  }

  TEST_CASE("Switches that reduce at less than the links do are what counts") {
    Cluster cluster = reducing(4);
    cluster.network().aggregation->bandwidth = BytesPerSecond{B / 2};
    cluster.wire().wire_efficiency = PiecewiseFactor({{0.0, 0.8}});
    CHECK(seconds(cluster, m) == near(2 * (L + l) + 2 * stream));
    cluster.network().aggregation->bandwidth = BytesPerSecond{B};
    CHECK(seconds(cluster, m) == near(2 * (L + l) + stream / 0.8));
  }

  TEST_CASE("No core is busy with it and overheads are those of messages in nodes alone") {
    Cluster cluster = reducing(4);
    cluster.wire().send_overhead = cluster.wire().receive_overhead = PiecewiseLinear(1e-3);
    CHECK(seconds(cluster, m) == near(2 * (L + l) + stream));
    Cluster shared(2);
    shared.place({0, 0, 1, 1}).network().aggregation = Aggregation{Seconds{l}};
    CHECK(seconds(shared, m) == near(1e-6 + 2 * (L + l) + stream + 1e-6));
  }

  TEST_CASE("Two allreduces at once share the links that both use") {
    // Ranks 0 and 1 of one communicator and 1 and 2 of another: all of a vector twice through the adapter of rank 1.
    Cluster cluster = reducing(3);
    const auto steps = [](Rank me) -> Generator<Step> {
      const auto message = [](Rank to, InSwitch by, Communicator of) {
        return Send{.to = to, .message = Bytes{m}, .communicator = of, .in_switch = by};
      };
      if (me == Rank{1}) {
        co_yield Isend{message(Rank{0}, InSwitch::reduce, Communicator{1}), RequestId{0}};
        co_yield Isend{message(Rank{2}, InSwitch::reduce, Communicator{2}), RequestId{1}};
        co_yield wait_all();
      } else {
        co_yield recv(Rank{1}, Bytes{m}, Tag{0}, Communicator{me == Rank{0} ? 1u : 2u});
      }
    };
    CHECK(makespan(cluster, steps) == near(L + l + 2 * m / B));
  }

  TEST_CASE("A network whose switches do not reduce refuses it") {
    Cluster cluster = a_rank_per_node(2);
    CHECK_THROWS_WITH_AS(seconds(cluster, m),
                         "platform 'test': switches of network 'net' are asked to reduce (only where it states "
                         "'aggregation'). Choose another algorithm, or state it as 'dgx-h100' does?",
                         InputError);
  }
}
