#include "sim/config/pattern_file.hpp"

#include <doctest/doctest.h>

#include "sim/core/error.hpp"

using namespace orrery;
using config::parse_pattern;

namespace {

std::string refusal(const std::string& text) {
  try {
    parse_pattern(text, "p.txt");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_SUITE("config/pattern file") {
  TEST_CASE("Stage matrices read as a thesis prints them are the linear barrier") {
    CHECK(parse_pattern("# figure 5.2\n0 0 0\n1 0 0  # rank 1\n1 0 0\n\n\n0 1 1\n0 0 0\n0 0 0\n", "p") ==
          linear_pattern(3));
  }
  TEST_CASE("A pattern written as signals is the same when read back") {
    for (const auto& pattern : {linear_pattern(5), tree_pattern(13, 3), dissemination_pattern(9), StagePattern{1, {}},
                                StagePattern{4, {PatternStage(), PatternStage({{0, 3}, {2, 3}})}}})
      CHECK(parse_pattern(config::pattern_text(pattern, "a comment\nof two lines"), "p") == pattern);
    CHECK(config::pattern_text(linear_pattern(3), "three") == "# three\nranks 3\nstage\n1: 0\n2: 0\nstage\n0: 1 2\n");
  }
  TEST_CASE("Patterns of the wrong shape are refused with their line") {
    CHECK(refusal("") == "p.txt:1: no stage (a matrix of 0 and 1, or 'ranks N'). Write 'ranks 4'?");
    CHECK(refusal("0 1\n1 0 0\n") == "p.txt:2: row 1 of stage 0 has 3 numbers (the first row has 2). Complete it?");
    CHECK(refusal("0 1\n\n0 0\n0 0\n") == "p.txt:2: stage 0 has 1 rows (as many as columns: 2). Complete it?");
    CHECK(refusal("0 1\n1 0\n0 0\n") ==
          "p.txt:3: stage 0 has more than 2 rows (as many as columns). Put an empty line between stages?");
    CHECK(refusal("0 1\n1 0\n\n0 1 0\n") ==
          "p.txt:4: row 0 of stage 1 has 3 numbers (the first row has 2). Complete it?");
    CHECK(refusal("0 2\n") == "p.txt:1: S(i, j) is '2' (a whole number, 0..1). Correct it?");
    CHECK(refusal("1 0\n") == "p.txt:1: rank 0 signals itself (S(0, 0) is 0). Remove it?");
    CHECK(refusal("ranks 0\n") == "p.txt:1: 'ranks' is '0' (a whole number, 1..16777216). Correct it?");
    CHECK(refusal("ranks\n") == "p.txt:1: 'ranks' has 0 numbers (one). Write 'ranks 4'?");
    CHECK(refusal("ranks 4\nranks 5\n") ==
          "p.txt:2: 'ranks' comes after the first stage (once, at the top). Remove it?");
    CHECK(refusal("ranks 4\n0: 1\n") == "p.txt:2: a signal before the first 'stage'. Write 'stage' above it?");
    CHECK(refusal("ranks 4\nstage 1\n") ==
          "p.txt:2: '1' follows 'stage' (signals have lines of their own). Remove it?");
    CHECK(refusal("ranks 4\nstage\n0: 4\n") == "p.txt:3: a rank is '4' (a whole number, 0..3). Correct it?");
    CHECK(refusal("ranks 4\nstage\n0 1\n") ==
          "p.txt:3: '0' is no line of a pattern ('stage', or a rank and whom it signals). Write '0: 1 2'?");
  }
}
