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
