// Of the MPI player what can be told without MPI.
#include <doctest/doctest.h>

#include <vector>

#include "sim/core/error.hpp"
#include "tests/support/cluster.hpp"
#include "tests/support/relative.hpp"
#include "validation/mpi/needs.hpp"
#include "validation/mpi/payload.hpp"
#include "validation/mpi/phase_times.hpp"

using namespace orrery;
using mpi::Address;
using mpi::first_wrong_byte;
using mpi::needs_of;
using test::near;

namespace {

FunctionProgram sends(Step step) {
  return {"test", 2, [step](Rank me) -> Generator<Step> {
            if (me == Rank{0}) co_yield step;
          }};
}

void refused(const Step& step, const char* message) {
  CHECK_THROWS_WITH_AS(needs_of(sends(step), Rank{0}, 1000), message, InputError);
  CHECK_NOTHROW(needs_of(sends(step), Rank{1}, 1000));
}

}  // namespace

TEST_SUITE("validation/mpi") {
  TEST_CASE("A payload tells the message it belongs to and the byte that is wrong") {
    for (const std::size_t size : {1u, 7u, 8u, 9u, 1000u}) {
      std::vector<unsigned char> message(size);
      mpi::write_payload(message, {1, 2, 3});
      CHECK_FALSE(first_wrong_byte(message, {1, 2, 3}));
      message[size - 1] ^= 1;
      CHECK(first_wrong_byte(message, {1, 2, 3}) == size - 1);
    }
    std::vector<unsigned char> message(64);
    mpi::write_payload(message, {1, 2, 3});
    for (const Address other : {Address{2, 1, 3}, Address{1, 2, 4}, Address{1, 3, 3}, Address{0, 2, 3}})
      CHECK(first_wrong_byte(message, other));
  }

  TEST_CASE("What a program asks of MPI is known before anything is sent") {
    const FunctionProgram program("test", 4, [](Rank) -> Generator<Step> {
      const CollectiveCall call{Operation::bcast, 0, "binomial", Bytes(5e6), Group::strided(Rank{1}, 2, 2)};
      co_yield isend(Rank{1}, Bytes(2e6), Tag{5}, RequestId{0}, Communicator{3});
      co_yield collective_begin(call);
      co_yield send(Rank{2}, Bytes(10), Tag{6});
      co_yield collective_end();
    });
    const auto needs = needs_of(program, Rank{0}, 1000);
    CHECK(needs.sends == 2);
    CHECK(needs.largest == 5'000'000);
    CHECK(needs.greatest_communicator == 3);
    REQUIRE(needs.groups.size() == 1);
    CHECK(needs.groups.begin()->second.rank(1) == Rank{3});
  }

  TEST_CASE("What MPI cannot do is refused") {
    refused(send(Rank{2}, Bytes(1), Tag{0}), "test: rank 0 sends to rank 2 (ranks are 0..1). Correct it?");
    refused(send(Rank{1}, Bytes(1), Tag{1001}),
            "test: rank 0 sends with tag 1001, but this MPI's greatest is 1000. Use smaller tags?");
    refused(send(Rank{1}, Bytes(4294967296.0), Tag{0}),
            "test: rank 0 sends 4294967296 bytes in one message, but MPI counts up to 2147483647. Split it?");
    refused(
        Send{Rank{1}, Bytes(8), Tag{0}, world, 5},
        "test: rank 0 sends 5 equal messages as a train, which one receive takes (MPI has no such call). Write them as "
        "messages of their own?");
  }

  TEST_CASE("Marks and steps with the times of an engine give the phase times of that engine") {
    // Two ranks; rank r computes r + 1 s a step. An empty phase leaves nothing; a phase may come twice in an iteration.
    const auto steps = [](Rank me) -> Generator<Step> {
      const Step work = test::compute_for(static_cast<double>(index(me)) + 1.0);
      co_yield work;
      for (std::uint32_t k = 0; k < 2; ++k) {
        co_yield iteration(k);
        co_yield phase("empty");
        co_yield phase("a");
        co_yield work;
        co_yield phase("b");
        co_yield work;
        co_yield work;
        co_yield phase("a");
        if (k == 0 || me == Rank{0}) co_yield work;
      }
    };
    mpi::LongestSpans longest;
    const FunctionProgram program("test", 2, steps);
    for (const Rank rank : {Rank{0}, Rank{1}}) {
      mpi::PhaseTimes times;
      double now = 0.0;
      times.begin(now);
      auto own = program.steps(rank);
      while (const Step* step = own.next()) {
        if (const auto* mark = std::get_if<PhaseMark>(step)) times.enter_phase(mark->name, now);
        if (const auto* mark = std::get_if<IterationMark>(step)) times.enter_iteration(mark->iteration, now);
        if (!std::holds_alternative<Compute>(*step)) continue;
        times.step();
        now += static_cast<double>(index(rank)) + 1.0;
      }
      times.end(now);
      for (const auto& span : times.spans()) longest.add(span);
    }
    const auto cluster = test::a_rank_per_node(2);
    const test::SecondsAsFlops compute;
    const auto played = make_flow_engine()->replay({.program = &program,
                                                    .platform = &cluster.platform,
                                                    .network = &cluster.network(),
                                                    .layout = &cluster.layout,
                                                    .compute = &compute,
                                                    .options = cluster.options});
    const auto times = longest.by_phase();
    CHECK(times.size() == 3);
    for (const auto& [name, seconds] : times) CHECK(seconds == near(played.phase_time(name).si()));
    CHECK(times.at("a") == near(2 + 2 + 2 + 1));
  }
}
