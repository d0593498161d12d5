#include "sim/study/play/detail.hpp"

#include <doctest/doctest.h>

using namespace orrery;

TEST_SUITE("app/detail") {
  TEST_CASE("Time lines of a point take at most twenty thousand intervals and fewer in a long sweep") {
    CHECK(study::intervals_per_rank(4, 1) == 400);
    CHECK(study::intervals_per_rank(50, 8) == 400);
    CHECK(study::intervals_per_rank(1024, 8) == 78);  // of the 256 ranks that are traced
    CHECK(study::intervals_per_rank(16, 32) == 312);
    CHECK(study::intervals_per_rank(47, 128) == 26);
    CHECK(study::intervals_per_rank(4, 100'000) == 0);
  }
  TEST_CASE("Of many points their times stay and what a report would draw of each goes") {
    PointResult point;
    point.simulated = Seconds(2.0);
    for (std::uint32_t i = 0; i < 4; ++i)
      point.run.phases.push_back({.phase = "communication", .iteration = i, .time = Seconds(0.5)});
    point.run.resources.resize(3);
    point.layout.placements.resize(8);
    point.traffic.resize(8);
    point.predictions = {{.model = "taulop", .time = Seconds(1.5), .terms = {{"a term", Seconds(1.5)}}}};
    study::keep_times(point);
    CHECK(point.simulated == Seconds(2.0));
    CHECK(point.run.phases.size() == 1);
    CHECK(point.run.phase_time("communication") == Seconds(2.0));
    CHECK(point.predictions[0].time == Seconds(1.5));
    CHECK(point.layout.ranks() == 8);
    CHECK(point.run.resources.empty());
    CHECK(point.traffic.empty());
    CHECK_FALSE(study::many_points(200));
    CHECK(study::many_points(201));
  }
  TEST_CASE("The loads over time of the busiest resources stay and totals of all") {
    RunResult run;
    for (std::size_t i = 0; i < 100; ++i)
      run.resources.push_back({.name = "",
                               .kind = i < 6 ? ResourceKind::memory : ResourceKind::link,
                               .capacity = BytesPerSecond(1e9),
                               .bytes = Bytes(static_cast<double>(i)),
                               .busy = Seconds(1.0),
                               .load = {0.5, 0.25}});
    study::keep_busiest_loads(run);
    CHECK(run.resources.size() == 100);
    std::size_t kept = 0;
    for (const auto& resource : run.resources) kept += !resource.load.empty();
    CHECK(kept == 48);                      // four of each kind and forty
    CHECK(!run.resources[5].load.empty());  // the fourth busiest memories
    CHECK(!run.resources[2].load.empty());
    CHECK(run.resources[1].load.empty());
    CHECK(!run.resources[99].load.empty());
    CHECK(run.resources[55].load.empty());
    CHECK(run.resources[55].bytes == Bytes(55.0));
  }
}
