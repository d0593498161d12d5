#include "sim/cli/pages/papers_page.hpp"

#include <doctest/doctest.h>

using namespace orrery;

namespace {

ScenarioResult result(const std::string& name, std::vector<PrintedValue> printed) {
  ScenarioResult made;
  made.name = name;
  made.title = "Slices";
  made.source = "a paper, table 2";
  made.printed = std::move(printed);
  return made;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_SUITE("app/papers_page") {
  TEST_CASE("Each printed number stands beside ours with its error and its bound and the letter of its cause") {
    const std::string page = cli::papers_page({result(
        "doe12-table2",
        {{.what = "rounds",
          .at = "a|b, 5120",
          .ours = 5.0,
          .published = 11.0,
          .unit = "",
          .bound = "mu 2.3",
          .why = "one disk"},
         {.what = "whole run", .at = "4096", .ours = 2.5, .published = 2.0, .unit = "s", .bound = "", .why = ""},
         {.what = "dividing",
          .at = "4096",
          .ours = 0.9,
          .published = 1.0,
          .unit = "s",
          .bound = "within 10 %",
          .why = "one disk"},
         {.what = "mean epsilon",
          .at = "",
          .ours = 0.029,
          .published = 0.13,
          .unit = "%",
          .bound = "2 % to 4 %",
          .why = "no scatter"}})});
    CHECK(has(page, "\n## doe12\n\n### doe12-table2\n\nSlices (a paper, table 2)\n"));
    CHECK(has(page, "| rounds | a\\|b, 5120 | 11 | 5 | 0.45 times | mu 2.3 | a |\n"));
    CHECK(has(page, "| whole run | 4096 | 2 s | 2.5 s | +25.0 % | - |  |\n"));
    CHECK(has(page, "| dividing | 4096 | 1 s | 900 ms | -10.0 % | within 10 % | a |\n"));
    CHECK(has(page, "| mean epsilon |  | 13 % | 2.9 % | 0.22 times | 2 % to 4 % | b |\n"));
    CHECK(has(page, "\n- a: one disk\n- b: no scatter\n"));
  }
  TEST_CASE("The summary counts the numbers of each paper over its scenarios") {
    const auto number = [](double ours, double published) {
      return PrintedValue{
          .what = "n", .at = "", .ours = ours, .published = published, .unit = "", .bound = "", .why = ""};
    };
    const std::string page = cli::papers_page({result("doe12-table2", {number(1.05, 1.0), number(3.0, 1.0)}),
                                               result("van-roe16-fig1", {number(0.5, 1.0)}), result("zebra", {}),
                                               result("doe12-table3", {number(1.2, 1.0), number(1.3, 1.0)})});
    CHECK(has(page, "| [doe12](#doe12) | 2 | 4 | 25 % | 1 | 3 |\n"));
    CHECK(has(page, "| [van-roe16](#van-roe16) | 1 | 1 | 50 % | 0 | 1 |\n"));
    CHECK_FALSE(has(page, "zebra"));
  }
  TEST_CASE("The summary tells kinds of numbers apart whichever model they are of") {
    const auto number = [](const char* what, double ours) {
      return PrintedValue{.what = what, .at = "", .ours = ours, .published = 1.0, .unit = "", .bound = "", .why = ""};
    };
    const std::string page = cli::papers_page(
        {result("doe12-table2", {number("program", 1.05), number("rounds", 3.0)}),
         result("doe12-table3", {number("mean epsilon of choices by np-t (n-t)", 1.4),
                                 number("mean epsilon of choices by np-t (p-t)", 1.2), number("program", 1.15)})});
    CHECK(has(page,
              "| doe12 | program | 2 | 10 % | 1 | 2 |\n| doe12 | rounds | 1 | 200 % | 0 | 0 |\n"
              "| doe12 | mean epsilon of choices | 2 | 30 % | 0 | 2 |\n"));
  }
}
