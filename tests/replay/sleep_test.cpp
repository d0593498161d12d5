// A rank that sleeps: it takes the time, computes nothing and draws nothing more than idle.
#include <doctest/doctest.h>

#include "play.hpp"
#include "sim/core/asleep.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::Cluster;
using test::compute_for;
using test::near;
using test::play;

namespace {

/// As `asleep`, where flops are seconds.
Step sleep_for(double seconds) {
  Compute step = std::get<Compute>(asleep(Seconds{seconds}));
  step.flops = Flops(seconds);
  return step;
}

double seconds(const RunResult& run, Activity activity) {
  double sum = 0.0;
  for (const Seconds time : run.activity_times[static_cast<std::size_t>(activity)]) sum += time.si();
  return sum;
}

/// Rank 0 computes for 10 s. Rank 1 sleeps for 4 s, computes for one and has ended.
Generator<Step> sleep_and_compute(Rank me) {
  if (me == Rank{1}) co_yield sleep_for(4.0);
  co_yield compute_for(me == Rank{0} ? 10.0 : 1.0);
}

}  // namespace

TEST_SUITE("replay/sleep") {
  TEST_CASE("A rank that sleeps draws what an idle core draws") {
    Cluster cluster(2, 1);
    cluster.type().power = PowerDraw{Watts(95.0), Watts(190.0), Watts(150.0)};
    cluster.place({0, 1});
    const RunResult run = play(cluster, sleep_and_compute);
    CHECK(run.makespan.si() == near(10.0));
    CHECK(run.energy.total_j() == near(10.0 * 190.0 + 1.0 * 190.0 + 9.0 * 95.0));
    CHECK(seconds(run, Activity::compute) == near(11.0));
    CHECK(seconds(run, Activity::wait) == 0.0);
  }

  TEST_CASE("A sleep on the critical path is no computation") {
    Cluster cluster(2, 1);
    cluster.place({0, 1});
    const CriticalPath path = test::path_of(cluster, [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) {
        co_yield compute_for(1.0);
        co_yield sleep_for(3.0);
        co_yield send(Rank{1}, Bytes{0.0}, Tag{0});
      } else {
        co_yield recv(Rank{0}, Bytes{0.0}, Tag{0});
        co_yield compute_for(2.0);
      }
    });
    CHECK(path.run.of(PathKind::computation).si() == near(3.0));
    CHECK(path.run.of(PathKind::sleep).si() == near(3.0));
  }

  TEST_CASE("A rank that sleeps leaves the core that it shares to the other") {
    Cluster cluster(1, 1);
    cluster.place({0, 0});
    CHECK(play(cluster, [](Rank me) -> Generator<Step> {
            if (me == Rank{0})
              co_yield sleep_for(4.0);
            else
              co_yield compute_for(3.0);
          }).makespan.si() == near(4.0));
  }
}
