#include <doctest/doctest.h>

#include "sim/config/traces/trace_file.hpp"
#include "sim/core/error.hpp"

using namespace orrery;
using config::goal_text;
using config::parse_goal;
using config::ti_text;

namespace {

void refused(const std::string& text, const std::string& message) {
  CHECK_THROWS_WITH_AS(parse_goal(text, "g.goal"), message.c_str(), InputError);
}

/// The TI lines of rank 0, without init and finalize.
std::string rank0(const std::string& operations, const std::string& others = "") {
  const Trace trace = parse_goal("num_ranks 2\nrank 0 {\n" + operations + "}\nrank 1 {\n" + others + "}\n", "g.goal");
  std::string text = ti_text(trace, Rank{0});
  text = text.substr(text.find("init\n") + 5);
  return text.substr(0, text.find("0 finalize"));
}

}  // namespace

TEST_SUITE("config/goal") {
  TEST_CASE("Operations that require nothing are posted before computing and awaited at the end") {
    CHECK(rank0("c: calc 1000 cpu 0\ns: send 8b to 1 tag 3 cpu 0 nic 0\nr: recv 9b from 1\n",
                "recv 8b from 0 tag 3\nsend 9 b to 0\n") ==
          "0 isend 1 3 8\n0 irecv 1 0 9\n0 compute 1000\n0 waitall 2\n");
  }

  TEST_CASE("An operation waits for what it requires and a message awaited at once is a blocking call") {
    CHECK(
        rank0(
            "r: recv 9b from 1 // first\nc: calc 1000\nc requires r\ns: send 8b to 1 /* then\n more */\ns requires c\n",
            "recv 8b from 0\nsend 9b to 0\n") == "0 recv 1 0 9\n0 compute 1000\n0 isend 1 0 8\n0 waitall 1\n");
    CHECK(rank0("r: recv 9b from 1\nq: recv 7b from 1 tag 1\nc: calc 0\nc requires r\n",
                "send 9b to 0\nsend 7b to 0 tag 1\n") ==
          "0 irecv 1 0 9\n0 irecv 1 1 7\n0 wait 1 0 0\n0 compute 0\n0 waitall 1\n");
  }

  TEST_CASE("An order that the graph leaves open is the file's and is counted") {
    const Trace trace = parse_goal(
        "num_ranks 1\nrank 0 {\na: recv 1b from 0 tag 1\nb: recv 1b from 0 tag 2\n"
        "c: calc 1\nc requires a\nd: calc 2\nd requires b\ne: calc 3\nf: send 1b to 0 tag 1 nic 1\ng: send 1b to "
        "0 "
        "tag 2\nf irequires e\n}\n",
        "g.goal");
    CHECK(trace.notes ==
          std::vector<std::string>{
              "1 places where the graph leaves open which operation comes next: the first of the file is "
              "waited for",
              "1 operations that may start together with a 'calc' start after it",
              "1 messages on a nic other than 0: they take the adapter that the platform gives their rank"});
  }

  TEST_CASE("A program written as GOAL and read again makes the same calls") {
    const std::string ti =
        "0 init\n0 compute 1000\n0 irecv 1 1 5\n0 irecv 1 2 6\n0 isend 1 3 7\n0 compute 2000\n0 wait 1 0 2\n0 compute "
        "1\n"
        "0 send 1 4 9\n0 compute 1\n0 waitall 2\n0 compute 5\n0 recv -555 -444 3\n0 isend 1 5 1\n0 waitall 1\n0 "
        "finalize\n"
        "1 init\n1 isend 0 2 6\n1 isend 0 1 5\n1 recv 0 3 7\n1 recv 0 4 9\n1 compute 1\n1 waitall 2\n1 send 0 8 3\n1 "
        "recv 0 5 1\n"
        "1 compute 3\n1 finalize\n";
    Trace original = config::parse_ti("#orrery 0 speed 1e9\n" + ti, "t.ti");
    const Trace once = parse_goal(goal_text(original), "g.goal");
    const Trace twice = parse_goal(goal_text(once), "g.goal");
    CHECK(once.notes.empty());
    CHECK(twice.fingerprint() == once.fingerprint());
    std::string text = ti_text(once);
    text = text.substr(text.find('\n') + 1);  // speed
    CHECK(text == ti);
  }

  TEST_CASE("What GOAL cannot say is refused when it is written") {
    Trace trace;
    trace.file = "halo";
    trace.ranks.resize(1);
    TraceWriter(trace.ranks[0]).ideal_barrier();
    CHECK_THROWS_WITH_AS(
        goal_text(trace),
        "goal: 'halo' has ideal barriers (GOAL has messages and computation only). Choose a barrier of "
        "messages, or none?",
        InputError);
    trace.ranks[0] = {};
    TraceWriter(trace.ranks[0]).compute(1.0);
    CHECK_THROWS_WITH_AS(goal_text(trace),
                         "goal: 'halo' gives computation in flops (GOAL needs times). Export it through the kernel "
                         "'trace' with 'speed'?",
                         InputError);
    trace.ranks[0] = {};
    TraceWriter(trace.ranks[0]).collective({});
    CHECK_THROWS_WITH_AS(goal_text(trace),
                         "goal: 'halo' has collectives (GOAL has messages only). Export it through the kernel 'trace', "
                         "which expands them?",
                         InputError);
  }

  TEST_CASE("Wrong lines of a GOAL schedule are refused with file and line") {
    refused("rank 0 {\n", "g.goal:1: no 'num_ranks' before this line (it comes first). Write 'num_ranks 2'?");
    refused("", "g.goal:1: no 'num_ranks' (the first line of a schedule). Write 'num_ranks 2'?");
    refused("num_ranks 0\n", "g.goal:1: num_ranks is '0' (1 or more). Correct it?");
    refused("num_ranks 1\nnum_ranks 1\n", "g.goal:2: 'num_ranks' is given twice (once only). Remove one?");
    refused("num_ranks 1\nrank 1 {\n", "g.goal:2: the rank is '1' (a whole number from 0 to 0). Correct it?");
    refused("num_ranks 2\nrank 0 {\n}\nrank 0 {\n", "g.goal:4: rank 0 appears twice (once each). Remove one?");
    refused("num_ranks 2\nrank 0 {\n}\n", "g.goal:3: rank 1 is missing (num_ranks is 2). Is the file cut off?");
    refused("num_ranks 1\nrank 0 {\ncalc 5\n", "g.goal:3: rank 0 is not closed ('}' ends it). Is the file cut off?");
    refused("num_ranks 2\nrank 0 {\nrank 1 {\n",
            "g.goal:3: a rank opens inside rank 0 ('}' ends it). Is a brace missing?");
    refused("num_ranks 1\ncalc 5\n", "g.goal:2: 'calc' outside of a rank ('rank N {' opens one). Is a brace missing?");
    const std::string open = "num_ranks 1\nrank 0 {\n";
    refused(
        open + "clac 5\n",
        "g.goal:3: unknown operation 'clac' (known: calc, recv, send; LABEL requires LABEL; LABEL irequires LABEL). Is "
        "it misspelt?");
    refused(open + "calc\n", "g.goal:3: the line ends where the nanoseconds should be. Is it cut off?");
    refused(open + "calc 1.5\n", "g.goal:3: the nanoseconds is '1.5' (a whole number from 0 to 1e+15). Correct it?");
    refused(open + "send 8 to 0\n", "g.goal:3: the size '8' has no 'b' after it (bytes). Write '8b'?");
    refused(open + "send 8b from 0\n",
            "g.goal:3: 'from' where 'to' is expected (as in 'send 8b to 1 tag 0'). Correct it?");
    refused(open + "send 8b to 0 speed 5\n",
            "g.goal:3: unexpected 'speed' at the end of an operation (known: cpu, nic, tag). Remove it?");
    refused(open + "a: calc 1\na: calc 2\n",
            "g.goal:4: label 'a' is used twice in rank 0 (labels are unique). Rename one?");
    refused(open + "a: calc 1\na requires b\n",
            "g.goal:4: rank 0 has no operation 'b' above this line (LABEL requires LABEL). Is it misspelt?");
    refused(open + "a: calc 1\nb: calc 2\na requires b\nb requires a\n}\n",
            "g.goal:3: this operation of rank 0 can never start: it depends on itself (a schedule has no cycles). "
            "Remove a 'requires'?");
    refused(open + "send 8b to 0 tag 3\n}\n",
            "g.goal:3: rank 0 sends tag 3 to rank 0, which never receives it (every send needs a receive). Is the "
            "trace cut "
            "off?");
  }
}
