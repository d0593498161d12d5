#include "sim/core/trace_of.hpp"

#include <doctest/doctest.h>

#include "sim/core/error.hpp"

using namespace orrery;

namespace {

class TwoSeconds final : public ComputeModel {
 public:
  std::string description() const override { return "2 s"; }
  Seconds compute_time(const Compute&, Rank) const override { return 2_s; }
};

Trace traced(FunctionProgram::Steps steps) {
  return trace_of(FunctionProgram("test", 2, std::move(steps)), TwoSeconds{}, "export");
}

}  // namespace

TEST_SUITE("core/trace-of") {
  TEST_CASE("Communicators become tags of their own in a trace") {
    const Trace trace = traced([](Rank) -> Generator<Step> { co_yield send(Rank{0}, 1_B, Tag{5}, Communicator{2}); });
    TraceCursor cursor(trace.ranks[1]);
    TraceCall call;
    REQUIRE(cursor.next(call));
    CHECK(call.tag == Tag{2 * communicator_tags + 5});
  }

  TEST_CASE("A trace of communicators and any tag is refused as tags alone would not tell messages apart") {
    CHECK_THROWS_WITH_AS(
        traced([](Rank) -> Generator<Step> {
          co_yield send(Rank{0}, 1_B, Tag{5}, Communicator{2});
          co_yield recv(any_rank, 1_B, any_tag);
        }),
        "export: 'test' uses several communicators and any tag on the world, so tags alone do not tell "
        "its messages apart. Export another kernel?",
        InputError);
    CHECK_THROWS_WITH_AS(
        traced([](Rank) -> Generator<Step> { co_yield send(Rank{0}, 1_B, Tag{1u << 20}, Communicator{2}); }),
        "export: 'test' uses tag 1048576 on communicator 2, which no tag of the world communicator can represent (tags "
        "below "
        "1048576, "
        "communicators below 2047). Export another kernel?",
        InputError);
  }

  TEST_CASE("A trace notes how many messages of GPU kernels and of their switch it turns into sends") {
    const Trace trace = traced([](Rank me) -> Generator<Step> {
      if (me == Rank{1}) co_return;
      Send by_kernel{.to = Rank{1}, .message = 8_B, .protocol = GpuProtocol::ll};
      co_yield Step(by_kernel);
      co_yield Step(Isend{by_kernel, RequestId{0}});
      by_kernel.in_switch = InSwitch::reduce;
      co_yield Step(Isend{by_kernel, RequestId{1}});
    });
    CHECK(trace.notes ==
          std::vector<std::string>{
              "2 messages are handed over by kernels of GPUs, by NCCL's protocols; here they are sent as any other",
              "1 message is what a switch reduces or multicasts; here each goes from one GPU to another"});
  }

  TEST_CASE("A stage keeps its name and composition in a trace") {
    const Trace trace = traced([](Rank) -> Generator<Step> {
      co_yield stage("rows", Composition::sequence);
      co_yield stage("columns", Composition::set);
    });
    TraceCursor cursor(trace.ranks[0]);
    for (const bool sequence : {true, false}) {
      TraceCall call;
      REQUIRE(cursor.next(call));
      CHECK(call.kind == TraceCall::Kind::stage);
      CHECK(trace.names[call.number] == (sequence ? "rows" : "columns"));
      CHECK(call.sequence == sequence);
    }
  }

  TEST_CASE("A train stays one in a trace and its receive says so too") {
    const Trace trace = traced([](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield send(Rank{1}, 3_B, Tag{5});
      if (me == Rank{0}) co_yield Send{Rank{1}, 8_B, Tag{5}, world, 4};
      if (me == Rank{1}) co_yield recv(Rank{0}, 3_B, Tag{5});
      if (me == Rank{1}) co_yield recv(Rank{0}, 8_B, Tag{5});
    });
    for (const RankTrace& rank : trace.ranks) {
      TraceCursor cursor(rank);
      TraceCall call;
      REQUIRE(cursor.next(call));
      CHECK(call.repeat == 1);
      REQUIRE(cursor.next(call));
      CHECK(call.repeat == 4);
      CHECK(call.amount == 8.0);
      CHECK_FALSE(cursor.next(call));
    }
  }

  TEST_CASE("A trace of trains is refused where a receive takes any message") {
    CHECK_THROWS_WITH_AS(traced([](Rank me) -> Generator<Step> {
                           if (me == Rank{0}) co_yield Send{Rank{1}, 8_B, Tag{5}, world, 4};
                           if (me == Rank{1}) co_yield recv(any_rank, 8_B, Tag{5});
                         }),
                         "export: 'test' sends trains of messages and receives from any rank (a trace says which "
                         "receives take a train). Export another kernel?",
                         InputError);
  }

  TEST_CASE("Collectives of all ranks become calls of a trace where that is asked for") {
    const auto steps = [](Rank me) -> Generator<Step> {
      const CollectiveCall all{Operation::allreduce, 0, "by hand", 80_B, Group::world(2)};
      co_yield collective_begin(all);
      co_yield irecv(Rank{1 - static_cast<std::uint32_t>(me)}, 80_B, Tag{1}, RequestId{0});
      co_yield send(Rank{1 - static_cast<std::uint32_t>(me)}, 80_B, Tag{1});
      co_yield wait(RequestId{0});
      co_yield compute(Work::reduction, 10_flop);
      co_yield collective_end();
      const CollectiveCall alone{Operation::allgather, 0, "by hand", 8_B, Group::of({me})};
      co_yield collective_begin(alone);
      co_yield collective_end();
    };
    const auto kinds = [&](TracedCollectives collectives) {
      std::vector<TraceCall> calls;
      const Trace trace = trace_of(FunctionProgram("test", 2, steps), TwoSeconds{}, "export", collectives);
      TraceCursor cursor(trace.ranks[1]);
      for (TraceCall call; cursor.next(call);) calls.push_back(call);
      return calls;
    };
    CHECK(kinds(TracedCollectives::messages).size() == 8);
    const auto calls = kinds(TracedCollectives::calls);
    REQUIRE(calls.size() == 3);
    CHECK(calls[0].kind == TraceCall::Kind::collective);
    CHECK(calls[0].what == Operation::allreduce);
    CHECK(calls[0].amount == 80.0);
    CHECK(calls[0].reduction == 2e9);                       // 2 s
    CHECK(calls[1].kind == TraceCall::Kind::begin_marked);  // of one rank: no call of the world
    CHECK(calls[2].kind == TraceCall::Kind::end_marked);
  }

  TEST_CASE("Amounts of a trace keep their time when its hosts are known and take the model's otherwise") {
    Trace trace;
    trace.ranks.resize(1);
    TraceWriter(trace.ranks[0]).compute(3e9);
    TraceWriter(trace.ranks[0]).send(Rank{0}, Tag{1}, 8_B);
    const auto amount = [](const Trace& some) {
      TraceCursor cursor(some.ranks[0]);
      TraceCall call;
      REQUIRE(cursor.next(call));
      return call.amount;
    };
    CHECK(amount(retimed(trace, TwoSeconds{}, 0.0)) == 2e9);
    CHECK(amount(retimed(trace, TwoSeconds{}, 6e9)) == 0.5e9);
    trace.speed = 3e9;
    CHECK(amount(retimed(trace, TwoSeconds{}, 0.0)) == 1e9);
    CHECK(retimed(trace, TwoSeconds{}, 0.0).ranks[0].calls == 2);
  }

  TEST_CASE("Models are compared with the phase of a trace that is called communication or has most messages") {
    Trace trace;
    trace.ranks.resize(1);
    TraceWriter writer(trace.ranks[0]);
    CHECK(communication_phase(trace) == "communication");  // nothing is marked
    trace.names = {"pivot", "panel", "update", "communication"};
    writer.stage(0, true);
    writer.send(Rank{0}, Tag{1}, 8_B);
    CHECK(communication_phase(trace) == "program");
    for (const std::uint32_t phase : {1u, 2u, 2u}) {
      writer.phase(phase);
      writer.isend(Rank{0}, Tag{1}, 8_B, RequestId{0});
    }
    CHECK(communication_phase(trace) == "update");
    writer.phase(3);
    CHECK(communication_phase(trace) == "communication");
  }
}
