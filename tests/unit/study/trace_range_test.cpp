#include "sim/study/play/trace_range.hpp"

#include <doctest/doctest.h>

#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using study::trace_range;
using test::near;

TEST_SUITE("app/trace_range") {
  TEST_CASE("A range of ranks and a span of time reach the options of a run") {
    ReplayOptions options;
    CHECK_FALSE(options.full_trace());
    trace_range("", "").apply(options, 64, 0);
    CHECK_FALSE(options.full_trace());
    trace_range("3-5", "10ms-1.2e-2s").apply(options, 64, 0);
    CHECK(options.full_trace());
    CHECK(options.trace_ranks == std::vector{Rank{3}, Rank{4}, Rank{5}});
    CHECK(options.trace_from_s == near(0.010));
    CHECK(options.trace_until_s == near(0.012));
    CHECK(trace_range("", "1e-3s-2e-3s").until == Seconds{2e-3});
  }
  TEST_CASE("Ranks to trace are listed or so far apart or the first of each stage") {
    const auto ranks = [](const std::string& text, std::uint32_t stages = 0) {
      ReplayOptions options;
      trace_range(text, "").apply(options, 64, stages);
      return options.trace_ranks;
    };
    CHECK(ranks("5") == std::vector{Rank{5}});
    CHECK(ranks("40,0,3-4,4") == std::vector{Rank{0}, Rank{3}, Rank{4}, Rank{40}});
    CHECK(ranks("0-63/32,1") == std::vector{Rank{0}, Rank{1}, Rank{32}});
    CHECK(ranks("stages", 4) == std::vector{Rank{0}, Rank{16}, Rank{32}, Rank{48}});
  }
  TEST_CASE("A trace range that cannot be meant is refused with what is wrong") {
    CHECK_THROWS_WITH_AS(trace_range("a-b", ""),
                         "--trace-ranks: 'a-b' names no ranks (a list of RANK, FIRST-LAST or FIRST-LAST/STEP, or "
                         "'stages'). Write '--trace-ranks 0-15'?",
                         InputError);
    CHECK_THROWS_WITH_AS(trace_range("7-3", ""),
                         "--trace-ranks: '7-3' ends before it begins (FIRST-LAST). Write '3-7'?", InputError);
    CHECK_THROWS_WITH_AS(trace_range("", "10ms"),
                         "--trace-time: '10ms' is not a span of time (FROM-UNTIL). Write '--trace-time 0s-10ms'?",
                         InputError);
    CHECK_THROWS_WITH_AS(trace_range("", "2s-1s"),
                         "--trace-time: '2s-1s' ends before it begins (FROM-UNTIL). Write '1s-2s'?", InputError);
    CHECK_THROWS_WITH_AS(trace_range("", "0-1s"),
                         "--trace-time: '0' of '0-1s' is without a unit (ns, us, ms, s, min, h). Write '0us'?",
                         InputError);
    for (const char* text : {"0,", "0-8/0", "0-8/", "3 4", "0-8/2/2"})
      CHECK_THROWS_AS(trace_range(text, ""), InputError);
    ReplayOptions options;
    CHECK_THROWS_WITH_AS(trace_range("60-70", "").apply(options, 64, 0),
                         "--trace-ranks: '60-70' ends beyond the last rank (ranks 0 to 63). Write '60-63'?",
                         InputError);
    CHECK_THROWS_WITH_AS(trace_range("stages", "").apply(options, 64, 0),
                         "--trace-ranks: 'stages' asks for one rank of each pipeline stage, and the program has none "
                         "(kernels with a parameter 'pipeline'). Write '--trace-ranks 0-63/4'?",
                         InputError);
    trace_range("60-63", "").apply(options, 64, 0);
  }
}
