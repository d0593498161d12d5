// What real runs say of simulated and predicted times: errors, bounds, and the file of a changed platform.
#include "sim/study/judge/validation.hpp"

#include <doctest/doctest.h>

#include "models/stats/segments.hpp"
#include "sim/cli/pages/fit_page.hpp"
#include "sim/config/yaml_text.hpp"
#include "sim/study/fit/fit_scenarios.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;

namespace {

ScenarioResult result_of(const std::vector<std::pair<double, double>>& simulated_and_measured) {
  ScenarioResult result;
  for (const auto& [simulated, measured] : simulated_and_measured) {
    PointResult point;
    point.settings = {{"kernel", "barrier"}};
    point.simulated = Seconds(simulated);
    point.measured = Seconds(measured);
    result.points.push_back(point);
  }
  return result;
}

}  // namespace

TEST_SUITE("app/validation") {
  TEST_CASE("Errors against measured times are told by median and nine in ten and greatest") {
    const auto rows = study::error_rows(result_of({{1.1, 1.0}, {0.8, 1.0}, {1.0, 1.0}}));
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].of == "simulated");
    CHECK(rows[0].points == 3);
    CHECK(rows[0].median == near(0.1));
    CHECK(rows[0].greatest == near(0.2));
    CHECK(rows[0].bias == near(0.0, test::Absolute{1e-12}));
    CHECK(study::error_table(rows).find("simulated                          3    10.0 %") != std::string::npos);
  }

  TEST_CASE("Errors of 1 and 3 % have a median of 2 % in a validation and in every fit") {
    const auto rows = study::error_rows(result_of({{1.01, 1.0}, {1.03, 1.0}}));
    CHECK(rows.at(0).median == near(0.02));
    const std::string line = "                          2     2.0 %     2.8 %     3.0 %    +2.0 %\n";
    CHECK(study::error_table(rows).find("simulated " + line.substr(1)) != std::string::npos);
    study::PlatformFit fit{.platform = "p", .network = "n", .origin = "fitted"};
    for (const double simulated : {1.01, 1.03})
      fit.points.push_back({"", Seconds(1.0), Seconds(2.0), Seconds(simulated)});
    CHECK(cli::fit_text(fit).find("fitted   " + line) != std::string::npos);

    // Of points held out of a line, too: two of four are left out in turn.
    const std::vector<stats::Point> points{{0.0, 1.0}, {1.0, 1.0 / 1.01}, {2.0, 1.0 / 1.03}, {3.0, 1.0}};
    const stats::HeldOut held = stats::held_out(points, {.segments_max = 1});
    const auto off = [&](std::size_t left, std::size_t other) {
      const std::vector<stats::Point> kept{points[0], points[other], points[3]};
      const stats::Line through = stats::fit_line(kept, stats::Deviations::relative);
      return std::abs(through(points[left].x) / points[left].y - 1.0);
    };
    CHECK(held.median == near((off(1, 2) + off(2, 1)) / 2.0));
  }

  TEST_CASE("A bound on the median and one on each point that repeats are held against the simulation") {
    ValidateSpec validate;
    validate.where = "s.yaml:3:1";
    validate.median = 0.05;
    validate.each = 0.15;
    const auto result = result_of({{1.1, 1.0}, {0.8, 1.0}, {1.0, 1.0}});
    const auto broken = study::broken_bounds(result, validate, {0.01, 0.01, 0.01});
    REQUIRE(broken.size() == 2);
    CHECK(broken[0] == "s.yaml:3:1: simulated and measured are 10.0 % apart in the median (at most 5 %)");
    CHECK(broken[1] == "s.yaml:3:1: simulated 800 ms, measured 1 s: -20.0 % (at most 15 %) at barrier");
    CHECK(study::broken_bounds(result, validate, {0.01, 0.2, 0.01}).size() == 1);
    validate.median = 0.2;
    validate.each.reset();
    CHECK(study::broken_bounds(result, validate, {}).empty());
    CHECK(study::broken_bounds({}, validate, {}) ==
          std::vector<std::string>{"s.yaml:3:1: no point was both simulated and measured"});
  }

  TEST_CASE("A YAML file written again holds the same values") {
    const std::string text =
        "name: a\nsource: \"said: so, twice\"\nnested:\n  deep: {value: 1us, list: [1, 2]}\n  empty: \"\"\n"
        "rows: [{from: 0B, factor: 1}, {from: 2KiB, factor: 0.5}]\n";
    const auto first = config::parse_yaml(text, "a.yaml");
    const auto again = config::parse_yaml(config::yaml_text(first), "b.yaml");
    CHECK(first.scalars() == again.scalars());
    CHECK(config::yaml_text(first) == config::yaml_text(again));
  }
}
