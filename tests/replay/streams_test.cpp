// Signals between streams of one rank: they order, and take no time.
#include <doctest/doctest.h>

#include "play.hpp"
#include "sim/core/trace_streams.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::Cluster;
using test::compute_for;
using test::near;
using test::play;

TEST_SUITE("replay/streams") {
  TEST_CASE("A signal between streams takes no time and is no message") {
    Cluster cluster(1, 2);
    cluster.place({0, 0});
    // Rank 0 goes on when rank 1 has computed for 5 s, and that when rank 0 has done so for 3 s more.
    const RunResult run = play(cluster, [](Rank me) -> Generator<Step> {
      const Rank other{1 - static_cast<std::uint32_t>(me)};
      if (me == Rank{1}) {
        co_yield compute_for(5.0);
        co_yield send(other, Bytes{}, Tag{0}, between_streams);
        co_yield recv(other, Bytes{}, Tag{1}, between_streams);
        co_yield compute_for(1.0);
      } else {
        co_yield irecv(other, Bytes{}, Tag{0}, RequestId{0}, between_streams);
        co_yield compute_for(2.0);
        co_yield orrery::wait(RequestId{0});
        co_yield compute_for(3.0);
        co_yield send(other, Bytes{}, Tag{1}, between_streams);
      }
    });
    CHECK(run.makespan.si() == near(5.0 + 3.0 + 1.0));
    CHECK(run.messages == 0);
    CHECK(run.unexpected_messages == 0);
    for (const PhaseRecord& phase : run.phases)
      for (const Traffic& traffic : phase.traffic) CHECK(traffic.messages == 0);
  }
}
