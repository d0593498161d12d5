#include <doctest/doctest.h>

#include <string>

#include "play.hpp"
#include "sim/core/error.hpp"

using namespace orrery;
using test::Cluster;
using test::compute_for;
using test::play;

namespace {

constexpr double m = 1e6;

Cluster rendezvous(std::uint32_t n) {
  Cluster cluster = test::a_rank_per_node(n);
  cluster.wire().eager = cluster.wire().detach = Bytes{1};
  return cluster;
}

}  // namespace

TEST_SUITE("replay/deadlock") {
  TEST_CASE("Two ranks that both receive first are named with what they wait for and their cycle") {
    const auto steps = [](Rank me) -> Generator<Step> {
      const Rank other{1 - static_cast<std::uint32_t>(me)};
      co_yield compute_for(0.5);
      co_yield recv(other, Bytes{m}, Tag{7});
      co_yield send(other, Bytes{m}, Tag{7});
    };
    CHECK_THROWS_WITH_AS(play(rendezvous(2), steps),
                         "rank 0 waits for tag 7 from rank 1\n"
                         "rank 1 waits for tag 7 from rank 0\n"
                         "cycle: 0 -> 1 -> 0 (test, p=2, t=0.5s)",
                         ReplayError);
  }

  TEST_CASE("A cycle of three rendezvous sends is found beside a rank that only suffers from it") {
    const auto steps = [](Rank me) -> Generator<Step> {
      const auto i = static_cast<std::uint32_t>(me);
      if (i == 3) {
        co_yield irecv(Rank{2}, Bytes{m}, Tag{9}, RequestId{0});
        co_yield irecv(any_rank, Bytes{m}, Tag{8}, RequestId{1});
        co_yield wait_all();
        co_return;
      }
      co_yield send(Rank{(i + 1) % 3}, Bytes{m}, Tag{i});
      co_yield recv(Rank{(i + 2) % 3}, Bytes{m}, any_tag);
    };
    CHECK_THROWS_WITH_AS(play(rendezvous(4), steps),
                         "rank 0 waits for rank 1 to receive tag 0 (1 MB)\n"
                         "rank 1 waits for rank 2 to receive tag 1 (1 MB)\n"
                         "rank 2 waits for rank 0 to receive tag 2 (1 MB)\n"
                         "rank 3 waits for tag 9 from rank 2 and for tag 8 from any rank, and none sends it\n"
                         "cycle: 0 -> 1 -> 2 -> 0 (test, p=4, t=0s)",
                         ReplayError);
  }

  TEST_CASE("A message that its sender never sends is named") {
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{1}) co_yield compute_for(0.25);
      if (me == Rank{0}) co_yield recv(Rank{1}, Bytes{m}, any_tag, Communicator{4});
    };
    CHECK_THROWS_WITH_AS(play(rendezvous(2), steps),
                         "rank 0 waits for any tag in communicator 4 from rank 1, which never sends it"
                         " (test, p=2, t=0.25s)",
                         ReplayError);
  }

  TEST_CASE("A rendezvous that its receiver never receives is named") {
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield send(Rank{1}, Bytes{2048}, Tag{3});
    };
    CHECK_THROWS_WITH_AS(play(rendezvous(2), steps),
                         "rank 0 waits for rank 1 to receive tag 3 (2 KiB), which never receives it"
                         " (test, p=2, t=0s)",
                         ReplayError);
  }

  TEST_CASE("Ranks in a barrier that one rank never enters are named") {
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{2}) co_yield recv(Rank{0}, Bytes{m}, Tag{1});
      co_yield barrier();
    };
    CHECK_THROWS_WITH_AS(play(rendezvous(3), steps),
                         "rank 0 waits for everyone to enter the barrier\n"
                         "rank 1 waits for everyone to enter the barrier\n"
                         "rank 2 waits for tag 1 from rank 0\n"
                         "cycle: 0 -> 2 -> 0 (test, p=3, t=0s)",
                         ReplayError);
  }

  TEST_CASE("Of many ranks those of the cycle and the least are named and of many requests the first") {
    const auto steps = [](Rank me) -> Generator<Step> {
      const Rank partner = me == Rank{28} ? Rank{25} : Rank{28};
      for (std::uint32_t k = 0; k < (me == Rank{2} ? 7u : 1u); ++k)
        co_yield irecv(partner, Bytes{m}, Tag{k}, RequestId{k});
      co_yield wait_all();
    };
    std::string expected =
        "rank 0 waits for tag 0 from rank 28\n"
        "rank 1 waits for tag 0 from rank 28\n"
        "rank 2 waits for tag 0 from rank 28, for tag 1 from rank 28, for tag 2 from rank 28, for tag 3 from rank 28 "
        "and for 3 more\n";
    for (int i = 3; i < 14; ++i) expected += "rank " + std::to_string(i) + " waits for tag 0 from rank 28\n";
    expected +=
        "rank 25 waits for tag 0 from rank 28\n"
        "rank 28 waits for tag 0 from rank 25\n"
        "and 14 more ranks wait\n"
        "cycle: 25 -> 28 -> 25 (test, p=30, t=0s)";
    CHECK_THROWS_WITH_AS(play(rendezvous(30), steps), expected.c_str(), ReplayError);
  }

  TEST_CASE(
      "Of a long cycle the first ranks are named although others are less and what closes it although it is late") {
    const auto steps = [](Rank me) -> Generator<Step> {
      const auto i = static_cast<std::uint32_t>(me);
      if (i == 50) co_return;
      const std::uint32_t awaited = i == 10 ? 6 : 1;
      for (std::uint32_t k = 0; k + 1 < awaited; ++k) co_yield irecv(Rank{50}, Bytes{m}, Tag{k}, RequestId{k});
      co_yield irecv(Rank{i < 10 || i == 49 ? 10 : i + 1}, Bytes{m}, Tag{9}, RequestId{9});
      co_yield wait_all();
    };
    std::string expected, cycle = "cycle: ";
    for (int i = 10; i < 26; ++i) {
      expected += "rank " + std::to_string(i) + " waits ";
      if (i == 10)
        expected +=
            "for tag 0 from rank 50, which never sends it, for tag 1 from rank 50, which never sends it, for tag 2 "
            "from "
            "rank 50, which never sends it, for tag 9 from rank 11 and for 2 more\n";
      else
        expected += "for tag 9 from rank " + std::to_string(i + 1) + "\n";
      cycle += std::to_string(i) + " -> ";
    }
    expected += "and 34 more ranks wait\n" + cycle + "24 more -> 10 (test, p=51, t=0s)";
    CHECK_THROWS_WITH_AS(play(rendezvous(51), steps), expected.c_str(), ReplayError);
  }
}
