#include "sim/show/summary/summary.hpp"

#include <doctest/doctest.h>

namespace orrery::show {

namespace {

/// One point for each sentence, on a network of its own.
ScenarioResult binding(const std::vector<std::string>& sentences) {
  ScenarioResult result;
  for (const std::string& sentence : sentences) {
    PointResult& point = result.points.emplace_back();
    point.settings = {{"network", "net" + std::string(1, static_cast<char>('a' + result.points.size() - 1))}};
    point.binding = sentence;
  }
  return result;
}

using Sentences = std::vector<std::string>;

}  // namespace

TEST_SUITE("report/summary") {
  TEST_CASE("What binds is said once for points alike and by itself for the one that differs") {
    CHECK(binding_sentences(binding({"memory binds"})) == Sentences{"memory binds"});
    CHECK(binding_sentences(binding({"latency binds", "memory binds", "memory binds"})) ==
          Sentences{"2 of 3 points like netb: memory binds", "neta: latency binds"});
    CHECK(binding_sentences(binding({"memory binds", "", "memory binds"})) ==
          Sentences{"2 of 2 points like neta: memory binds"});
    CHECK(binding_sentences(binding({"", ""})).empty());
  }

  TEST_CASE("Points alike but for numbers and for what stands in brackets or behind a comma have one answer") {
    const auto result =
        binding({"7 % of the run is latency, 5 % copying", "70 % of the run is latency (mostly such)", "memory binds"});
    const auto groups = binding_groups(result);  // points into it
    REQUIRE(groups.size() == 2);
    CHECK(groups[0].points.size() == 2);
    CHECK(groups[1].points.front()->binding == "memory binds");
  }

  TEST_CASE("Beyond four kinds of answer what binds says three and counts the others") {
    CHECK(binding_sentences(binding({"a binds", "b binds", "c binds", "d binds"})).size() == 4);
    CHECK(binding_sentences(binding({"a binds", "b binds", "c binds", "d binds", "e binds"})) ==
          Sentences{"neta: a binds", "netb: b binds", "netc: c binds",
                    "and 2 other kinds of answer, point by point in the report"});
  }
}

}  // namespace orrery::show
