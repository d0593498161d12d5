#include "sim/study/read/partition_problem.hpp"

#include <doctest/doctest.h>

#include "models/compute/catalogue.hpp"
#include "tests/support/relative.hpp"
#include "tests/unit/models/calibration_platform.hpp"

using namespace orrery;
using test::near;

namespace {

/// A rank is half as fast on steps of more than 1,000 flops.
class TwoSpeeds final : public ComputeModel {
 public:
  std::string description() const override { return "two speeds"; }
  Seconds compute_time(const Compute& compute, Rank rank) const override {
    const double speed = (compute.flops.si() <= 1000.0 ? 2e6 : 1e6) * (1.0 + static_cast<double>(index(rank)));
    return Seconds(compute.flops.si() / speed);
  }
};

LoadedPoint wave2d_point() {
  LoadedPoint point;
  point.layout = test::six_ranks();
  point.kernel = "wave2d";
  const auto& kernel = kernels().at("wave2d", "test");
  point.parameters = Parameters(kernel.parameters);
  point.parameters.set("points", "24", "test");
  point.compute = std::make_unique<TwoSpeeds>();
  return point;
}

const PointSpec spec{.kernel = {"wave2d", "test", {}}};

}  // namespace

TEST_SUITE("scenario/partition problem") {
  TEST_CASE("The speed of a rank on a share is that of the kernel's step of so many points") {
    LoadedPoint point = wave2d_point();
    const TimeOfPoint nobody;
    const auto problem = partition_problem(point, spec, nobody);
    CHECK(problem.grid.columns == 24);
    CHECK(problem.speed_of(Rank{0}, {10, 10}) == near(2e6 / 10.0));  // 10 flops a point
    CHECK(problem.speed_of(Rank{0}, {10, 11}) == near(1e6 / 10.0));
    CHECK(problem.speed_of(Rank{2}, {2.5, 4}) == near(6e6 / 10.0));  // between points
    CHECK(problem.time(Rank{2}, {10, 11}) == near(1100.0 / 3e6));
    CHECK_FALSE(problem.time_of);
  }

  TEST_CASE("Speeds without a size stay those of the kernel's typical work") {
    LoadedPoint point = wave2d_point();
    const TimeOfPoint nobody;
    const auto problem = partition_problem(point, spec, nobody);
    CHECK(problem.speeds == process_speeds(*point.compute, point.layout, typical_work(Work::stencil)));
  }

  TEST_CASE("Speeds that a scenario states hold at any size") {
    LoadedPoint point = wave2d_point();
    PointSpec stated = spec;
    stated.partition = PartitionSpec{"rows", "", "test", {1, 2, 3, 4, 5, 6}};
    const TimeOfPoint nobody;
    const auto problem = partition_problem(point, stated, nobody);
    CHECK(problem.speed_of(Rank{3}, {1, 1}) == 4.0);
    CHECK(problem.speed_of(Rank{3}, {24, 24}) == 4.0);
  }

  TEST_CASE("A candidate is timed as the program that it makes") {
    LoadedPoint point = wave2d_point();
    const TimeOfPoint rows_of_first = [](const LoadedPoint& candidate, const PointSpec&, const std::string&) {
      REQUIRE(candidate.program != nullptr);
      CHECK(candidate.program->ranks() == 6);
      return Seconds(candidate.partition->rectangles[0].height);
    };
    const auto problem = partition_problem(point, spec, rows_of_first);
    Partition candidate{24, 24, {}};
    for (std::uint32_t r = 0; r < 6; ++r) candidate.rectangles.push_back({0, 4 * r, 24, 4});
    CHECK(problem.time_of(candidate) == Seconds(4));
  }

  TEST_CASE("Where a model times candidates they can be played on an engine too unless the scenario says no") {
    LoadedPoint point = wave2d_point();
    const TimeOfPoint named = [](const LoadedPoint&, const PointSpec&, const std::string& model) {
      return Seconds(model == "taulop" ? 1.0 : model.empty() ? 2.0 : 3.0);
    };
    PointSpec timed = spec;
    timed.partition = PartitionSpec{"taulop-columns", "", "test"};
    Partition candidate{24, 24, {}};
    for (std::uint32_t r = 0; r < 6; ++r) candidate.rectangles.push_back({0, 4 * r, 24, 4});
    const auto problem = partition_problem(point, timed, named);
    CHECK(problem.time_of(candidate) == Seconds(1));
    REQUIRE(problem.played);
    CHECK(problem.played(candidate) == Seconds(2));
    timed.partition->confirm = false;
    CHECK_FALSE(partition_problem(point, timed, named).played);
    timed.partition->confirm = true;
    timed.partition->algorithm = "cm3b";
    const auto on_engine = partition_problem(point, timed, named);
    CHECK(on_engine.time_of(candidate) == Seconds(2));
    CHECK_FALSE(on_engine.played);
  }
}
