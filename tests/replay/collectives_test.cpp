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
    CHECK(allreduce.steps == 2);
    CHECK(allreduce.late == Seconds{});
    const double once = 2.0 * (L + m / B);  // two exchanges, each over wires of its own
    CHECK(allreduce.time == near(Seconds(3.0 * once)));
    CHECK(allreduce.time_max == near(Seconds(once)));
    CHECK(allreduce.bus_bandwidth() == near(BytesPerSecond(1.5 * m / once)));
    CHECK(bcast.operation == Operation::bcast);
    CHECK(bcast.calls == 1);
    CHECK(bcast.messages == 3);
    CHECK(bcast.steps == 2);
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
    CHECK(run.collectives[0].late == near(Seconds(1.0)));
  }

  TEST_CASE("Calls that a kernel names differently are told apart though they are alike") {
    const auto run = play(Cluster(2).place({0, 1}), [&](Rank me) -> Generator<Step> {
      collectives::Call call = call_of(Group::world(2), me, "rdb");
      for (const char* name : {"tensor", "gradients", "tensor"}) {
        call.name = name;
        co_yield elements_of(collectives::allreduce(call, Bytes(1e6)));
      }
    });
    REQUIRE(run.collectives.size() == 2);
    CHECK(run.collectives[0].name == "gradients");
    CHECK(run.collectives[0].calls == 1);
    CHECK(run.collectives[1].name == "tensor");
    CHECK(run.collectives[1].calls == 2);
  }

  TEST_CASE("Steps are counted on one of the channels that a vector is divided among") {
    const auto run = play(Cluster(4).place({0, 1, 2, 3}), [&](Rank me) -> Generator<Step> {
      const CollectiveCall call{Operation::allgather, 0, "by hand", Bytes(4e3), Group::world(4)};
      const auto r = static_cast<std::uint32_t>(me);
      co_yield collective_begin(call);
      for (std::uint32_t step = 0; step < 3; ++step)
        for (std::uint32_t channel = 0; channel < 8; ++channel) {
          co_yield irecv(Rank{(r + 3) % 4}, Bytes(1e3), Tag{channel << 16}, RequestId{2 * channel});
          co_yield isend(Rank{(r + 1) % 4}, Bytes(1e3), Tag{channel << 16}, RequestId{2 * channel + 1});
          co_yield wait_all();
        }
      co_yield collective_end();
    });
    REQUIRE(run.collectives.size() == 1);
    CHECK(run.collectives[0].steps == 3);
    CHECK(run.collectives[0].messages == 4 * 3 * 8);
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
