// The lines that a recorded program leaves, without MPI.
#include "validation/record/trace_lines.hpp"

#include <doctest/doctest.h>

#include "sim/config/traces/trace_file.hpp"
#include "validation/record/phases.hpp"

using namespace orrery;
using record::ranks_text;
using record::TraceLines;

TEST_SUITE("validation/record") {
  TEST_CASE("Computing between two calls is one line before the second") {
    TraceLines lines(3, 1e9);
    lines.compute(1e-3);
    lines.compute(1e-3);
    lines.message("send", {1, 7, 100});
    lines.compute(6e-10);  // less than one flop, kept for the next
    lines.message("send", {1, 7, 100});
    lines.compute(6e-10);
    lines.message("send", {1, 7, 100});
    CHECK(lines.take() == "3 compute 2000000\n3 send 1 7 100\n3 send 1 7 100\n3 compute 1\n3 send 1 7 100\n");
    CHECK(lines.take().empty());
  }

  TEST_CASE("A receive is written where it was posted with the message that came") {
    TraceLines lines(0, 1e9);
    lines.call("init");
    const auto first = lines.receive("irecv"), second = lines.receive("irecv");
    lines.message("send", {1, 1, 8});
    CHECK(lines.take() == "0 init\n");  // what is behind an unknown message waits
    lines.settle(second, {2, 5, 40});
    lines.wait(2, 0, 5);
    CHECK(lines.take().empty());
    lines.settle(first, {1, 4, 16});
    lines.wait(1, 0, 4);
    CHECK(lines.take() == "0 irecv 1 4 16\n0 irecv 2 5 40\n0 send 1 1 8\n0 wait 2 0 5\n0 wait 1 0 4\n");
  }

  TEST_CASE("A receive that was cancelled leaves no line and holds nothing back") {
    TraceLines lines(0, 1e9);
    const auto cancelled = lines.receive("irecv");
    lines.call("barrier");
    lines.drop(cancelled);
    CHECK(lines.take() == "0 barrier\n");
    CHECK(lines.lines() == 1);
  }

  TEST_CASE("Ranks of a communicator are written as the reader takes them") {
    CHECK(ranks_text({4}) == "4:1:1");
    CHECK(ranks_text({1, 3, 5}) == "1:2:3");
    CHECK(ranks_text({5, 3, 1}) == "5,3,1");
    CHECK(ranks_text({0, 1, 3}) == "0,1,3");
    std::string text;
    for (const int rank : {5, 3, 1}) {
      TraceLines lines(rank, 1e9);
      lines.mark("on 2 " + ranks_text({5, 3, 1}));
      lines.call("barrier");
      text += lines.take();
    }
    const Trace trace = config::parse_ti(text + "0 compute 1\n2 compute 1\n4 compute 1\n", "t.ti");
    REQUIRE(trace.groups.size() == 1);
    CHECK(trace.groups[0].rank(0) == Rank{5});
  }

  TEST_CASE("Each time that a rank is in a phase counts by itself and a phase without a line does not") {
    record::Phases phases;
    phases.begin(1.0);
    CHECK_FALSE(phases.named());
    phases.enter("solve", false, 2.0);
    phases.enter("write", true, 5.0);
    phases.enter("solve", true, 6.0);
    phases.end(true, 6.5);
    CHECK(phases.named());
    CHECK(phases.times() == std::map<std::string, std::vector<double>>{{"solve", {3.0, 0.5}}, {"write", {1.0}}});
  }

  TEST_CASE("The name of a phase becomes one word") {
    CHECK(record::phase_word("exchange of halos") == "exchange-of-halos");
    CHECK(record::phase_word("a\n#b,c") == "a--b-c");
    CHECK(record::phase_word("") == "-");
  }

  TEST_CASE("Two names of phases never become one word and none is a row that measured.csv has of its own") {
    record::PhaseWords words;
    const auto take = [&](const std::string& name) { return words.word_of(name); };
    CHECK(take("a b").word == "a-b");
    CHECK(take("a b").note == "");
    CHECK(take("a-b").word == "a-b.2");
    CHECK(take("a/b").word == "a-b.3");
    CHECK(take("a-b").word == "a-b.2");
    CHECK(take("run").word == "phase-run");
    CHECK(take("program").word == "phase-program");
    CHECK(take("phase-run").word == "phase-run.2");
    const std::string long_one(80, 'x');
    CHECK(take(long_one + "1").word == std::string(60, 'x'));
    CHECK(take(long_one + "2").word == std::string(60, 'x') + ".2");
    record::PhaseWords others;
    CHECK(others.word_of("run").note ==
          "phase called 'run': written as 'phase-run', since measured.csv has a row 'run' of its own");
    CHECK(others.word_of("a b").note == "");
    CHECK(others.word_of("a\nb").note == "phase called 'a?b': written as 'a-b.2', since 'a-b' is 'a b'");
  }
}
