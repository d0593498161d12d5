// Ranks of a GOAL schedule that work on several cpus at the same time.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/config/traces/trace_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/trace_streams.hpp"

using namespace orrery;
using config::parse_goal;

namespace {

/// The calls of one rank of the trace: "irecv 1 0; signal 0 3".
std::string calls(const Trace& trace, std::uint32_t rank) {
  TraceCursor cursor(trace.ranks[rank]);
  std::string text;
  for (TraceCall call; cursor.next(call);) {
    text += text.empty() ? "" : "; ";
    const bool message = call.kind >= TraceCall::Kind::send && call.kind <= TraceCall::Kind::irecv;
    text += fmt::format("{}{}", is_signal(call) ? "signal " : "", trace_call_name(call.kind));
    if (message) text += fmt::format(" {} {}", index(call.peer), index(call.tag));
    if (call.kind == TraceCall::Kind::compute) text += fmt::format(" {}", call.amount);
  }
  return text;
}

void refused(const std::string& text, const std::string& message) {
  CHECK_THROWS_WITH_AS(parse_goal(text, "g.goal"), message.c_str(), InputError);
}

/// Rank 0 computes on cpu 0 while cpu 2 receives, computes and sends; its last step is after both.
const std::string two_streams =
    "num_ranks 2\n"
    "rank 0 {\nc: calc 900\nr: recv 8b from 1 tag 1 cpu 2\nk: calc 300 cpu 2\nk requires r\n"
    "s: send 8b to 1 tag 2 cpu 2\ns requires k\ne: calc 50\ne requires c\ne requires s\n}\n"
    "rank 1 {\ns: send 8b to 0 tag 1\nr: recv 8b from 0 tag 2\n}\n";

}  // namespace

TEST_SUITE("config/goal streams") {
  TEST_CASE("Each cpu of a rank that uses several is a stream and what it requires of another is a signal") {
    const Trace trace = parse_goal(two_streams, "g.goal");
    CHECK(trace.ranks.size() == 3);
    CHECK(placed_ranks(trace) == 2);
    CHECK(streams_of(trace) == std::vector<std::uint32_t>{2, 1});
    CHECK(calls(trace, 0) == "signal irecv 1 0; compute 900; wait; compute 50");
    CHECK(calls(trace, 1) == "recv 2 1; compute 300; send 2 2; signal send 0 0");
    CHECK(calls(trace, 2) == "isend 1 1; irecv 1 2; waitall");
    CHECK(trace.notes == std::vector<std::string>{"1 of 2 ranks work on several cpus: each cpu is a rank here, on the "
                                                  "host of its rank, 3 ranks in all"});
  }

  TEST_CASE("A stream tells another of what is over before it waits for what comes later in the file") {
    const Trace trace = parse_goal(
        "num_ranks 2\nrank 0 {\na: recv 8b from 1 tag 1 cpu 1\nb: recv 8b from 1 tag 2 cpu 1\ns: send 8b to 1 tag 3 "
        "cpu 1\n"
        "s requires b\nc: calc 5\nc requires a\nt: send 8b to 1 tag 4\nt requires c\n}\n"
        "rank 1 {\nsend 8b to 0 tag 1\nr: recv 8b from 0 tag 4\nx: send 8b to 0 tag 2\nx requires r\nrecv 8b from 0 "
        "tag "
        "3\n}\n",
        "g.goal");
    CHECK(calls(trace, 1) == "irecv 2 1; irecv 2 2; wait; signal send 0 0; wait; isend 2 3; waitall");
  }

  TEST_CASE("A rank that names one cpu in all its operations is one stream") {
    const Trace trace =
        parse_goal("num_ranks 1\nrank 0 {\na: calc 5 cpu 3\nb: calc 6 cpu 3\nb requires a\n}\n", "g.goal");
    CHECK(streams_of(trace).empty());
    CHECK(trace.notes.empty());
    CHECK(calls(trace, 0) == "compute 5; compute 6");
  }

  TEST_CASE("Streams of a rank cannot be written as a trace of one thing after another") {
    const Trace trace = parse_goal(two_streams, "g.goal");
    CHECK_THROWS_WITH_AS(
        config::ti_text(trace),
        "g.goal: rank 0 works on several cpus at the same time (a TI trace has one thing after another). "
        "Play the schedule itself, with '--replay g.goal'?",
        InputError);
    CHECK_THROWS_WITH_AS(config::goal_text(trace),
                         "g.goal: rank 0 works on several cpus at the same time (a schedule is written here with one "
                         "thing after another). Take 'g.goal' as it is?",
                         InputError);
  }

  TEST_CASE("Messages of one tag that two cpus send or receive are refused with the line") {
    refused(
        "num_ranks 2\nrank 0 {\nsend 8b to 1 cpu 0\nsend 8b to 1 cpu 1\n}\nrank 1 {\nrecv 8b from 0\nrecv 8b from "
        "0\n}\n",
        "g.goal:4: rank 0 sends tag 0 to rank 1 on cpu 1, and on cpu 0 in line 3 (cpus work at the same time, so that "
        "time "
        "would say which message is which). Give each cpu tags of its own?");
    refused(
        "num_ranks 2\nrank 0 {\nrecv 8b from 1 tag 4\nrecv 8b from -1 tag -1 cpu 1\n}\n"
        "rank 1 {\nsend 8b to 0 tag 4\nsend 8b to 0 tag 5\n}\n",
        "g.goal:4: rank 0 receives any tag from any rank on cpu 1, and on cpu 0 in line 3 (cpus work at the same time, "
        "so "
        "that time would say which message is which). Give each cpu tags of its own?");
    refused(
        "num_ranks 2\nrank 0 {\nsend 8b to 1 tag 1\nsend 8b to 1 tag 2 cpu 1\n}\n"
        "rank 1 {\nrecv 8b from 0 tag -1\nrecv 8b from 0 tag -1\n}\n",
        "g.goal:4: rank 0 sends tag 2 to rank 1 on cpu 1, and on cpu 0 in line 3 (cpus work at the same time, so that "
        "time "
        "would say which message is which). Give each cpu tags of its own?");
  }

  TEST_CASE("A cycle over several cpus is refused with the line") {
    refused(
        "num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2 cpu 1\na requires b\nb requires a\n}\n",
        "g.goal:3: this operation of rank 0 can never start: it depends on itself (a schedule has no cycles). Remove a "
        "'requires'?");
  }
}
