#include <doctest/doctest.h>

#include "sim/show/result/json.hpp"
#include "sim/show/tables/part_tables.hpp"
#include "sim/show/tables/text_grid.hpp"
#include "tests/unit/show/sample_result.hpp"

using namespace orrery;
using show::phases_table;
using show::unlimited_width;

TEST_SUITE("report/phases_table") {
  TEST_CASE("Each measured phase stands beside the simulated one and one that was not simulated beside nothing") {
    ScenarioResult result;
    result.points.emplace_back();
    PointResult& point = result.points.front();
    point.settings = {{"kernel", "fft"}};
    point.simulated = Seconds(0.002);
    point.run.makespan = Seconds(0.009);
    point.run.phases = {{.phase = "communication", .iteration = 0, .time = Seconds(0.002)},
                        {.phase = "computation", .iteration = 0, .time = Seconds(0.003)},
                        {.phase = "computation", .iteration = 1, .time = Seconds(0.004)}};
    CHECK(phases_table(result, unlimited_width, false).empty());
    point.measured_times = {{"communication", Seconds(0.0025)},
                            {"computation", Seconds(0.007)},
                            {"output", Seconds(0.001)},
                            {"", Seconds(0.0075)}};
    const std::string table = phases_table(result, unlimited_width, false);
    const auto line_of = [&](const std::string& word) {
      const auto begin = table.rfind('\n', table.find(word)) + 1;
      return table.substr(begin, table.find('\n', begin) - begin);
    };
    CHECK(line_of("phase 'communication'").ends_with("-20.0%"));
    CHECK(line_of("phase 'computation'").ends_with("+0.0%"));
    CHECK(line_of("phase 'output'").find(" - ") != std::string::npos);
    CHECK(line_of("whole run").ends_with("+20.0%"));
  }

  TEST_CASE("Measured phases survive being written as JSON and read again") {
    auto result = show::sample::small_result();
    result.points[0].measured_times = {{"communication", Seconds(0.25)}, {"", Seconds(0.5)}};
    const auto read = show::from_json(show::to_json(result), "test");
    REQUIRE(read.points[0].measured_times.size() == 2);
    CHECK(read.points[0].measured_times[0].phase == "communication");
    CHECK(read.points[0].measured_times[1].time == Seconds(0.5));
    CHECK(read.points[1].measured_times.empty());
  }
}
