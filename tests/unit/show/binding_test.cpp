#include "sim/show/summary/binding.hpp"

#include <doctest/doctest.h>

#include "sim/show/summary/bottleneck.hpp"
#include "tests/support/relative.hpp"

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

/// A run of 100 s: so much of it is computation, latency, and transfers that saturate one of two incoming NICs.
PointResult point_of(const std::string& ranks, double computation_s, double latency_s, double nic_s = 0.0,
                     std::uint32_t nic = 0) {
  PointResult point;
  point.settings = {{"layout.ranks", ranks}};
  CriticalPath& path = point.run.critical_path;
  path.kept = true;
  path.resources = {{"incoming NIC of a-0", ResourceKind::nic_in}, {"incoming NIC of a-1", ResourceKind::nic_in}};
  path.run.time = Seconds(100.0);
  path.run.kinds[static_cast<std::size_t>(PathKind::computation)] = Seconds(computation_s);
  path.run.kinds[static_cast<std::size_t>(PathKind::latency)] = Seconds(latency_s);
  path.run.kinds[static_cast<std::size_t>(PathKind::transfer)] = Seconds(nic_s);
  path.run.saturated[static_cast<std::size_t>(ResourceKind::nic_in)] = Seconds(nic_s);
  if (nic_s > 0.0) path.run.resources = {{nic, Seconds(nic_s)}};
  point.binding = bottleneck_sentence(answer_of(point));
  return point;
}
ScenarioResult sweep_of(std::vector<PointResult> points) {
  ScenarioResult result;
  result.points = std::move(points);
  return result;
}

}  // namespace

TEST_SUITE("report/binding") {
  TEST_CASE("What binds is said once for points alike and by itself for the one that differs") {
    CHECK(binding_sentences(binding({"memory binds"})) == Sentences{"memory binds"});
    CHECK(binding_sentences(binding({"latency binds", "memory binds", "memory binds"})) ==
          Sentences{"2 of 3 points like netb: memory binds", "neta: latency binds"});
    CHECK(binding_sentences(binding({"memory binds", "", "memory binds"})) ==
          Sentences{"2 of 2 points like neta: memory binds"});
    CHECK(binding_sentences(binding({"", ""})).empty());
  }

  TEST_CASE("Points without a path that the same cause binds have one answer") {
    auto result =
        binding({"7 % of the run is latency, 5 % copying", "70 % of the run is latency (mostly such)", "memory binds"});
    result.points[0].bound_by = result.points[1].bound_by = "latency";
    const auto groups = binding_groups(result);  // points into it
    REQUIRE(groups.size() == 2);
    CHECK(groups[0].points.size() == 2);
    CHECK(groups[1].points.front()->binding == "memory binds");
  }

  TEST_CASE(
      "Of points alike the range of their shares is said with the points at its ends and what else counts there") {
    CHECK(
        binding_sentences(sweep_of({point_of("128", 98, 1), point_of("512", 73, 12), point_of("4096", 33, 31)})) ==
        Sentences{"3 of 3 points: 33 % (ranks 4096) to 98 % (ranks 128) of the run is computation, 1 to 31 % latency"});
    CHECK(binding_sentences(sweep_of({point_of("2", 98, 1), point_of("4", 98.2, 1)})) ==
          Sentences{"2 of 2 points: 98 % of the run is computation"});
  }

  TEST_CASE("Points whose cause differs are named apart") {
    CHECK(binding_sentences(sweep_of({point_of("128", 98, 1), point_of("512", 60, 30), point_of("4096", 30, 61)})) ==
          Sentences{"2 of 3 points: 60 % (ranks 512) to 98 % (ranks 128) of the run is computation, 1 to 30 % latency",
                    "ranks 4096: 61 % of the run is latency, 30 % computation"});
  }

  TEST_CASE("A resource is named where all points alike have the same one and else its kind") {
    const auto one = [](const std::string& ranks, std::uint32_t nic) { return point_of(ranks, 5, 0, 90, nic); };
    CHECK(binding_sentences(sweep_of({one("2", 0), one("4", 0)})) ==
          Sentences{"2 of 2 points: 90 % of the run is transfers that saturate the incoming NIC of a-0"});
    CHECK(binding_sentences(sweep_of({one("2", 0), one("4", 1), one("8", 1)})) ==
          Sentences{"3 of 3 points: 90 % of the run is transfers that saturate incoming NICs"});
  }

  TEST_CASE("The ranges of all causes of points alike are kept for what would help") {
    const auto result = sweep_of({point_of("128", 98, 1), point_of("4096", 33, 31, 20)});
    const auto groups = binding_groups(result);
    REQUIRE(groups.size() == 1);
    CHECK(groups[0].at_least == &result.points[1]);
    CHECK(groups[0].at_most == &result.points[0]);
    REQUIRE(groups[0].causes.size() == 3);
    CHECK(groups[0].causes[0].name == "computation");
    CHECK(groups[0].causes[0].least == test::near(0.33));
    CHECK(groups[0].causes[0].most == test::near(0.98));
    CHECK(groups[0].causes[0].if_free == "computing took no time");
    CHECK(groups[0].causes[1].name == "latency");
    CHECK(groups[0].causes[2].name == "incoming NICs");
    CHECK(groups[0].causes[2].least == 0.0);
  }

  TEST_CASE("Of several jobs each has its range") {
    const auto jobs = [](const std::string& ranks, double a, double b) {
      PointResult point = point_of(ranks, 50, 0);
      for (const auto& [name, computation] : {std::pair{"a", a}, {"b", b}}) {
        PathTotals& job =
            point.run.critical_path.jobs.emplace_back(point_of(ranks, computation, 0).run.critical_path.run);
        job.phase = name;
      }
      point.binding = bottleneck_sentence(answer_of(point));
      return point;
    };
    CHECK(binding_sentences(sweep_of({jobs("2", 90, 60), jobs("4", 70, 61)})) ==
          Sentences{"2 of 2 points: job 'a': 70 to 90 % is computation; job 'b': 60 to 61 % is computation"});
  }

  TEST_CASE("Beyond four kinds of answer what binds says three and counts the others") {
    CHECK(binding_sentences(binding({"a binds", "b binds", "c binds", "d binds"})).size() == 4);
    CHECK(binding_sentences(binding({"a binds", "b binds", "c binds", "d binds", "e binds"})) ==
          Sentences{"neta: a binds", "netb: b binds", "netc: c binds",
                    "and 2 other kinds of answer, point by point in the report"});
  }
}

}  // namespace orrery::show
