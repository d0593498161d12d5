#include "sim/show/summary/bottleneck.hpp"

#include <doctest/doctest.h>

#include "sim/show/result/json.hpp"
#include "sim/show/tables/text_grid.hpp"
#include "sim/show/tables/text_table.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;
using namespace orrery::show;

namespace {

/// 10 s of communication: 6 at two incoming NICs, 2 of latency, 1.5 of computation that a rank is late with, 0.5 left.
PointResult point_with_path() {
  PointResult point;
  point.compared_phase = "communication";
  CriticalPath& path = point.run.critical_path;
  path.kept = true;
  path.resources = {{"incoming NIC of a-0", ResourceKind::nic_in}, {"incoming NIC of a-1", ResourceKind::nic_in}};
  PathTotals& of = path.phases.emplace_back();
  of.phase = "communication";
  of.time = Seconds(10.0);
  of.kinds[static_cast<std::size_t>(PathKind::transfer)] = Seconds(6.0);
  of.kinds[static_cast<std::size_t>(PathKind::latency)] = Seconds(2.0);
  of.kinds[static_cast<std::size_t>(PathKind::computation)] = of.late = Seconds(1.5);
  of.kinds[static_cast<std::size_t>(PathKind::send_overhead)] = Seconds(0.5);
  of.saturated[static_cast<std::size_t>(ResourceKind::nic_in)] = Seconds(6.0);
  of.resources = {{1, Seconds(4.0)}, {0, Seconds(2.0)}};
  of.computing = {{Rank{3}, Seconds(1.0)}, {Rank{1}, Seconds(0.5)}};
  path.run = of;
  path.run.phase = "";
  path.run.time = Seconds(40.0);
  path.run.kinds[static_cast<std::size_t>(PathKind::computation)] = Seconds(31.5);
  path.run.late = Seconds(0.0);
  point.run.activity_times.assign(activities, std::vector<Seconds>(4));
  point.run.activity_times[0] = {Seconds(24.0), Seconds(20.0), Seconds(20.0), Seconds(20.4)};
  return point;
}

}  // namespace

TEST_SUITE("report/bottleneck") {
  TEST_CASE("The answer is what most of the whole run is and then what most of the compared phase is") {
    CHECK(bottleneck_sentence(answer_of(point_with_path())) ==
          "79 % of the run is computation (rank 0 computes 20 % longer than the others), 15 % incoming NICs; of the "
          "communication (10 s) 60 % is transfers that saturate incoming NICs (mostly incoming NIC of a-1), 20 % "
          "latency");
    CHECK(answer_of(point_with_path()).share == near(31.5 / 40.0));
  }

  TEST_CASE("Computation that all ranks share evenly is said to be even") {
    PointResult point = point_with_path();
    point.run.activity_times[0][0] = Seconds(20.2);
    CHECK(answer_of(point).run_text() ==
          "79 % of the run is computation (even: all ranks compute equally long within 2.0 %), 15 % incoming NICs");
  }

  TEST_CASE("Ranks of several speeds are compared by their median and groups of ranks not at all") {
    PointResult point = point_with_path();
    point.run.activity_times[0][1] = Seconds(2.0);
    CHECK(answer_of(point).run_text().find("(rank 0 computes 20 % longer than the median of the others)") !=
          std::string::npos);
    point.run.activity_times[0][0] = Seconds(20.4);
    CHECK(answer_of(point).run_text() == "79 % of the run is computation, 15 % incoming NICs");
    point.run.activity_times[0][0] = Seconds(24.0);
    point.run.activity_group = 64;
    CHECK(answer_of(point).run_text() == "79 % of the run is computation, 15 % incoming NICs");
  }

  TEST_CASE(
      "A rank that computes several times as long as the others is said to in times and those that hardly compute are "
      "counted") {
    PointResult point = point_with_path();
    point.run.activity_times[0] = {Seconds(62.0), Seconds(20.0), Seconds(20.0), Seconds(20.4)};
    CHECK(answer_of(point).run_text().find("(rank 0 computes 3.1 times as long as the others)") != std::string::npos);
    point.run.activity_times[0] = {Seconds(24.0), Seconds(0.1), Seconds(20.0), Seconds(0.1)};
    CHECK(answer_of(point).run_text().find("(rank 0 computes 20 % longer than the others; 2 ranks hardly compute)") !=
          std::string::npos);
    point.run.activity_times[0] = {Seconds(20.0), Seconds(0.1), Seconds(20.0), Seconds(20.0)};
    CHECK(answer_of(point).run_text().find("(even: 3 ranks compute equally long; 1 rank hardly computes)") !=
          std::string::npos);
  }

  TEST_CASE("A single resource that holds back nearly all flows of its kind is named itself") {
    PointResult point = point_with_path();
    point.run.critical_path.phases[0].resources[0].time = Seconds(5.9);
    CHECK(answer_of(point).phase_text() ==
          "of the communication (10 s) 60 % is transfers that saturate the incoming NIC of a-1, 20 % latency");
  }

  TEST_CASE("Late ranks are the answer when their computation is most of the path and the longest is named") {
    PointResult point = point_with_path();
    PathTotals& of = point.run.critical_path.phases[0];
    of.kinds[static_cast<std::size_t>(PathKind::computation)] = of.late = Seconds(7.5);
    of.kinds[static_cast<std::size_t>(PathKind::transfer)] = Seconds(0.0);
    of.saturated = {};
    of.computing[0].time = Seconds(7.0);
    CHECK(answer_of(point).phase_text() ==
          "of the communication (10 s) 75 % is computation of late ranks (mostly rank 3), 20 % latency");
  }

  TEST_CASE("Latency that is most of the path is the answer whatever resources were busy") {
    PointResult point = point_with_path();
    point.run.critical_path.phases[0].kinds[static_cast<std::size_t>(PathKind::latency)] = Seconds(9.5);
    point.run.critical_path.phases[0].kinds[static_cast<std::size_t>(PathKind::transfer)] = Seconds(0.0);
    point.run.critical_path.phases[0].kinds[static_cast<std::size_t>(PathKind::computation)] = Seconds(0.0);
    point.run.critical_path.phases[0].late = Seconds(0.0);
    point.run.critical_path.phases[0].saturated = {};
    CHECK(answer_of(point).phase_text() == "of the communication (10 s) 95 % is latency");
  }

  TEST_CASE("A phase that took no time or all of the run is answered by the run and a run without a path by nothing") {
    PointResult point = point_with_path();
    point.compared_phase = "other";
    CHECK(answer_of(point).phase_text().empty());
    point.compared_phase = "communication";
    point.run.critical_path.phases[0].time = Seconds(40.0);
    CHECK(answer_of(point).phase_text().empty());
    CHECK(bottleneck_sentence(answer_of(point)).find("79 % of the run is computation") == 0);
    point.run.critical_path = {};
    CHECK(bottleneck_sentence(answer_of(point)).empty());
  }

  TEST_CASE("Shares of all causes of a path add up to the whole of it") {
    const PointResult point = point_with_path();
    double all = 0.0;
    for (const PathCause& cause : path_causes(point.run.critical_path, point.run.critical_path.run)) all += cause.share;
    CHECK(all == near(1.0, 1e-12));
  }

  TEST_CASE("A single run says on the terminal what its critical path consists of") {
    ScenarioResult result;
    result.points.push_back(point_with_path());
    result.points[0].run.makespan = Seconds(10.0);
    result.points[0].binding = bottleneck_sentence(answer_of(result.points[0]));
    const std::string text = to_text_table(result, {.width = unlimited_width});
    CHECK(text.find("critical path of the communication: incoming NICs 60 %, latency 20 %, late ranks 15 %, send "
                    "overhead 5 %\nbottleneck: 79 % of the run is computation (rank 0") != std::string::npos);
  }

  TEST_CASE("The critical path comes back from result.json as it was written") {
    ScenarioResult result;
    result.points.push_back(point_with_path());
    RunResult& run = result.points[0].run;
    run.engine = "flow";
    run.phases.push_back({"communication", 0, Seconds(10.0), Rank{0}, Seconds{}, Seconds(10.0), {}});
    run.critical_path.segments = {{PathKind::computation, Rank{1}, any_rank, Seconds{}, Seconds(1.5)},
                                  {PathKind::transfer, Rank{1}, Rank{0}, Seconds(1.5), Seconds(7.5), 1},
                                  {PathKind::copy, Rank{1}, Rank{0}, Seconds(7.5), Seconds(10.0), held_by_cap}};
    run.critical_path.segments_in_all = 9;
    const std::string text = to_json(result);
    CHECK(text.find("\"if_free_at_most_less_fraction\":{\"incoming NICs\":0.6,\"latency\":0.2,\"late ranks\":0.15,"
                    "\"send overhead\":0.05}") != std::string::npos);
    const ScenarioResult read = from_json(text, "result.json");
    CHECK(read.points[0].run.critical_path.segments_in_all == 9);
    CHECK(to_json(read) == text);
  }
}
