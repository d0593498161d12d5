#include "sim/study/play/trace_range.hpp"

#include <doctest/doctest.h>

#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using app::trace_range;
using test::near;

TEST_SUITE("app/trace_range") {
  TEST_CASE("A range of ranks and a span of time reach the options of a run") {
    ReplayOptions options;
    CHECK_FALSE(options.full_trace());
    trace_range("", "").apply(options);
    CHECK_FALSE(options.full_trace());
    trace_range("3-17", "10ms-1.2e-2s").apply(options);
    CHECK(options.full_trace());
    CHECK(options.trace_ranks == std::pair{Rank{3}, Rank{17}});
    CHECK(options.trace_from_s == near(0.010));
    CHECK(options.trace_until_s == near(0.012));
    CHECK(trace_range("5", "").ranks == std::pair{Rank{5}, Rank{5}});
    CHECK(trace_range("", "1e-3s-2e-3s").until == Seconds{2e-3});
  }
  TEST_CASE("A trace range that cannot be meant is refused with what is wrong") {
    CHECK_THROWS_WITH_AS(trace_range("a-b", ""),
                         "--trace-ranks: 'a-b' names no ranks (FIRST-LAST, or one rank). Write '--trace-ranks 0-15'?",
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
    CHECK_THROWS_WITH_AS(trace_range("60-70", "").require_ranks(64),
                         "--trace-ranks: '60-70' ends beyond the last rank (ranks 0 to 63). Write '60-63'?",
                         InputError);
    trace_range("60-63", "").require_ranks(64);
  }
}
