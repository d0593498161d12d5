#include "sim/show/tables/csv.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "sample_result.hpp"

namespace orrery::show {

namespace {

/// RFC 4180 rows, so that the tests read the file as a spreadsheet would.
std::vector<std::vector<std::string>> rows_of(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"')
      rows.back().back() += text[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && c == ',')
      rows.back().emplace_back();
    else if (!quoted && c == '\n')
      rows.push_back({""});
    else if (quoted || c != '\r')
      rows.back().back() += c;
  }
  rows.pop_back();
  return rows;
}

}  // namespace

TEST_SUITE("report/csv") {
  TEST_CASE("Collectives have a CSV of their own with the bandwidths that nccl-tests would print") {
    ScenarioResult result;
    PointResult point;
    point.id = "p1";
    result.points = {point, point};
    CHECK(collectives_csv(result).empty());
    CollectiveRecord ring{Operation::allreduce, "gradients",    "lr",           4,  Bytes(1e6), 2,
                          Seconds(0.004),       Seconds(0.003), Seconds(0.001), 48, 6};
    result.points[1].run.collectives = {ring};
    const auto rows = rows_of(collectives_csv(result));
    REQUIRE(rows.size() == 2);
    REQUIRE(rows[0].size() == rows[1].size());
    CHECK(rows[0][5] == "calls");
    CHECK(rows[1] == std::vector<std::string>{"p1", "allreduce", "lr", "4", "1000000", "2", "48", "6", "0.002", "0.003",
                                              "500000000", "750000000", "gradients", "0.0005"});
  }

  TEST_CASE("A CSV of points has a column for each metric up to twelve and no ranks where no layout is known") {
    ScenarioResult result;
    result.points.resize(2);
    result.points[0].metrics = {{"stages", 4, ""}, {"cost", 2.5, ""}};
    result.points[1].metrics = {{"cost", 3.5, ""}};
    auto rows = rows_of(to_csv(result));
    REQUIRE(rows.size() == 3);
    const std::size_t last = rows[0].size() - 1;
    CHECK(rows[0][last - 1] == "stages");
    CHECK(rows[0][last] == "cost");
    CHECK(rows[1][last - 1] == "4");
    CHECK(rows[1][last] == "2.5");
    CHECK(rows[2][last - 1].empty());
    CHECK(rows[2][last] == "3.5");
    const auto ranks = std::ranges::find(rows[0], "ranks") - rows[0].begin();
    CHECK(rows[1][static_cast<std::size_t>(ranks)].empty());
    result.points[1].metrics = {{"energy", 7.0, "J"}, {"Tflop/s a GPU", 8.0, "Tflop/s"}, {"step", 9.0, "s"}};
    rows = rows_of(to_csv(result));
    CHECK(rows[0][last + 1] == "energy_J");  // where a point has it, though the first has not
    CHECK(rows[0][last + 2] == "Tflop/s a GPU");
    CHECK(rows[0][last + 3] == "step_s");
    CHECK(rows[2][last + 1] == "7");
    for (int k = 0; k < 11; ++k) result.points[0].metrics.push_back({"m" + std::to_string(k), 1, ""});
    CHECK(rows_of(to_csv(result))[0].back() == "failure");
  }

  TEST_CASE("A CSV field is quoted only when it must be and doubles its quotes") {
    CHECK(csv_field("plain text") == "plain text");
    CHECK(csv_field("=SUM(A1)") == "'=SUM(A1)");  // text for a spreadsheet, not a formula
    CHECK(csv_field("a,b") == "\"a,b\"");
    CHECK(csv_field("say \"go\"") == "\"say \"\"go\"\"\"");
    CHECK(csv_field("two\nlines") == "\"two\nlines\"");
  }

  TEST_CASE("The CSV table has one row per point and prediction and equally many fields in each") {
    auto result = sample::large_result(2, 1);
    result.points[3].predictions.clear();
    result.points[4].binding = "memory of \"node\" 3, busy\n93 %";
    const auto rows = rows_of(to_csv(result));
    CHECK(rows.size() == 1 + 15 * 5 + 1);
    for (const auto& row : rows) CHECK(row.size() == rows.front().size());
    CHECK(std::any_of(rows.begin(), rows.end(), [](const auto& row) {
      return std::find(row.begin(), row.end(), "memory of \"node\" 3, busy\n93 %") != row.end();
    }));
  }

  TEST_CASE("The CSV table gives errors against the simulated time and leaves absent times empty") {
    const auto rows = rows_of(to_csv(sample::small_result()));
    const auto field = [&](std::size_t row, const std::string& name) {
      const auto column = std::find(rows[0].begin(), rows[0].end(), name);
      REQUIRE(column != rows[0].end());
      return rows[row][static_cast<std::size_t>(column - rows[0].begin())];
    };
    CHECK(field(1, "model") == "taulop");
    CHECK(field(1, "simulated_s") == "0.004");
    CHECK(field(2, "predicted_s") == "0.0016");
    CHECK(field(2, "mu_to_simulated") == "2.5");
    CHECK(field(2, "measured_s").empty());
    CHECK(field(2, "mu_to_measured").empty());
  }

  TEST_CASE("The CSV table says what of a prediction is computation and holds a whole run against the makespan") {
    auto result = sample::small_result();
    auto& prediction = result.points[0].predictions[1];
    prediction.of_run = true;
    prediction.time = 2.0 * result.points[0].run.makespan;
    prediction.computation = Seconds(0.5);
    prediction.overlap = Seconds(0.25);
    prediction.notes = {"12 messages are too long", "no barrier"};
    const auto rows = rows_of(to_csv(result));
    const auto field = [&](const std::string& name) {
      const auto column = std::find(rows[0].begin(), rows[0].end(), name);
      REQUIRE(column != rows[0].end());
      return rows[2][static_cast<std::size_t>(column - rows[0].begin())];
    };
    CHECK(field("predicts") == "run");
    CHECK(field("mu_to_simulated") == "2");
    CHECK(field("predicted_computation_s") == "0.5");
    CHECK(field("predicted_overlap_s") == "0.25");
    CHECK(field("prediction_notes") == "12 messages are too long; no barrier");
  }
}

}  // namespace orrery::show
