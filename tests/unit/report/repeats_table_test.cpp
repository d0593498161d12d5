#include "sim/report/repeats_table.hpp"

#include <doctest/doctest.h>

#include "sample_result.hpp"
#include "sim/report/csv.hpp"
#include "sim/report/html.hpp"
#include "sim/report/json.hpp"
#include "sim/report/text_grid.hpp"

namespace orrery::report {

namespace {

ScenarioResult repeated_result() {
  auto result = sample::small_result();
  auto& point = result.points[1];
  const auto time = [](const char* phase, double scale) {
    return RepeatedTime{.phase = phase,
                        .times = {Seconds(0.9 * scale), Seconds(1.1 * scale)},
                        .mean = Seconds(scale),
                        .median = Seconds(scale),
                        .mean_within = {Seconds(0.5 * scale), Seconds(1.5 * scale)},
                        .median_within = {}};
  };
  point.repeats = Repeats{.seeds = {1, 2}, .times = {time("", 20e-3), time("communication", 8e-3)}};
  return result;
}

}  // namespace

TEST_SUITE("report/repeats_table") {
  TEST_CASE("Repetitions stand in a table of their own") {
    CHECK(repeats_table(repeated_result(), unlimited_width, false) ==
          R"(Repetitions with other seeds, with 95 % confidence intervals
                                                                   mean       median       5 .. 95 %   least .. most
point                time of                runs     ms            95 %     ms  95 %              ms              ms
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
ranks 4, infiniband  whole run                 2  20.00  10.00 .. 30.00  20.00     -  18.20 .. 21.80  18.00 .. 22.00
                     phase 'communication'     2   8.00   4.00 .. 12.00   8.00     -    7.28 .. 8.72    7.20 .. 8.80
)");
    CHECK(repeats_table(sample::small_result(), unlimited_width, false).empty());
  }

  TEST_CASE("Repetitions survive being written as JSON and read again") {
    const auto read = from_json(to_json(repeated_result()), "test");
    REQUIRE(read.points[1].repeats);
    CHECK(read.points[1].repeats->seeds == std::vector<std::int64_t>{1, 2});
    CHECK(read.points[1].repeats->of_phase("")->mean == Seconds(20e-3));
    CHECK(read.points[1].repeats->of_phase("communication")->times.size() == 2);
    CHECK_FALSE(read.points[0].repeats);
  }

  TEST_CASE("The CSV has columns of repetitions only where a point was repeated") {
    const auto csv = to_csv(repeated_result());
    CHECK(csv.find(",runs,simulated_mean_s,simulated_mean_least_s,") != std::string::npos);
    CHECK(csv.find("simulated_median_most_s,simulated_p5_s,simulated_p95_s,makespan_mean_s") != std::string::npos);
    CHECK(csv.find(",2,0.008,0.004,0.012,0.008,,,0.00728") != std::string::npos);
    CHECK(csv.find(",0.02,0.01,0.03,0.02,,,0.0182,0.021") != std::string::npos);
    CHECK(csv.find(",1,,,,,,,,,,,,,,,,\r\n") != std::string::npos);
    CHECK(to_csv(sample::small_result()).find("mean_least") == std::string::npos);
  }

  TEST_CASE("The report holds the repetitions of a point") {
    CHECK(to_html(repeated_result()).find(R"(["whole run",2,0.02,[0.01,0.03],0.02,null])") != std::string::npos);
  }
}

}  // namespace orrery::report
