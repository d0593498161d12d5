#include <doctest/doctest.h>
#include <fmt/format.h>

#include "models/stats/repeated.hpp"
#include "sample_result.hpp"
#include "sim/show/page/html.hpp"
#include "sim/show/result/json.hpp"
#include "sim/show/tables/csv.hpp"
#include "sim/show/tables/part_tables.hpp"
#include "sim/show/tables/text_grid.hpp"
#include "sim/show/tables/text_table.hpp"

namespace orrery::show {

namespace {

ScenarioResult repeated_result() {
  auto result = sample::small_result();
  auto& point = result.points[1];
  point.repeats =
      Repeats{.seeds = {1, 2, 3},
              .shown = 3,
              .times = {stats::repeated_time("", {Seconds(22e-3), Seconds(18e-3), Seconds(20e-3)}),
                        stats::repeated_time("communication", {Seconds(8.8e-3), Seconds(7.2e-3), Seconds(8e-3)})}};
  return result;
}

}  // namespace

TEST_SUITE("report/repeats_table") {
  TEST_CASE("Repetitions stand in a table of their own") {
    CHECK(
        repeats_table(repeated_result(), unlimited_width, false) ==
        R"(Repetitions with other seeds: medians, and between which times nine runs of ten lie; all else is of the run of median makespan
                                                  median       5 .. 95 %
point                time of                runs      ms              ms
────────────────────────────────────────────────────────────────────────
ranks 4, infiniband  whole run                 3   20.00  18.00 .. 22.00
                     phase 'communication'     3    8.00    7.20 .. 8.80
)");
    CHECK(repeats_table(sample::small_result(), unlimited_width, false).empty());
  }

  TEST_CASE("Repetitions survive being written as JSON and read again") {
    const auto read = from_json(to_json(repeated_result()), "test");
    REQUIRE(read.points[1].repeats);
    CHECK(read.points[1].repeats->seeds == std::vector<std::int64_t>{1, 2, 3});
    CHECK(read.points[1].repeats->of_phase("")->median == Seconds(20e-3));
    CHECK(read.points[1].repeats->of_phase("communication")->times.size() == 3);
    CHECK(read.points[1].repeats->shown == 3);
    CHECK_FALSE(read.points[0].repeats);
  }

  TEST_CASE("The CSV has columns of repetitions only where a point was repeated") {
    const auto result = repeated_result();
    const auto csv = to_csv(result);
    CHECK(csv.find(",runs,simulated_median_s,simulated_p5_s,simulated_p95_s,simulated_median_least_s,") !=
          std::string::npos);
    CHECK(csv.find("simulated_median_most_s,makespan_median_s,makespan_p5_s,makespan_p95_s") != std::string::npos);
    CHECK(csv.find(",3,0.008,0.0072,0.0088") != std::string::npos);
    const RunResult& once = result.points[0].run;  // its own time in place of the median
    CHECK(csv.find(fmt::format(",1,{0},{0},{0},,,{1},{1},{1},,\r\n", once.phase_time("communication").si(),
                               once.makespan.si())) != std::string::npos);
    CHECK(to_csv(sample::small_result()).find("_p5_s") == std::string::npos);
  }

  TEST_CASE("The table of points has the 5 % and 95 % quantiles beside the median") {
    const auto table = to_text_table(repeated_result(), {});
    CHECK(table.find("ms (5 .. 95 %)") != std::string::npos);
    CHECK(table.find("8.000 (7.200 .. 8.800)") != std::string::npos);
    CHECK(to_text_table(sample::small_result(), {}).find("95 %") == std::string::npos);
  }

  TEST_CASE("The report holds the repetitions of a point") {
    const auto html = to_html(repeated_result());
    CHECK(html.find(R"(["whole run",3,0.02,[0.018)") != std::string::npos);
    CHECK(html.find(R"("shown_seed":3)") != std::string::npos);
  }
}

}  // namespace orrery::show
