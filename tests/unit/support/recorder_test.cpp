#include "tests/support/recorder.hpp"

#include <doctest/doctest.h>

using namespace orrery;

namespace {

Recording recording(std::vector<std::vector<Step>> steps) { return {"test", std::move(steps)}; }
std::string defect(std::vector<std::vector<Step>> steps, SendEnds send_ends = SendEnds::posted) {
  return match_messages(recording(std::move(steps)), send_ends).defect;
}

constexpr Rank r0{0}, r1{1};
constexpr Tag a{1}, b{2};

}  // namespace

TEST_SUITE("support/recorder") {
  TEST_CASE("A recording holds every step of every rank in order") {
    const FunctionProgram program("two", 2, [](Rank me) -> Generator<Step> {
      co_yield phase("p");
      if (me == Rank{0}) co_yield send(Rank{1}, 5_B, Tag{1});
      if (me == Rank{1}) co_yield recv(Rank{0}, 5_B, Tag{1});
    });
    const Recording made = record(program);
    REQUIRE(made.ranks() == 2);
    CHECK(std::holds_alternative<Send>(made.steps[0][1]));
    CHECK(std::holds_alternative<Recv>(made.steps[1][1]));
  }

  TEST_CASE("Messages of one pair do not overtake each other unless their tags differ") {
    const auto run = match_messages(recording({{send(r1, 1_B, a), send(r1, 2_B, b), send(r1, 3_B, a)},
                                               {recv(r0, 2_B, b), recv(r0, 9_B, a), recv(r0, 9_B, any_tag)}}));
    CHECK(run.defect == "");
    REQUIRE(run.messages.size() == 3);
    CHECK(run.messages[0].size == 2_B);
    CHECK(run.messages[1].size == 1_B);
    CHECK(run.messages[2].size == 3_B);
    CHECK(run.messages[2].sent_at == 2);
    CHECK(run.messages[2].received_at == 2);
  }

  TEST_CASE("Two ranks that both send first finish only when sends are buffered") {
    const std::vector<std::vector<Step>> steps{{send(r1, 1_B, a), recv(r1, 1_B, a)},
                                               {send(r0, 1_B, a), recv(r0, 1_B, a)}};
    CHECK(defect(steps, SendEnds::posted) == "");
    CHECK(defect(steps, SendEnds::received) == "rank 0 never gets past its step 0 of 2");
  }

  TEST_CASE("The recorder names a message that nobody receives and a receive that gets nothing") {
    CHECK(defect({{send(r1, 1_B, a)}, {}}) == "nobody receives the message of rank 0 to rank 1 with tag 1 (step 0)");
    CHECK(defect({{recv(r1, 1_B, a)}, {}}) == "rank 0 never gets past its step 0 of 1");
    CHECK(defect({{irecv(r1, 1_B, a, RequestId{0})}, {}}) == "rank 0 never gets the message it receives in step 0");
    CHECK(defect({{send(Rank{5}, 1_B, a)}, {}}) == "rank 0 sends to rank 5, of 2 (step 0)");
  }

  TEST_CASE("The recorder names a message longer than its receive") {
    CHECK(defect({{send(r1, 8_B, a)}, {recv(r0, 4_B, a)}}) ==
          "rank 0 sends 8 B to rank 1, which expects 4 B (steps 0 and 0)");
  }

  TEST_CASE("The recorder names requests that are unknown or used twice at once") {
    CHECK(defect({{wait(RequestId{7})}}) == "rank 0 waits for request 7, which it never posted (step 0)");
    CHECK(defect({{irecv(r0, 1_B, a, RequestId{7}), irecv(r0, 1_B, b, RequestId{7})}}) ==
          "rank 0 posts request 7 again before waiting for it (step 1)");
  }

  TEST_CASE("A wait for a range of requests leaves the others open") {
    CHECK(defect({{irecv(r1, 1_B, a, RequestId{9}), wait_all(RequestId{0}, 9), send(r1, 1_B, b), wait_all()},
                  {recv(r0, 1_B, b), send(r0, 1_B, a)}}) == "");
  }

  TEST_CASE("An ideal barrier that one rank never enters holds the others for ever") {
    CHECK(defect({{barrier(), barrier()}, {barrier(), barrier()}}) == "");
    CHECK(defect({{barrier(), barrier()}, {barrier()}}) == "rank 0 never gets past its step 1 of 2");
  }
}
