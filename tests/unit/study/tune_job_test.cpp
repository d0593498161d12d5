#include "sim/study/search/tune_job.hpp"

#include <doctest/doctest.h>

#include "sim/core/error.hpp"

using namespace orrery;
using namespace orrery::app;

namespace {

TuneRequest stencil(const std::string& values) {
  return {.platform = "ntnu-8x2x4", .network = {}, .kernel = "stencil", .over = "border", .values = values};
}

TuneAnswer answered() {
  return {.title = "stencil on hand, wire",
          .over = "border",
          .model = "bsp-matrix",
          .engine = "flow",
          .predicted = {{1, Seconds(4.0)}, {2, Seconds(2.0)}, {4, Seconds(2.01)}},
          .simulated = {{2, Seconds(2.5)}, {4, Seconds(2.0)}},
          .refused = {{8, "stencil: too wide"}, {16, "stencil: too wide"}}};
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
    request.model = "power-law";
    refuses(request,
            "--model: 'power-law' is fitted to runs, and none are there to fit it to (models of phases propose). Use "
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
    const TuneAnswer answer = tune(request);
    CHECK(answer.refused.empty());
    CHECK(answer.predicted.size() == 2);
    CHECK(answer.predicted.begin()->first == 1);
  }
  TEST_CASE("Without ranks every node has as many as whole ones fit its sockets") {
    auto request = stencil("1");  // 8 nodes of 2 sockets of 4 cores
    request.parameters = {"points=64"};
    request.layout.cores = 3;
    request.confirm = 0;
    CHECK(tune(request).predicted.size() == 1);
  }
  TEST_CASE("A tuning says what was proposed and what the engine makes of it") {
    CHECK(tune_text(answered(), 200, false) ==
          "stencil on hand, wire: time by border\n\n"
          "border  bsp-matrix   flow    error\n"
          "──────────────────────────────────\n"
          "     1         4 s\n"
          "     2         2 s  2.5 s  -20.0 %\n"
          "     4      2.01 s    2 s    0.5 %\n"
          "\n"
          "bsp-matrix proposes border 2 (2 s); 2 to 4 are within 1 %\n"
          "flow: border 4 is the best of 2 played (2 s)\n"
          "the proposal takes 25.00 % longer there\n"
          "refused: border 8 and 1 more, as stencil: too wide\n");
    CHECK(tune_csv(answered()) == "border,predicted_s,simulated_s\n1,4,\n2,2,2.5\n4,2.01,2\n");
    const std::string picture = tune_svg(answered());
    CHECK(picture.find("bsp-matrix predicts") != std::string::npos);
    CHECK(picture.find("flow simulates") != std::string::npos);
  }
}
