#include "sim/core/trace.hpp"

#include <doctest/doctest.h>

#include "sim/core/elapsed.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;

namespace {

class OneSecond final : public ComputeModel {
 public:
  std::string description() const override { return "1 s"; }
  Seconds compute_time(const Compute&, Rank) const override { return 1_s; }
};

}  // namespace

TEST_SUITE("core/trace") {
  TEST_CASE("A cursor reads from a packed trace what was written to it") {
    RankTrace trace;
    TraceWriter writer(trace);
    writer.compute(1.5);
    writer.isend(Rank{300}, Tag{70000}, Bytes{1e12}, RequestId{129});
    writer.irecv(any_rank, any_tag, Bytes{}, RequestId{0});
    TraceCall gather;
    gather.what = Operation::allgatherv;
    gather.amount = 8;
    gather.reduction = 0.25;
    gather.counts = {1, 200, 1u << 30};
    writer.collective(gather);
    writer.stage(3, true);
    writer.wait(RequestId{129});

    CHECK(trace.calls == 6);
    TraceCursor cursor(trace);
    TraceCall call;
    REQUIRE(cursor.next(call));
    CHECK(call.amount == 1.5);
    REQUIRE(cursor.next(call));
    CHECK(call.kind == TraceCall::Kind::isend);
    CHECK(call.peer == Rank{300});
    CHECK(call.tag == Tag{70000});
    CHECK(call.amount == 1e12);
    CHECK(call.request == RequestId{129});
    REQUIRE(cursor.next(call));
    CHECK(call.peer == any_rank);
    CHECK(call.tag == any_tag);
    REQUIRE(cursor.next(call));
    CHECK(call.what == Operation::allgatherv);
    CHECK(call.reduction == 0.25);
    CHECK(call.counts == gather.counts);
    REQUIRE(cursor.next(call));
    CHECK(call.number == 3);
    CHECK(call.sequence);
    REQUIRE(cursor.next(call));
    CHECK(call.request == RequestId{129});
    CHECK_FALSE(cursor.next(call));
  }

  TEST_CASE("A message to a near rank takes at most eight bytes of a packed trace") {
    RankTrace trace;
    TraceWriter(trace).isend(Rank{99}, Tag{5}, 1_MiB, RequestId{3});
    CHECK(trace.bytes.size() <= 8);
  }

  TEST_CASE("Request numbers start again from the smallest once all are given back") {
    RequestNumbers numbers;
    CHECK(numbers.take() == RequestId{0});
    CHECK(numbers.take() == RequestId{1});
    CHECK(numbers.take() == RequestId{2});
    numbers.give_back(RequestId{1});
    numbers.give_back(RequestId{0});
    CHECK(numbers.take() == RequestId{0});
    numbers.give_back(RequestId{0});
    numbers.give_back(RequestId{2});
    CHECK(numbers.take() == RequestId{0});
  }

  TEST_CASE("A duration takes its time on every host and other work asks the compute model") {
    const auto model = with_elapsed(std::make_unique<OneSecond>());
    CHECK(model->compute_time(std::get<Compute>(elapsed(Seconds{2e-3})), Rank{0}).si() == near(2e-3));
    CHECK(model->sampled_time(std::get<Compute>(elapsed(Seconds{2e-3})), Rank{0}, 7).si() == near(2e-3));
    CHECK(model->compute_time(Compute{Work::dgemm, 5_flop, {}}, Rank{0}) == 1_s);
  }
}
