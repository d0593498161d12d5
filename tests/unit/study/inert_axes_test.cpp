// An axis of a sweep that changes nothing is said.
#include "sim/study/play/inert_axes.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace orrery::study {

namespace {

PointResult played(Settings settings, double makespan) {
  PointResult point;
  point.settings = std::move(settings);
  point.run.engine = "flow";
  point.run.makespan = Seconds(makespan);
  return point;
}

using Sentences = std::vector<std::string>;

}  // namespace

TEST_SUITE("app/inert axes") {
  TEST_CASE("An axis along which all times are the same to the last bit is said with its values") {
    std::vector<PointResult> points;
    for (const char* network : {"infiniband", "ethernet"})
      for (const char* ranks : {"4", "8"})
        points.push_back(played({{"network", network}, {"layout.ranks", ranks}}, ranks[0] == '4' ? 1.0 : 2.0));
    const Sentences said{
        "'network' changes nothing: points that differ in it alone (infiniband, ethernet) have the same times to the "
        "last bit"};
    CHECK(inert_axes(points) == said);
    points[1].failure = "deadlock";  // nothing is known of it
    CHECK(inert_axes(points) == said);
    points[1].failure = {};
    points[3].run.makespan = Seconds(2.0 + 4e-16);
    REQUIRE(points[3].run.makespan != Seconds(2.0));
    CHECK(inert_axes(points).empty());
  }

  TEST_CASE("What a model predicts or a kernel prints of a run is part of its times") {
    const auto two = [](double predicted, double metric) {
      std::vector<PointResult> points{played({{"k", "1"}}, 1.0), played({{"k", "2"}}, 1.0)};
      points[0].predictions = {{.model = "hockney", .mode = "", .time = Seconds(1.0)}};
      points[1].predictions = {{.model = "hockney", .mode = "", .time = Seconds(predicted)}};
      points[0].metrics = {{"energy", 5.0, "J"}};
      points[1].metrics = {{"energy", metric, "J"}};
      return inert_axes(points).size();
    };
    CHECK(two(1.0, 5.0) == 1);
    CHECK(two(2.0, 5.0) == 0);
    CHECK(two(1.0, 6.0) == 0);
  }

  TEST_CASE("Axes that change together are one and an axis of one value is none") {
    std::vector<PointResult> points;
    for (const char* both : {"1", "2", "3", "4", "5", "6"})
      points.push_back(played({{"kernel.p", both}, {"kernel.q", both}, {"seed", "7"}}, 1.0));
    CHECK(inert_axes(points) ==
          Sentences{"'kernel.p' with 'kernel.q' changes nothing: points that differ in it alone (1, 2, 3, 4, and 2 "
                    "more) have the same times to the last bit"});
    CHECK(inert_axes({points[0]}).empty());
    CHECK(inert_axes({}).empty());
  }
}

}  // namespace orrery::study
