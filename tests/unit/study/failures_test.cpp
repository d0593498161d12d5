// `failures` of a scenario: metrics of a point that is one of many steps.
#include "models/stats/failures.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "sim/core/error.hpp"
#include "sim/study/play/run_scenario.hpp"
#include "sim/study/read/scenario.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;

namespace {

constexpr double h = 3600.0;

/// 40 nodes with an adapter of 25 GB/s each, one step.
PointResult point_of(const std::string& failures) {
  const Scenario scenario = parse_scenario(
      config::parse_yaml("source: test\nengine: flow\nplatform: " + std::string(ORRERY_SOURCE_DIR) +
                             "/platforms/ampere40.yaml\nnetwork: infiniband\nlayout: {ranks: 40, per-node: 1}\n"
                             "kernel: {name: collective, operation: alltoall, message: 1MiB}\nfailures: " +
                             failures + "\n",
                         "s.yaml"),
      "s.yaml", {});
  return study::run_scenario(scenario, {.jobs = 1, .progress = false}).result.points.front();
}

double metric(const PointResult& point, const std::string& name) {
  const auto found = std::ranges::find(point.metrics, name, &Metric::name);
  return found == point.metrics.end() ? std::nan("") : found->value;
}

}  // namespace

TEST_SUITE("scenario/failures") {
  TEST_CASE("Nodes that never fail add checkpoints alone and storage or adapters bound these") {
    const PointResult point =
        point_of("{mtbf: 2e8h, draws: 20, steps: 1e9, checkpoint: 36TB, storage: 10GB/s, interval: 100h}");
    const double work = 1e9 * point.run.makespan.si() / h, checkpoints = std::ceil(work / 100.0) - 1.0;
    REQUIRE(checkpoints > 1.0);
    CHECK(metric(point, "time to solution") == near(work + checkpoints));  // each takes an hour
    CHECK(metric(point, "95 % of them") == near(work + checkpoints));
    CHECK(metric(point, "failures") == 0.0);
    CHECK(metric(point, "Young's interval") > 0.0);
    // 40 x 25 GB/s: 36 s.
    const PointResult wide =
        point_of("{mtbf: 2e8h, draws: 20, steps: 1e9, checkpoint: 36TB, storage: 100TB/s, interval: 100h}");
    CHECK(metric(wide, "time to solution") == near(work + checkpoints / 100.0));
  }

  TEST_CASE("Young and Daly are beside the optimum and cost little more") {
    const PointResult point = point_of("{mtbf: 2000h, steps: 1e9, checkpoint: 6TB, storage: 10GB/s, restart: 10min}");
    CHECK(metric(point, "Young's interval") == near(std::sqrt(2 * 600.0 * 50 * h) / h));  // 50 h between failures
    CHECK(metric(point, "longer with Young's") >= 0.0);
    CHECK(metric(point, "longer with Young's") < 1.0);
    CHECK(metric(point, "longer with Daly's") < 1.0);
    CHECK(metric(point, "interval") == near(metric(point, "Young's interval"), 0.5));
    CHECK(metric(point, "5 % of them") < metric(point, "time to solution"));
    CHECK(metric(point, "95 % of them") > metric(point, "time to solution"));
    CHECK(metric(point, "time at work") < 100.0);
    const PointResult again = point_of("{mtbf: 2000h, steps: 1e9, checkpoint: 6TB, storage: 10GB/s, restart: 10min}");
    CHECK(metric(again, "time to solution") == metric(point, "time to solution"));
    const PointResult other =
        point_of("{mtbf: 2000h, steps: 1e9, checkpoint: 6TB, storage: 10GB/s, restart: 10min, seed: 2}");
    CHECK(metric(other, "time to solution") != metric(point, "time to solution"));
    CHECK(other.id != point.id);
  }

  TEST_CASE("A job whose nodes fail before a checkpoint is written is at work for none of the time") {
    const PointResult point = point_of("{mtbf: 1h, steps: 1e9, checkpoint: 60TB, storage: 10GB/s, draws: 20}");
    CHECK(metric(point, "time at work") == 0.0);
    CHECK(std::isnan(metric(point, "time to solution")));
  }
}
