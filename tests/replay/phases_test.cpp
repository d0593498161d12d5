// What is recorded of phases and time lines. C = 1 GB/s (play.hpp).
#include <doctest/doctest.h>

#include "play.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::a_rank_per_node;
using test::Cluster;
using test::compute_for;
using test::near;
using test::play;

namespace {

constexpr double C = 1e9;
constexpr double m = 1e6;

}  // namespace

TEST_SUITE("replay/phases") {
  TEST_CASE("A phase takes as long as its slowest rank from its own start") {
    const auto steps = [](Rank me) -> Generator<Step> {
      const double i = static_cast<double>(index(me));
      for (std::uint32_t k = 0; k < 2; ++k) {
        co_yield iteration(k);
        co_yield phase("work");
        co_yield compute_for(1.0 + i);  // rank 1 enters 'exchange' one second later
        co_yield phase("exchange");
        if (me == Rank{0}) co_yield send(Rank{1}, Bytes{m}, Tag{0});
        if (me == Rank{1}) co_yield recv(Rank{0}, Bytes{m}, Tag{0});
      }
    };
    const RunResult result = play(a_rank_per_node(2), steps);
    REQUIRE(result.phases.size() == 4);
    CHECK(result.phases[0].phase == "work");
    CHECK(result.phases[0].time.si() == near(2.0));
    CHECK(result.phases[0].slowest == Rank{1});
    CHECK(result.phases[1].phase == "exchange");
    CHECK(result.phases[1].time.si() == near(m / C));  // the message had arrived: copied once
    CHECK(result.phases[1].begin.si() == near(1.0));
    CHECK(result.phases[1].end.si() == near(2.0 + m / C));
    CHECK(result.phases[1].traffic[1].messages == 1);
    CHECK(result.phases[1].traffic[1].bytes.si() == m);
    CHECK(result.phases[0].traffic[1].messages == 0);
    CHECK(result.phases[2].iteration == 1);
    CHECK(result.phase_time("work").si() == near(4.0));
  }

  TEST_CASE("A program without marks is one phase and marks without steps are none") {
    const auto steps = [](Rank) -> Generator<Step> {
      co_yield phase("empty");
      co_yield phase("program");
      co_yield compute_for(1.0);
    };
    const RunResult result = play(a_rank_per_node(1), steps);
    REQUIRE(result.phases.size() == 1);
    CHECK(result.phases[0].phase == "program");
  }

  TEST_CASE("An iteration mark ends the phase so that a barrier before the next phase belongs to none") {
    const auto steps = [](Rank me) -> Generator<Step> {
      for (std::uint32_t k = 0; k < 2; ++k) {
        co_yield iteration(k);
        co_yield barrier();
        co_yield phase("work");
        co_yield compute_for(me == Rank{0} ? 1.0 : 3.0);
      }
    };
    const RunResult result = play(a_rank_per_node(2), steps);
    REQUIRE(result.phases.size() == 4);
    CHECK(result.phases[2].phase == "program");
    CHECK(result.phases[2].iteration == 1);
    CHECK(result.phases[2].time.si() == near(2.0));  // rank 0 waits for rank 1
    CHECK(result.phase_time("work").si() == near(6.0));
  }

  TEST_CASE("A phase entered twice in one iteration is recorded twice") {
    const auto steps = [](Rank) -> Generator<Step> {
      for (int i = 1; i <= 2; ++i) {
        co_yield phase("a");
        co_yield compute_for(i);
        co_yield phase("b");
        co_yield compute_for(10.0);
      }
    };
    const RunResult result = play(a_rank_per_node(2), steps);
    REQUIRE(result.phases.size() == 4);
    CHECK(result.phases[2].phase == "a");
    CHECK(result.phases[2].time.si() == near(2.0));
    CHECK(result.phase_time("a").si() == near(3.0));
  }

  TEST_CASE("Messages between ranks with time lines are kept from their call to their arrival") {
    Cluster cluster = a_rank_per_node(2);
    const auto steps = [](Rank me) -> Generator<Step> {
      co_yield compute_for(1e-3);
      if (me == Rank{0}) co_yield isend(Rank{1}, Bytes{m}, Tag{1}, RequestId{0});
      if (me == Rank{1}) co_yield irecv(Rank{0}, Bytes{m}, Tag{1}, RequestId{0});
      co_yield wait_all();
    };
    const RunResult result = play(cluster, steps);
    REQUIRE(result.deliveries.size() == 1);
    const Delivery& delivery = result.deliveries[0];
    CHECK(delivery.from == Rank{0});
    CHECK(delivery.to == Rank{1});
    CHECK(delivery.sent.si() == near(1e-3));
    CHECK(delivery.received.si() == near(1e-3 + 10e-6 + m / 1e9));
    CHECK(delivery.message == Bytes{m});
  }

  TEST_CASE("Time lines keep the first intervals of a rank and say when some were left out") {
    Cluster cluster = a_rank_per_node(1);
    cluster.options.intervals_max = 3;
    const auto steps = [](Rank) -> Generator<Step> {
      for (int i = 0; i < 5; ++i) co_yield compute_for(1.0);
    };
    const RunResult result = play(cluster, steps);
    CHECK(result.timelines[0].size() == 3);
    CHECK(result.timelines_cut);
    cluster.options.intervals_max = 5;
    CHECK_FALSE(play(cluster, steps).timelines_cut);
  }

  TEST_CASE("Beyond 256 ranks time lines are of the whole run of pairs of neighbours and say how wide their bins are") {
    const auto steps = [](Rank me) -> Generator<Step> {
      for (int i = 0; i < 5; ++i) co_yield compute_for(1.0 + static_cast<double>(index(me)) / 300.0);
      co_yield barrier();
    };
    Cluster cluster = a_rank_per_node(320);
    const RunResult result = play(cluster, steps);
    CHECK(result.timelines_bin.si() < result.makespan.si() / 1000.0);
    for (std::uint32_t rank = 0; rank < 320; ++rank) {
      INFO(rank);
      const auto& timeline = result.timelines[rank];
      CHECK(timeline.empty() == (rank % 10 > 1));
      if (timeline.empty()) continue;
      CHECK(timeline.front().activity == Activity::compute);
      CHECK(timeline.front().end.si() == near(5.0 * (1.0 + rank / 300.0), test::Absolute{result.timelines_bin.si()}));
      CHECK(timeline.back().end == result.makespan);
    }
    cluster.options.trace_ranks = {Rank{3}, Rank{300}};  // those asked for are told activity by activity
    const RunResult asked = play(cluster, steps);
    CHECK(asked.timelines_bin == Seconds{});
    for (std::uint32_t rank = 0; rank < 320; ++rank)
      CHECK(asked.timelines[rank].size() == (rank == 3 || rank == 300 ? 6u : 0u));
  }
}
