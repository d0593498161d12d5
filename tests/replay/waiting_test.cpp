// Ranks that keep the core they share while they wait: closed forms on both engines (play.hpp compares them).
#include <doctest/doctest.h>

#include "play.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::Cluster;
using test::compute_for;
using test::makespan;
using test::near;

namespace {

constexpr double L = 10e-6;

/// Ranks 0 .. `sharing` - 1 on a node of so many cores, the last one on a node of its own.
Cluster sharing(std::uint32_t ranks, std::uint32_t cores, Waiting waiting, double overhead = 0.0) {
  Cluster cluster(2, cores);
  cluster.place(std::vector<std::uint32_t>(ranks, 0)).place({1});
  cluster.type().waiting = waiting;
  cluster.type().time_sharing_overhead = overhead;
  return cluster;
}

/// Rank 0 computes for `work`; the others of its node wait for a message that comes from the last rank after `until`.
std::function<Generator<Step>(Rank)> one_works(std::uint32_t ranks, double work, double until) {
  return [=](Rank me) -> Generator<Step> {
    if (me == Rank{0}) co_yield compute_for(work);
    if (me == Rank{0}) co_return;
    if (me == Rank{ranks}) co_yield compute_for(until);
    for (std::uint32_t to = 1; me == Rank{ranks} && to < ranks; ++to) co_yield send(Rank{to}, Bytes{}, Tag{1});
    if (me != Rank{ranks}) co_yield recv(Rank{ranks}, Bytes{}, Tag{1});
  };
}

double end_of_first(const Cluster& cluster, const std::function<Generator<Step>(Rank)>& steps) {
  return test::play(cluster, steps).timelines.front().back().end.si();
}

}  // namespace

TEST_SUITE("replay/waiting") {
  TEST_CASE("A rank on one core with one that polls has half of it and with one that blocks all of it") {
    const double work = 1e-3, later = 1.0;
    CHECK(end_of_first(sharing(2, 1, Waiting::polls), one_works(2, work, later)) == near(2 * work));
    CHECK(end_of_first(sharing(2, 1, Waiting::blocks), one_works(2, work, later)) == near(work));
  }
  TEST_CASE("Once the rank that polled has ended the other has the core to itself") {
    const double work = 1e-3, t = 1e-3;
    // Half speed until t + L, when the message ends the other's program.
    CHECK(end_of_first(sharing(2, 1, Waiting::polls), one_works(2, work, t)) == near(t + L + (work - (t + L) / 2)));
  }
  TEST_CASE("Overhead of time sharing and polling add up") {
    const double work = 1e-3, h = 0.1;
    CHECK(end_of_first(sharing(2, 1, Waiting::polls, h), one_works(2, work, 1.0)) == near(2 * work * (1 + h)));
    CHECK(end_of_first(sharing(4, 1, Waiting::polls, h), one_works(4, work, 1.0)) == near(4 * work * (1 + 3 * h)));
  }
  TEST_CASE("Three ranks on two cores have two thirds of a core each whoever waits") {
    const double work = 1e-3;
    CHECK(end_of_first(sharing(3, 2, Waiting::polls), one_works(3, work, 1.0)) == near(1.5 * work));
    CHECK(end_of_first(sharing(3, 2, Waiting::blocks), one_works(3, work, 1.0)) == near(work));
  }
  TEST_CASE("Ranks with a core each lose nothing by polling") {
    CHECK(end_of_first(sharing(3, 3, Waiting::polls), one_works(3, 1e-3, 1.0)) == near(1e-3));
  }
  TEST_CASE("Ranks that all compute share as they do where they block") {
    for (const Waiting waiting : {Waiting::blocks, Waiting::polls}) {
      const auto steps = [](Rank me) -> Generator<Step> {
        co_yield compute_for(1e-3 * (1.0 + static_cast<double>(index(me))));
      };
      // Of 1, 2 and 3 ms on one core: 3 ms until the first has ended, 2 ms more until the second, then 1 ms.
      CHECK(makespan(sharing(3, 1, waiting), steps) == near(6e-3));
    }
  }
  TEST_CASE("A rank of two cores has half of them where one of one core waits on the same two") {
    Cluster cluster = sharing(2, 2, Waiting::polls);
    cluster.layout.placements[0].cores = 2;
    // The one takes its core and leaves one: half of what the other asks for.
    CHECK(end_of_first(cluster, one_works(2, 1e-3, 1.0)) == near(2e-3));
  }
  TEST_CASE("Overheads of a rank take longer while another polls on its core") {
    Cluster cluster = sharing(2, 1, Waiting::polls);
    cluster.wire().receive_overhead = PiecewiseLinear{{{0.0, 1e-4}}};
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{2}) co_yield send(Rank{0}, Bytes{}, Tag{1});
      if (me == Rank{2}) co_yield compute_for(1.0);
      if (me == Rank{2}) co_yield send(Rank{1}, Bytes{}, Tag{1});
      if (me != Rank{2}) co_yield recv(Rank{2}, Bytes{}, Tag{1});
    };
    CHECK(end_of_first(cluster, steps) == near(L + 2e-4));
  }
  TEST_CASE("Ranks in turn on one core each compute at half speed and go on when the other has ended") {
    // A token goes to and fro five times between two ranks of one core, over shared memory without copies.
    const double work = 1e-3, L_m = 1e-6;
    const auto steps = [=](Rank me) -> Generator<Step> {
      if (me == Rank{2}) co_return;
      const Rank other{me == Rank{0} ? 1u : 0u};
      for (std::uint32_t k = 0; k < 5; ++k) {
        if (me == Rank{1}) co_yield recv(other, Bytes{}, Tag{k});
        co_yield compute_for(work);
        co_yield send(other, Bytes{}, Tag{k});
        if (me == Rank{0}) co_yield recv(other, Bytes{}, Tag{k});
      }
    };
    CHECK(makespan(sharing(2, 1, Waiting::blocks), steps) == near(10 * (work + L_m)));
    CHECK(makespan(sharing(2, 1, Waiting::polls), steps) == near(10 * (2 * work + L_m)));
  }
}
