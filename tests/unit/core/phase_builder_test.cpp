#include <doctest/doctest.h>

#include <string>

#include "sim/core/error.hpp"
#include "sim/core/phase.hpp"

using namespace orrery;

namespace {

constexpr Tag tag{7};

Generator<Step> binomial_broadcast(Rank me, std::uint32_t ranks, Bytes m) {
  std::uint32_t reach = ranks;  // distance covered by the subtree of `me`
  if (index(me) != 0) {
    reach = static_cast<std::uint32_t>(index(me) & (~index(me) + 1));
    co_yield recv(Rank{static_cast<std::uint32_t>(index(me)) - reach}, m, tag);
  }
  for (std::uint32_t distance = reach / 2; distance > 0; distance /= 2)
    co_yield send(Rank{static_cast<std::uint32_t>(index(me)) + distance}, m, tag);
}

/// (g++ 12 cannot keep a braced list alive across co_yield.)
std::vector<Rank> only(std::uint32_t r) { return std::vector<Rank>(1, Rank{r}); }
std::vector<Rank> nobody() { return std::vector<Rank>(); }

/// One stage of Meyer's barrier: post every receive and send, then wait for all.
Generator<Step> barrier_stage(std::vector<Rank> from, std::vector<Rank> to) {
  std::uint32_t request = 0;
  for (const Rank r : from) co_yield irecv(r, 1_B, tag, RequestId{request++});
  for (const Rank r : to) co_yield isend(r, 1_B, tag, RequestId{request++});
  co_yield wait_all();
}

Generator<Step> linear_barrier(Rank me, std::uint32_t ranks) {
  std::vector<Rank> others;
  for (std::uint32_t r = 1; r < ranks; ++r) others.push_back(Rank{r});
  if (me == Rank{0}) {
    co_yield elements_of(barrier_stage(others, nobody()));
    co_yield elements_of(barrier_stage(nobody(), others));
  } else {
    co_yield elements_of(barrier_stage(nobody(), only(0)));
    co_yield elements_of(barrier_stage(only(0), nobody()));
  }
}

/// The 4-process binary tree barrier of Meyer 2012, figure 5.4.
Generator<Step> tree_barrier_of_four(Rank me) {
  switch (index(me)) {
    case 0:
      co_yield elements_of(barrier_stage(only(1), nobody()));
      co_yield elements_of(barrier_stage(only(2), nobody()));
      co_yield elements_of(barrier_stage(nobody(), only(2)));
      co_yield elements_of(barrier_stage(nobody(), only(1)));
      break;
    case 1:
      co_yield elements_of(barrier_stage(nobody(), only(0)));
      co_yield elements_of(barrier_stage(only(0), nobody()));
      break;
    case 2:
      co_yield elements_of(barrier_stage(only(3), nobody()));
      co_yield elements_of(barrier_stage(nobody(), only(0)));
      co_yield elements_of(barrier_stage(only(0), nobody()));
      co_yield elements_of(barrier_stage(nobody(), only(3)));
      break;
    default:
      co_yield elements_of(barrier_stage(nobody(), only(2)));
      co_yield elements_of(barrier_stage(only(2), nobody()));
  }
}

std::vector<Phase> phases_of(std::uint32_t ranks, FunctionProgram::Steps steps) {
  return build_phases(FunctionProgram("test", ranks, std::move(steps)));
}

/// "0>1 2>3 | 2>0": transmissions by stage, '!' after those whose receiver was already waiting.
std::string transmissions(const Phase& phase) {
  std::string text;
  std::uint32_t stage = 0;
  for (const auto& m : phase.messages) {
    while (stage < m.stage) {
      text += "| ";
      ++stage;
    }
    text += std::to_string(index(m.from)) + ">" + std::to_string(index(m.to)) + (m.receiver_waiting ? "! " : " ");
  }
  return text;
}

}  // namespace

TEST_SUITE("core/phase") {
  TEST_CASE("A binomial tree of blocking sends doubles its transmissions level by level") {
    const auto phases = phases_of(8, [](Rank me) { return binomial_broadcast(me, 8, 64_KiB); });
    REQUIRE(phases.size() == 1);
    CHECK(transmissions(phases[0]) == "0>4 | 0>2! 4>6! | 0>1! 2>3! 4>5! 6>7! ");
    CHECK(phases[0].messages[2].after == std::vector<std::uint32_t>{0});
  }

  TEST_CASE("Non-blocking sends before one wait form a set on one level") {
    const auto phases = phases_of(3, [](Rank me) -> Generator<Step> {
      for (std::uint32_t r = 0; r < 3; ++r) {
        if (Rank{r} == me) continue;
        co_yield irecv(Rank{r}, 8_B, tag, RequestId{2 * r});
        co_yield isend(Rank{r}, 8_B, tag, RequestId{2 * r + 1});
      }
      co_yield wait_all();
    });
    CHECK(transmissions(phases[0]) == "0>1 0>2 1>0 1>2 2>0 2>1 ");
  }

  TEST_CASE("A receive from any rank takes the message of its tag though a lower rank sent another") {
    const auto phases = phases_of(3, [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) {
        co_yield recv(any_rank, 8_B, tag);
        co_yield send(Rank{2}, 8_B, Tag{5});
        co_yield recv(any_rank, 8_B, any_tag);
      } else {
        co_yield send(Rank{0}, 8_B, me == Rank{1} ? Tag{3} : tag);
        if (me == Rank{2}) co_yield recv(Rank{0}, 8_B, Tag{5});
      }
    });
    REQUIRE(phases.size() == 1);
    REQUIRE(phases[0].messages.size() == 3);
    CHECK(transmissions(phases[0]) == "1>0 2>0 | 0>2 ");
    CHECK(phases[0].messages[2].after == std::vector<std::uint32_t>{1});  // the message of rank 2 alone
  }

  TEST_CASE("A wait ends a level and partial waits only order what follows them") {
    const auto phases = phases_of(2, [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) {
        co_yield isend(Rank{1}, 8_B, tag, RequestId{0});
        co_yield isend(Rank{1}, 8_B, tag, RequestId{1});
        co_yield wait(RequestId{0});
        co_yield isend(Rank{1}, 8_B, tag, RequestId{0});
        co_yield wait_all();
      } else {
        for (int i = 0; i < 3; ++i) co_yield recv(Rank{0}, 8_B, tag);
      }
    });
    REQUIRE(phases[0].messages.size() == 3);
    CHECK(phases[0].messages[0].after.empty());
    CHECK(phases[0].messages[1].after.empty());
    CHECK(phases[0].messages[2].after == std::vector<std::uint32_t>{0});
  }

  TEST_CASE("A declared sequence orders non-blocking sends and its stages follow each other") {
    const auto phases = phases_of(3, [](Rank me) -> Generator<Step> {
      co_yield stage("column", Composition::sequence);
      if (me == Rank{0}) {
        co_yield isend(Rank{1}, 8_B, tag, RequestId{0});
        co_yield isend(Rank{2}, 8_B, tag, RequestId{1});
      } else {
        co_yield irecv(Rank{0}, 8_B, tag, RequestId{0});
      }
      co_yield stage("row", Composition::sequence);
      if (me == Rank{1}) co_yield send(Rank{2}, 16_B, tag);
      if (me == Rank{2}) co_yield recv(Rank{1}, 16_B, tag);
      co_yield wait_all();
    });
    const auto& phase = phases.at(0);
    CHECK(phase.declared);
    REQUIRE(phase.stages.size() == 2);
    CHECK(phase.stages[1].name == "row");
    CHECK(transmissions(phase) == "0>1 0>2! | 1>2 ");
    CHECK(phase.messages[1].after == std::vector<std::uint32_t>{0});
    CHECK(phase.messages[2].after.empty());
  }

  TEST_CASE("The phase of a linear barrier says that nobody was idle before the release") {
    const auto phases = phases_of(4, [](Rank me) { return linear_barrier(me, 4); });
    CHECK(transmissions(phases[0]) == "1>0 2>0 3>0 | 0>1 0>2 0>3 ");
  }

  TEST_CASE("The phase of a tree barrier says which receivers were already waiting") {
    const auto phases = phases_of(4, [](Rank me) { return tree_barrier_of_four(me); });
    CHECK(transmissions(phases[0]) == "1>0 3>2 | 2>0 | 0>2 | 0>1! 2>3! ");
  }

  TEST_CASE("Equal iterations are one phase with a repeat count") {
    const auto phases = phases_of(2, [](Rank me) -> Generator<Step> {
      for (std::uint32_t k = 0; k < 10; ++k) {
        co_yield iteration(k);
        co_yield barrier();
        co_yield phase("communication");
        const Bytes m = k < 6 ? 8_B : 16_B;
        if (me == Rank{0}) co_yield send(Rank{1}, m, tag);
        if (me == Rank{1}) co_yield recv(Rank{0}, m, tag);
        co_yield phase("computation");
        co_yield compute(Work::dgemm, 100_flop);
      }
    });
    REQUIRE(phases.size() == 3);
    CHECK(phases[0].name == "communication");
    CHECK(phases[0].repeat == 6);
    CHECK(phases[0].starts_together);
    CHECK(phases[1].name == "computation");
    CHECK(phases[1].repeat == 10);
    CHECK_FALSE(phases[1].starts_together);
    CHECK(phases[1].computes.size() == 2);
    CHECK(phases[2].repeat == 4);
    CHECK(phases[2].first_iteration == 6);
  }

  TEST_CASE("A phase says which computation and which messages are under way at the same time") {
    const auto phases = phases_of(2, [](Rank me) -> Generator<Step> {
      const Rank other{me == Rank{0} ? 1u : 0u};
      co_yield compute(Work::generic, Flops(1.0));
      co_yield irecv(other, 8_B, tag, RequestId{0});
      co_yield isend(other, 8_B, tag, RequestId{1});
      if (me == Rank{0}) co_yield compute(Work::generic, Flops(1.0));
      co_yield wait_all();
      co_yield compute(Work::generic, Flops(1.0));
    });
    REQUIRE(phases.size() == 1);
    REQUIRE(phases[0].computes.size() == 4);
    CHECK_FALSE(phases[0].computes[0].overlapped);
    CHECK(phases[0].computes[1].overlapped);
    CHECK_FALSE(phases[0].computes[2].overlapped);
    CHECK(phases[0].computes[3].repeat == 2);
    CHECK(phases[0].messages[0].overlapped);
    CHECK_FALSE(phases[0].messages[1].overlapped);
  }

  TEST_CASE("A message received in a later phase stays in the phase of its send") {
    const auto phases = phases_of(2, [](Rank me) -> Generator<Step> {
      co_yield phase("early");
      if (me == Rank{0}) co_yield isend(Rank{1}, 8_B, tag, RequestId{0});
      co_yield compute(Work::generic, 1_flop);
      co_yield phase("late");
      co_yield compute(Work::generic, 1_flop);
      if (me == Rank{1}) co_yield recv(Rank{0}, 8_B, tag);
      co_yield wait_all();
    });
    REQUIRE(phases.size() == 2);
    REQUIRE(phases[0].messages.size() == 1);
    CHECK_FALSE(phases[0].messages[0].received_in_phase);
    CHECK(phases[1].messages.empty());
  }

  TEST_CASE("What was sent in an earlier phase is received first by each sender and tag and communicator") {
    const auto phases = phases_of(3, [](Rank me) -> Generator<Step> {
      co_yield phase("early");
      co_yield compute(Work::generic, 1_flop);
      for (std::uint32_t i = 0; i < 2 && me != Rank{2}; ++i) co_yield isend(Rank{2}, 8_B, tag, RequestId{i});
      co_yield phase("late");
      if (me == Rank{1}) co_yield isend(Rank{2}, 16_B, tag, RequestId{2});
      for (std::uint32_t i = 0; i < 3 && me == Rank{2}; ++i) co_yield recv(Rank{1}, 8_B, tag);
      co_yield wait_all();
      co_yield phase("last");
      if (me == Rank{2}) co_yield recv(any_rank, 8_B, any_tag);
      if (me == Rank{2}) co_yield recv(Rank{0}, 8_B, tag);
      co_yield compute(Work::generic, 1_flop);
    });
    REQUIRE(phases.size() == 3);
    REQUIRE(phases[0].messages.size() == 4);
    for (const auto& message : phases[0].messages) CHECK_FALSE(message.received_in_phase);
    REQUIRE(phases[1].messages.size() == 1);
    CHECK(phases[1].messages[0].received_in_phase);
  }

  TEST_CASE("A receive without a send is refused by name") {
    const auto build = [] {
      return phases_of(2, [](Rank me) -> Generator<Step> {
        if (me == Rank{1}) co_yield recv(Rank{0}, 8_B, tag);
      });
    };
    CHECK_THROWS_WITH_AS(build(), "rank 1 waits for tag 7 from rank 0, which never sends it (test, p=2)", ReplayError);
  }

  TEST_CASE("Ranks that wait for each other before sending are refused") {
    const auto build = [] {
      return phases_of(2, [](Rank me) -> Generator<Step> {
        const Rank other{1 - static_cast<std::uint32_t>(index(me))};
        co_yield recv(other, 8_B, tag);
        co_yield send(other, 8_B, tag);
      });
    };
    CHECK_THROWS_WITH_AS(
        build(), "rank 0 never sends tag 7 to rank 1: what it waits for first waits for it (test, p=2)", ReplayError);
  }

  TEST_CASE("Ranks with different marks are refused and both are named") {
    const auto build = [] {
      return phases_of(2, [](Rank me) -> Generator<Step> {
        co_yield phase(me == Rank{0} ? "a" : "b");
        co_yield compute(Work::generic, 1_flop);
      });
    };
    CHECK_THROWS_WITH_AS(build(),
                         "rank 1 is in phase 'b' of iteration 0 while rank 0 is in phase 'a' of iteration 0 (test). "
                         "Give every rank the same marks?",
                         ReplayError);
  }

  TEST_CASE("Steps of equal flops and unequal memory traffic stay two") {
    const auto phases = phases_of(1, [](Rank) -> Generator<Step> {
      for (const Bytes traffic : {8_B, 8_B, 64_B}) co_yield compute(Work::stencil, Flops(5.0), {}, traffic);
    });
    REQUIRE(phases[0].computes.size() == 2);
    CHECK(phases[0].computes[0].repeat == 2);
    CHECK(phases[0].computes[1].compute.traffic == 64_B);
  }

  TEST_CASE("A receive from any rank that nobody answers is named in words") {
    const FunctionProgram program("test", 2, [](Rank me) -> Generator<Step> {
      if (me == Rank{1}) co_yield recv(any_rank, 8_B, any_tag);
    });
    CHECK_THROWS_WITH_AS(build_phases(program), "rank 1 waits for any tag from any rank, and none sends it (test, p=2)",
                         ReplayError);
  }
  TEST_CASE("A message to a rank that does not exist is refused") {
    const FunctionProgram program("test", 2, [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield isend(Rank{2}, 8_B, tag, RequestId{0});
    });
    CHECK_THROWS_WITH_AS(build_phases(program), "rank 0 sends to rank 2 (ranks are 0..1; phase 'program')",
                         ReplayError);
  }
  TEST_CASE("A rank that sends to all and receives from all costs memory in proportion to its messages") {
    constexpr std::uint32_t p = 400;  // lists of what each receive follows would hold p^3 = 64 million numbers
    const FunctionProgram program("test", p, [](Rank me) -> Generator<Step> {
      const auto i = static_cast<std::uint32_t>(index(me));
      for (std::uint32_t d = 1; d < p; ++d) co_yield irecv(Rank{(i + p - d) % p}, 8_B, tag, RequestId{2 * d});
      for (std::uint32_t d = 1; d < p; ++d) co_yield isend(Rank{(i + d) % p}, 8_B, tag, RequestId{2 * d + 1});
      co_yield wait_all();
    });
    const auto phases = build_phases(program);
    REQUIRE(phases.size() == 1);
    CHECK(phases[0].messages.size() == std::size_t{p} * (p - 1));
    CHECK_FALSE(phases[0].messages.front().receiver_waiting);
  }

  TEST_CASE("A phase says which of its messages belong to which collective") {
    const auto steps = [](Rank me) -> Generator<Step> {
      const auto r = static_cast<std::uint32_t>(me);
      const CollectiveCall pair{Operation::allreduce, 0, "swap", 8_B, Group::strided(Rank{r / 2 * 2}, 1, 2)};
      const CollectiveCall all{Operation::bcast, 0, "chain", 5_B, Group::world(4)};
      for (std::uint32_t k = 0; k < 2; ++k) {
        co_yield iteration(k);
        co_yield collective_begin(pair);
        co_yield irecv(Rank{r ^ 1u}, 8_B, tag, RequestId{0});
        co_yield send(Rank{r ^ 1u}, 8_B, tag);
        co_yield wait(RequestId{0});
        co_yield collective_end();
        if (r == 0) co_yield send(Rank{3}, 1_B, tag);  // on its own
        if (r == 3) co_yield recv(Rank{0}, 1_B, tag);
        co_yield collective_begin(all);
        if (r > 0) co_yield recv(Rank{r - 1}, 5_B, tag);
        if (r < 3) co_yield send(Rank{r + 1}, 5_B, tag);
        co_yield collective_end();
      }
    };
    const auto phases = build_phases(FunctionProgram("test", 4, steps));
    REQUIRE(phases.size() == 1);
    CHECK(phases[0].repeat == 2);
    REQUIRE(phases[0].collectives.size() == 3);  // of pair 0, of all, of pair 1
    CHECK(phases[0].collectives[0].messages.size() == 2);
    CHECK(phases[0].collectives[1].call.operation == Operation::bcast);
    CHECK(phases[0].collectives[1].messages.size() == 3);
    CHECK(phases[0].collectives[2].call.group == Group::strided(Rank{2}, 1, 2));
    std::size_t alone = 0;
    for (const Message& message : phases[0].messages) alone += message.collective == no_collective ? 1 : 0;
    CHECK(alone == 1);
    for (std::uint32_t c = 0; c < 3; ++c)
      for (const auto m : phases[0].collectives[c].messages) CHECK(phases[0].messages[m].collective == c);
  }

  TEST_CASE("A phase keeps the number of messages of a train beside all its bytes") {
    const auto phases = build_phases(FunctionProgram("test", 2, [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield Send{Rank{1}, 8_B, tag, world, 5};
      if (me == Rank{1}) co_yield recv(Rank{0}, 8_B, tag);
    }));
    REQUIRE(phases.size() == 1);
    CHECK(phases[0].messages[0].repeat == 5);
    CHECK(phases[0].messages[0].size == 40_B);
  }
}
