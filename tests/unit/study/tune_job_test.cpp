#include "sim/study/search/tune_job.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/core/error.hpp"

using namespace orrery;
using namespace orrery::study;

namespace {

TuneRequest stencil(const std::string& values) {
  return {.platform = "ntnu-8x2x4", .network = {}, .kernel = "stencil", .over = "border", .values = values};
}

}  // namespace

TEST_SUITE("app/tune job") {
  TEST_CASE("What cannot be tuned is refused before anything is calibrated") {
    const auto refuses = [](TuneRequest request, const char* message) {
      CHECK_THROWS_WITH_AS(tune(request), message, InputError);
    };
    auto request = stencil("");
    request.over = "bordr";
    refuses(
        request,
        "--over: kernel 'stencil' has no integer parameter 'bordr' (known: border, iterations, points). Did you mean "
        "'border'?");
    request = stencil("");
    request.model = "np-t";
    refuses(request,
            "--model: 'np-t' is fitted to runs, and none are there to fit it to (models of phases propose). Use "
            "'bsp-matrix'?");
    refuses(stencil("8,x"),
            "--values: 'x' is not a whole number, in '8,x' (a list, or a range). Write '8,16,32' or "
            "'1..50'?");
    refuses(stencil("50..1"), "--values: '50..1' is empty (from the lesser to the greater). Write '1..50'?");
    refuses(stencil("-5..0"), "--values: '-5..0' lies outside 1..1e+06 (what 'border' may be). Choose a range inside?");
    refuses(stencil("1000001..2000000"),
            "--values: '1000001..2000000' lies outside 1..1e+06 (what 'border' may be). Choose a range inside?");
    request = stencil("3");
    request.parameters = {"points=64/border"};
    refuses(
        request,
        "--param: '64/border' of 'points' is no whole number for border 3 (a product that stays the same). Choose one "
        "that it divides?");
    refuses(stencil("0"), "--over: 'border' is '0', outside 1..1e+06. Choose a value in that range?");
  }
  TEST_CASE("A range is asked as far as the parameter may be so") {
    auto request = stencil("0..2");
    request.parameters = {"points=64"};
    request.layout.ranks = 4;
    request.confirm = 0;
    const ScenarioResult result = tune(request);
    REQUIRE(result.points.size() == 2);
    CHECK(result.points.front().settings == Settings{{"kernel.border", "1"}});
    CHECK_FALSE(result.points.front().simulated);
    CHECK(result.points.front().predictions.front().label() == "bsp-matrix (equations)");
  }
  TEST_CASE("Without ranks every node has as many as whole ones fit its sockets") {
    auto request = stencil("1");  // 8 nodes of 2 sockets of 4 cores
    request.parameters = {"points=64"};
    request.layout.cores = 3;
    request.confirm = 0;
    CHECK(tune(request).points.size() == 1);
  }
  TEST_CASE("A tuning has every value that was predicted and those that were played beside their prediction") {
    auto request = stencil("0,1,2,4");
    request.parameters = {"points=64", "iterations=8"};
    request.layout.ranks = 4;
    request.confirm = 2;
    const ScenarioResult result = tune(request);
    REQUIRE(result.points.size() == 3);
    std::size_t played = 0;
    double least = 1e9;
    for (const PointResult& point : result.points) {
      CHECK(point.predictions.size() == 1);
      CHECK(point.predictions.front().of_run);
      if (!point.simulated) continue;
      ++played;
      REQUIRE(point.metrics.size() == 1);
      CHECK(point.metrics.front().name == "behind");
      least = std::min(least, point.metrics.front().value);
    }
    CHECK(played == 2);
    CHECK(least == 0.0);
    REQUIRE(result.notes.size() > 2);
    CHECK(result.notes[0].starts_with("bsp-matrix proposes border "));
    CHECK(result.notes[1].starts_with("flow: border "));
    CHECK(result.notes[1].find(" is the best of 2 played (") != std::string::npos);
    CHECK(result.notes[2].starts_with("refused: border 0, as "));
  }
}
