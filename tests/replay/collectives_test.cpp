#include <doctest/doctest.h>

#include "kernels/collectives/collective.hpp"
#include "tests/replay/play.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

constexpr double L = 10e-6, B = 1e9;  // of the wire, see play.hpp

collectives::Call call_of(Group group, Rank me, const char* algorithm) {
  return {.group = std::move(group), .me = me, .algorithm = algorithm};
}

}  // namespace

TEST_SUITE("replay/collectives") {
  TEST_CASE("A result says of each kind of collective how often it ran and how long it took in all") {
    const double m = 1e6;
    const auto run = play(Cluster(4).place({0, 1, 2, 3}), [&](Rank me) -> Generator<Step> {
      for (std::uint32_t k = 0; k < 3; ++k)
        co_yield elements_of(collectives::allreduce(call_of(Group::world(4), me, "rdb"), Bytes(m)));
      co_yield elements_of(collectives::bcast(call_of(Group::world(4), me, "binomial_tree"), Bytes(8.0)));
    });
    REQUIRE(run.collectives.size() == 2);
    const CollectiveRecord &bcast = run.collectives[0], &allreduce = run.collectives[1];
    CHECK(allreduce.operation == Operation::allreduce);
    CHECK(allreduce.algorithm == "rdb");
    CHECK(allreduce.ranks == 4);
    CHECK(allreduce.bytes == Bytes(m));
    CHECK(allreduce.calls == 3);
    CHECK(allreduce.messages == 3 * 4 * 2);
    CHECK(allreduce.rounds == 2);
    const double once = 2.0 * (L + m / B);  // two exchanges, each over wires of its own
    CHECK(allreduce.time == near(Seconds(3.0 * once)));
    CHECK(allreduce.time_max == near(Seconds(once)));
    CHECK(allreduce.bus_bandwidth() == near(BytesPerSecond(1.5 * m / once)));
    CHECK(bcast.operation == Operation::bcast);
    CHECK(bcast.calls == 1);
    CHECK(bcast.messages == 3);
    CHECK(bcast.rounds == 2);
  }

  TEST_CASE("Groups of one size that make the same call share a record and a late member makes its call longer") {
    const auto run = play(Cluster(4).place({0, 1, 2, 3}), [&](Rank me) -> Generator<Step> {
      const auto r = static_cast<std::uint32_t>(me);
      if (r == 3) co_yield compute_for(1.0);
      co_yield elements_of(collectives::allreduce(call_of(Group::strided(Rank{r % 2}, 2, 2), me, "rdb"), Bytes(1e6)));
    });
    REQUIRE(run.collectives.size() == 1);
    CHECK(run.collectives[0].calls == 2);
    CHECK(run.collectives[0].ranks == 2);
    const double once = L + 1e-3;
    CHECK(run.collectives[0].time == near(Seconds(2.0 * once + 1.0)));
    CHECK(run.collectives[0].time_max == near(Seconds(once + 1.0)));
  }

  TEST_CASE("Marks cost no time") {
    const auto pass = [](bool marked) {
      return [marked](Rank me) -> Generator<Step> {
        const CollectiveCall call{Operation::bcast, 0, "by hand", Bytes(1e6), Group::world(2)};
        if (marked) co_yield collective_begin(call);
        if (me == Rank{0}) co_yield send(Rank{1}, Bytes(1e6), Tag{1});
        if (me == Rank{1}) co_yield recv(Rank{0}, Bytes(1e6), Tag{1});
        if (marked) co_yield collective_end();
      };
    };
    const Cluster cluster = Cluster(2).place({0, 1});
    CHECK(makespan(cluster, pass(true)) == makespan(cluster, pass(false)));
  }
}
