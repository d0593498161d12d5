#include "sim/engine/timeline_bins.hpp"

#include <doctest/doctest.h>

#include "tests/support/relative.hpp"

using namespace orrery;
using engine::TimelineBins;
using test::Absolute;
using test::near;

TEST_SUITE("engine/timeline bins") {
  TEST_CASE("A row in bins has the activities of its rank to the width of a bin over the whole run") {
    TimelineBins bins(2);
    bins.add(0, Activity::compute, 0.0, 1.0, 7);
    bins.add(1, Activity::wait, 0.0, 3.0, 7);
    bins.add(0, Activity::wait, 1.0, 2.0, 7);
    bins.add(0, Activity::compute, 2.5, 3.0, 8);
    const auto rows = bins.timelines(3.0, 1000);
    CHECK(bins.width() <= 3.0 / 1024.0);
    const Absolute bin{bins.width()};
    REQUIRE(rows.size() == 2);
    REQUIRE(rows[0].size() == 3);
    CHECK(rows[0][0].activity == Activity::compute);
    CHECK(rows[0][0].begin == Seconds{});
    CHECK(rows[0][0].end.si() == near(1.0, bin));
    CHECK(rows[0][0].phase == 7);
    CHECK(rows[0][1].activity == Activity::wait);
    CHECK(rows[0][1].end.si() == near(2.0, bin));
    CHECK(rows[0][2].begin.si() == near(2.5, bin));  // nothing between: idle
    CHECK(rows[0][2].end == Seconds{3.0});
    CHECK(rows[0][2].phase == 8);
    REQUIRE(rows[1].size() == 1);
    CHECK(rows[1][0].activity == Activity::wait);
    CHECK(rows[1][0].end == Seconds{3.0});
  }

  TEST_CASE("Bins become wider until their rows have no more intervals than asked for and show what most of them was") {
    TimelineBins bins(1);
    for (int i = 0; i < 512; ++i) {
      bins.add(0, Activity::compute, i, i + 0.625, 0);
      bins.add(0, Activity::wait, i + 0.625, i + 1.0, 0);
    }
    const auto rows = bins.timelines(512.0, 20);
    REQUIRE(rows[0].size() <= 20);
    for (const Interval& interval : rows[0]) CHECK(interval.activity == Activity::compute);
    CHECK(rows[0].front().begin == Seconds{});
    CHECK(rows[0].back().end == Seconds{512.0});
  }
}
