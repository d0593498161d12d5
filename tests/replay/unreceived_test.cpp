// Messages that no rank receives: both engines count them, and a program that receives all of its own raises nothing.
#include <doctest/doctest.h>

#include "play.hpp"

using namespace orrery;
using test::Cluster;
using test::play;

namespace {

constexpr double m = 1e3;

/// Ranks send to the right and receive from the left, but for one that receives so many less than were sent to it.
RunResult ring_with(std::uint32_t forgetful, std::uint32_t forgotten, double threshold) {
  Cluster cluster = test::a_rank_per_node(3);
  cluster.wire().eager = cluster.wire().detach = Bytes{threshold};
  return play(cluster, [=](Rank me) -> Generator<Step> {
    const auto mine = static_cast<std::uint32_t>(me);
    const Rank right{(mine + 1) % 3}, left{(mine + 2) % 3};
    for (std::uint32_t i = 0; i < 4; ++i) co_yield isend(right, Bytes{m}, Tag{5 + i / 2}, RequestId{i});
    for (std::uint32_t i = 0; i < 4 - (mine == forgetful ? forgotten : 0); ++i)
      co_yield recv(left, Bytes{m}, Tag{5 + i / 2});
  });
}

}  // namespace

TEST_SUITE("replay/unreceived") {
  TEST_CASE("Messages that a rank forgets to receive are counted with their ranks and tag") {
    for (const double threshold : {1.0, 1e6}) {  // a rendezvous that never begins, and an eager message
      CAPTURE(threshold);
      const Unreceived found = ring_with(2, 3, threshold).unreceived;
      CHECK(found.messages == 3);
      CHECK(found.kinds == 2);
      REQUIRE(found.first.size() == 2);
      CHECK(found.first[0].from == Rank{1});
      CHECK(found.first[0].to == Rank{2});
      CHECK(found.first[0].tag == 5);
      CHECK(found.first[0].messages == 1);
      CHECK(found.first[1].tag == 6);
      CHECK(found.first[1].messages == 2);
    }
  }
  TEST_CASE("A program that receives what it sends leaves nothing and one of many forgotten tags names four") {
    CHECK(ring_with(2, 0, 1e6).unreceived.messages == 0);
    const RunResult run = play(test::a_rank_per_node(2), [](Rank me) -> Generator<Step> {
      for (std::uint32_t i = 0; me == Rank{0} && i < 20; ++i) co_yield send(Rank{1}, Bytes{m}, Tag{i});
    });
    CHECK(run.unreceived.messages == 20);
    CHECK(run.unreceived.kinds == 20);
    CHECK(run.unreceived.first.size() == 4);
  }
}
