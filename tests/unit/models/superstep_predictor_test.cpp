#include "models/superstep_predictor.hpp"

#include <doctest/doctest.h>

#include "tests/support/relative.hpp"
#include "tests/unit/models/phases.hpp"

using namespace orrery;
using namespace orrery::literals;
using test::near;

namespace {

/// Figure 8.17 with each region counted: iteration i of b updates (w + 2 (b - i)) (h + 2 (b - i)) points, the last one
/// its border before and its inside while messages travel.
PhaseTime counted_superstep(const BorderCase& given) {
  double points = 0.0;
  for (std::uint32_t i = 1; i <= given.border; ++i) {
    const double more = 2.0 * (given.border - i);
    points += (given.width + more) * (given.height + more);
  }
  const double both = 2.0 * given.border;
  const Seconds inside(std::max(0.0, given.width - both) * std::max(0.0, given.height - both) / given.rate);
  return {.communication = given.communication,
          .computation = Seconds(points / given.rate),
          .overlap = std::min(inside, given.communication)};
}

LinkCosts links(double latency_to_last = 1.0) {
  return {[=](Rank, Rank j) { return Seconds(j == Rank{3} ? latency_to_last : 1.0); },
          [](Rank, Rank) { return SecondsPerByte(2.0); }};
}

/// O of 5 from rank 1, of 1 from the others.
Seconds overhead(Rank i, Rank) { return Seconds(i == Rank{1} ? 5.0 : 1.0); }

/// The constants that section 8.6 prints: 12 x 12 domains of 2048 x 2048 points.
BorderCase printed(double side, std::uint32_t border) {
  return {.width = side, .height = side, .border = border, .rate = 24931455.0, .communication = Seconds(2.08e-4)};
}
constexpr double printed_barrier = 1.02e-2;

double of_iteration(const PhaseTime& superstep, std::uint32_t border) {
  return (superstep.total().si() + printed_barrier) / border;
}

template <class F>
std::uint32_t best_border(double side, const F& superstep) {
  std::uint32_t best = 1;
  for (std::uint32_t b = 1; b <= 80; ++b)
    if (of_iteration(superstep(printed(side, b)), b) < of_iteration(superstep(printed(side, best)), best)) best = b;
  return best;
}

}  // namespace

TEST_SUITE("models/superstep predictor") {
  TEST_CASE("Figure 8.9 takes the dearest destination where equation 3.15 adds them") {
    const auto phase = test::phase_of({{0, 1, 8}, {0, 2, 32}}, 4);
    CHECK(parameter_8_9_communication(phase, links(), overhead) == Seconds(2 * 1.0 + 16 + 32 + 1));
  }
  TEST_CASE("Figure 8.9 counts latency and header to ranks that get no message") {
    const auto phase = test::phase_of({{0, 1, 8}}, 4);
    CHECK(parameter_8_9_communication(phase, links(100.0), overhead) == Seconds(2 * 100.0 + 16 + 1));
  }
  TEST_CASE("Figure 8.9 carries the greatest overhead on to all ranks that follow") {
    const auto phase = test::phase_of({{0, 2, 8}, {1, 2, 8}, {2, 0, 80}}, 3);
    CHECK(parameter_8_9_communication(phase, links(), overhead) == Seconds(2.0 + 16 + 80 + 5));  // O of rank 2 is 1
  }
  TEST_CASE("Figure 8.17 by hand for a border of three") {
    const PhaseTime time =
        parameter_8_17_superstep({.width = 10, .height = 10, .border = 3, .rate = 1.0, .communication = Seconds(20.0)});
    CHECK(time.computation == Seconds((100.0 + 121) + 3 * 100));
    CHECK(time.communication == 60_s);
    CHECK(time.overlap == Seconds(3 * 20.0));  // mask 0.49: 49 points an iteration
  }
  TEST_CASE("Every region counted by hand for a border of three") {
    const PhaseTime time =
        counted_superstep({.width = 10, .height = 10, .border = 3, .rate = 1.0, .communication = Seconds(20.0)});
    CHECK(time.computation == Seconds(14.0 * 14 + 12 * 12 + 100));
    CHECK(time.overlap == 16_s);
  }
  TEST_CASE("Section 8.6: the printed formula has its minimum at 34 and at 31 for domains of 205 points") {
    CHECK(best_border(2048.0 / 12.0, parameter_8_17_superstep) == 34);
    CHECK(best_border(205.0, parameter_8_17_superstep) == 31);
  }
  TEST_CASE("Section 8.6: counted regions have their minimum at 25 and a border of 31 costs one per cent more") {
    const double side = 2048.0 / 12.0;
    CHECK(best_border(side, counted_superstep) == 25);
    const double best = of_iteration(counted_superstep(printed(side, 25)), 25);
    CHECK(best == near(1.9363e-3, 1e-4));
    CHECK(of_iteration(counted_superstep(printed(side, 31)), 31) / best == near(1.0107, 1e-4));
  }
}
