// Scenarios of several jobs: as written, on which nodes, and what of them is refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/core/error.hpp"
#include "sim/show/result/json.hpp"
#include "sim/show/summary/bottleneck.hpp"
#include "sim/show/summary/comparison.hpp"
#include "sim/show/summary/what_if.hpp"
#include "sim/show/tables/csv.hpp"
#include "sim/show/tables/part_tables.hpp"
#include "sim/study/play/run_scenario.hpp"
#include "sim/study/read/point.hpp"
#include "sim/study/read/scenario.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;

namespace {

const std::string head =
    "source: a test\n"
    "platform: ampere40\n"
    "network: infiniband\n"
    "engine: flow\n";

std::string job(const std::string& name, std::uint32_t ranks, const std::string& rest = "") {
  return "  - {name: " + name +
         ", kernel: {name: collective, operation: alltoall, message: 64KiB}, layout: {ranks: " + std::to_string(ranks) +
         ", per-node: 1}" + rest + "}\n";
}

Scenario read(const std::string& jobs, const std::vector<std::string>& overrides = {}) {
  return parse_scenario(config::parse_yaml(head + "jobs:\n" + jobs, "s.yaml"), "s.yaml", overrides);
}

LoadedPoint load(const std::string& jobs, const std::vector<std::string>& overrides = {}) {
  const Scenario scenario = read(jobs, overrides);
  return PointLoader(".", "flow").load(scenario.points.front());
}

std::vector<std::uint32_t> nodes_of(const LoadedPoint& point, std::size_t job) {
  std::vector<std::uint32_t> nodes;
  for (const Placement& place : point.of_jobs.at(job)->layout.placements)
    nodes.push_back(static_cast<std::uint32_t>(place.node));
  return nodes;
}

void refuses(const std::string& jobs, const char* message) { CHECK_THROWS_WITH_AS(load(jobs), message, InputError); }

using Nodes = std::vector<std::uint32_t>;

}  // namespace

TEST_SUITE("scenario/jobs") {
  TEST_CASE("Jobs get the first nodes that none before them has") {
    const LoadedPoint point = load(job("a", 3) + job("b", 2));
    CHECK(nodes_of(point, 0) == Nodes{0, 1, 2});
    CHECK(nodes_of(point, 1) == Nodes{3, 4});
    CHECK(point.layout.ranks() == 5);
    CHECK(point.layout.of(Rank{4}).node == NodeId{4});
    CHECK(point.layout.of(Rank{4}).host == point.of_jobs[1]->layout.of(Rank{1}).host);
    CHECK(point.program->ranks() == 5);
  }

  TEST_CASE("Interleaved jobs take turns and the longer one goes on alone") {
    const LoadedPoint point =
        load(job("a", 2) + job("b", 3, ", nodes: interleaved") + job("c", 2, ", nodes: interleaved"));
    CHECK(nodes_of(point, 0) == Nodes{0, 1});
    CHECK(nodes_of(point, 1) == Nodes{2, 4, 6});
    CHECK(nodes_of(point, 2) == Nodes{3, 5});
  }

  TEST_CASE("Nodes that are drawn are taken in that order and no job has them twice") {
    const LoadedPoint point = load(job("a", 16, ", nodes: random, seed: 3") + job("b", 16, ", nodes: random, seed: 4"));
    Nodes a = nodes_of(point, 0), b = nodes_of(point, 1), all = a;
    CHECK_FALSE(std::ranges::is_sorted(a));
    all.insert(all.end(), b.begin(), b.end());
    std::ranges::sort(all);
    CHECK(std::ranges::adjacent_find(all) == all.end());
    CHECK(a == nodes_of(load(job("a", 16, ", nodes: random, seed: 3") + job("b", 3)), 0));
    CHECK(a != nodes_of(load(job("a", 16, ", nodes: random, seed: 5") + job("b", 3)), 0));
  }

  TEST_CASE("A layout that names its nodes keeps them and others go round it") {
    const std::string listed = "  - {name: b, kernel: {name: barrier}, layout: {per-node: 1, node-list: [1, 0, 5]}}\n";
    const LoadedPoint point = load(job("a", 4) + listed);
    CHECK(nodes_of(point, 0) == Nodes{2, 3, 4, 6});
    CHECK(nodes_of(point, 1) == Nodes{1, 0, 5});
  }

  TEST_CASE("A job that shares takes nodes as if it were alone") {
    const LoadedPoint point = load(job("a", 3) + job("b", 2, ", share: true") + job("c", 1));
    CHECK(nodes_of(point, 1) == Nodes{0, 1});
    CHECK(nodes_of(point, 2) == Nodes{3});
  }

  TEST_CASE("Whatever a job has is swept and set by its name") {
    const Scenario scenario =
        read(job("a", 3) + job("b", 2) +
                 "sweep: {jobs.b.nodes: [contiguous, random], jobs.a.kernel.message: [1KiB, 2KiB]}\n",
             {"jobs.b.start=2ms"});
    REQUIRE(scenario.points.size() == 4);
    const PointSpec last = scenario.points[3];
    CHECK(last.jobs[1].nodes == JobSpec::Nodes::random);
    CHECK(last.jobs[1].start.si() == 2e-3);
    CHECK(last.flat.at("jobs.a.kernel.message") == "2KiB");
    CHECK(last.flat.at("jobs.b.kernel.message") == "64KiB");
    CHECK(last.flat.at("jobs.b.nodes") == "random");
    CHECK_THROWS_WITH_AS(read(job("a", 3) + job("b", 2), {"jobs.c.start=2ms"}),
                         "--set jobs.c.start: the list has no 'c' (known: a, b). Did you mean 'a'?", InputError);
  }

  TEST_CASE("What changes a point of several jobs changes its address") {
    const std::string a = job("a", 3);
    const std::string id = load(a + job("b", 2)).id;
    for (const char* other : {", nodes: random", ", start: 1ms", ", repeat: 2", ", repeat: until-others-end"})
      CHECK(load(a + job("b", 2, other)).id != id);
    CHECK(load(a + job("c", 2)).id != id);
    CHECK(load(a + job("b", 2)).id == id);
  }

  TEST_CASE("A fault is of the machine that all jobs share") {
    const std::string both = job("a", 3) + job("b", 2);
    const LoadedPoint slower = load(both + "what-if: {node: 3, slower: 20%}\n");
    CHECK(slower.what_if.factors == std::vector<double>{1.0, 1.0, 1.0, 1.2, 1.0});
    CHECK(slower.of_jobs[1]->what_if.factors.empty());  // once, not by its job again
    CHECK(slower.id != load(both).id);
    CHECK(read(both + "what-if: {node: each, slower: 20%}\n").points.size() == 6);  // without one, and each of five
    const auto run = study::run_scenario(read(both + "what-if: {adapter: {node: 0, index: 0}, bandwidth: 50%}\n"),
                                         {.progress = false});
    const auto whole = study::run_scenario(read(both), {.progress = false});
    const auto time = [](const study::ScenarioRun& of, std::size_t job) {
      return of.result.points.front().run.jobs[job].alone.median.si();
    };
    CHECK(time(run, 0) > 1.5 * time(whole, 0));  // alone, on the same machine
    CHECK(time(run, 1) == time(whole, 1));
  }

  TEST_CASE("What a fault costs is told of each job though the longest of them hides it from the whole run") {
    const auto run = study::run_scenario(read(job("short", 3) + job("long", 2, ", repeat: 50") +
                                              "sweep: {what-if: [none, {adapter: {node: 0, index: 0}, bandwidth: 50%}, "
                                              "{node: 3, slower: 20%}]}\n"),
                                         {.progress = false});
    const auto& points = run.result.points;
    REQUIRE(points[1].run.makespan == points[0].run.makespan);
    const auto rows = show::what_if_rows(run.result);
    REQUIRE(rows.size() == 4);
    CHECK(rows[0].job == "short");
    CHECK(rows[0].point == 1);
    CHECK(rows[0].with == points[1].run.jobs[0].together.median);
    CHECK(rows[0].slowdown > 1.5);
    for (std::size_t i = 1; i < 4; ++i) CHECK(rows[i].slowdown == 1.0);
    const std::string sentence = show::what_if_sentence(run.result);
    CHECK(sentence.starts_with(
        "what-if: of 2 faults adapter={node: 0, index: 0} bandwidth=50% hurts most (job 'short': "));
    CHECK(sentence.ends_with(" % longer), 1 change nothing"));
    CHECK(points[1].metrics.end() !=
          std::ranges::find(points[1].metrics, "slowdown of short by the fault", &Metric::name));
    const std::string table = show::what_if_table(run.result, 200, false);
    CHECK(table.find("the job is") != std::string::npos);
    CHECK(table.find("short") != std::string::npos);
  }

  TEST_CASE("The switch of a later job's GPUs reduces for these and not for those of the first job") {
    const auto on_node = [](const std::string& name) {
      return "  - {name: " + name +
             ", kernel: {name: collective, operation: allreduce, algorithm: nccl_nvls, message: 4MiB}, layout: {gpus: "
             "8, "
             "ranks: 8}}\n";
    };
    const auto run = study::run_scenario(read(on_node("a") + on_node("b"), {"platform=dgx-h100"}), {.progress = false});
    const auto& jobs = run.result.points.front().run.jobs;
    CHECK(jobs[1].alone.median == jobs[0].alone.median);
    for (const JobRecord& job : jobs) CHECK(job.slowdown() == 1.0);
  }

  TEST_CASE("What jobs cannot be is refused") {
    refuses(job("a", 30) + job("b", 11),
            "s.yaml:7:12: job 'b' needs 11 nodes, and of type 'a100x4' only 2 are left for it (a node is of one job). "
            "Fewer ranks, or 'share: true'?");
    refuses(job("a", 2) + job("a", 2), "s.yaml:7:12: two jobs are called 'a'. Call one otherwise?");
    refuses(job("a", 2, ", repeat: until-others-end"),
            "s.yaml:6:12: every job repeats 'until-others-end' (one at least must end by itself). Give one a number?");
    refuses(job("a", 2) + job("b", 2, ", seed: 2"),
            "s.yaml:7:119: 'seed' without 'nodes: random' (nothing is drawn). Remove it?");
    refuses(job("a", 2) + "models: [hockney]\n",
            "s.yaml:7:9: 'models' beside 'jobs' (a model predicts one program that has the machine for itself). Remove "
            "it?");
    refuses(job("a", 2) + "kernel: {name: barrier}\n",
            "s.yaml:7:9: 'kernel' beside 'jobs' (each job has its own). Move it into one of them?");
    refuses(job("a", 2) + "failures: {mtbf: 1h, steps: 10, checkpoint: 1GB, storage: 1GB/s}\n",
            "s.yaml:7:11: 'failures' beside 'jobs' (it is of one program). Ask it of each job alone?");
    const std::string listed = ", kernel: {name: barrier}, layout: {per-node: 1, node-list: [1]}}\n";
    refuses("  - {name: a" + listed + "  - {name: b" + listed,
            "s.yaml:7:12: job 'b' is on node a100x4-1, as job 'a' is (a node is of one job). Choose others, or 'share: "
            "true'?");
  }

  TEST_CASE("Under a power cap a job is slowed by what others draw on its nodes and alone it is not") {
    const auto first = [](const std::string& cap) {
      const std::string power = "power: {idle: 100W, computing: 300W, communicating: 150W, assumed: a test}";
      const auto half_a_node = [](const char* name) {
        return "  - {name: " + std::string(name) +
               ", kernel: {name: wave2d, points: 1000, iterations: 2}, layout: {ranks: 1, per-node: 1, cores: 1}, "
               "share: true}\n";
      };
      const std::string text =
          "source: a test\nnetwork: ethernet\nengine: flow\nplatform: {name: lab, node-types: {node: {" + power +
          ", power-cap: " + cap + "}}}\njobs:\n" + half_a_node("a") + half_a_node("b");
      const Scenario scenario = parse_scenario(config::parse_yaml(text, "s.yaml"), "s.yaml", {});
      const auto run = study::run_scenario(scenario, {.progress = false});
      return run.result.points.front().run.jobs.front();
    };
    // One of two cores draws 100 W above idle, so both together 200 W, of which the cap leaves 150.
    const JobRecord capped = first("250W"), free = first("300W");
    CHECK(capped.slowdown() == near(std::cbrt(200.0 / 150.0), 1e-9));
    CHECK(capped.alone.median.si() == near(free.alone.median.si(), 1e-9));
    CHECK(free.slowdown() == 1.0);
  }

  TEST_CASE("A scenario of jobs tells how each does alone and together") {
    const Scenario scenario = read(job("a", 3) + job("b", 2, ", share: true, repeat: until-others-end"));
    const auto run = study::run_scenario(scenario, {.progress = false});
    REQUIRE(run.result.points.size() == 1);
    const PointResult& point = run.result.points.front();
    REQUIRE(point.run.jobs.size() == 2);
    const JobRecord &a = point.run.jobs[0], &b = point.run.jobs[1];
    CHECK(a.kernel == "collective");
    CHECK(a.together.count == 1);
    CHECK(a.together.median == a.time());
    CHECK(a.slowdown() > 1.0);
    CHECK(b.together.count == b.ends.size());
    CHECK(b.ends.back() >= a.ends.back());
    CHECK(b.slowdown() > 1.0);
    REQUIRE(point.metrics.size() >= 2);
    CHECK(point.metrics[1].name == "slowdown of b");
    CHECK(point.metrics[1].value == b.slowdown());
    CHECK(point.simulated == point.run.makespan);
    REQUIRE_FALSE(b.links.empty());
    CHECK(b.links.front().sharers == 1);
    CHECK(b.links.front().bound > b.links.front().alone);

    const ScenarioResult again = show::from_json(show::to_json(run.result), "again");
    const JobRecord& same = again.points.front().run.jobs.at(1);
    CHECK(same.name == "b");
    CHECK(same.ends == b.ends);
    CHECK(same.together.median == b.together.median);
    CHECK(same.alone.high == b.alone.high);
    CHECK(same.sent.bytes == b.sent.bytes);
    CHECK(same.links.front().name == b.links.front().name);
    CHECK(same.links.front().bound == b.links.front().bound);
    CHECK(again.points.front().run.critical_path.jobs.at(1).phase == "b");

    const std::string csv = show::jobs_csv(run.result);
    CHECK(std::ranges::count(csv, '\n') == 3);
    CHECK(csv.find(",b,collective,3,2,0,") != std::string::npos);
    const auto compared = show::compare({"A", &run.result}, {"B", &again});
    const auto of_job = [](const show::ComparedTime& time) { return show::words_of(time) == "job 'b'"; };
    CHECK(std::ranges::count_if(compared.points.front().times, of_job) == 1);
    CHECK(show::bottleneck_sentence(show::answer_of(point)).starts_with("job 'a': "));
  }

  TEST_CASE("Jobs that share nothing are told what lets them meet and that does") {
    struct Told {
      std::string note;
      std::uint32_t shared = 0;
    };
    const auto told = [](const std::string& of_both, const std::vector<std::string>& overrides = {}) {
      const auto run =
          study::run_scenario(read(job("a", 6, of_both) + job("b", 5, of_both), overrides), {.progress = false});
      Told found{"", run.result.points.front().run.jobs[0].shared[1]};
      for (const std::string& note : run.result.notes)
        if (note.find("share no node") != std::string::npos) found.note = note;
      return found;
    };
    const std::string
        apart = "jobs 'a' and 'b' share no node and no link: neither can slow the other",
        drawn = "routes drawn for each pair of ranks ('--set platform.networks.infiniband.routing.kind=hash')";
    const std::string hash = "platform.networks.infiniband.routing.kind=hash",
                      few = "platform.networks.infiniband.topology.parallel=[1, 2]";
    // All in one leaf of a tree that has a cable for each node: both changes are needed.
    CHECK(told("").note == apart + ". They may meet with 'nodes: random' of both jobs and " + drawn);
    CHECK(told(", nodes: interleaved").note ==
          apart + ". They may meet with 'nodes: random' of both jobs and " + drawn);
    CHECK(told(", nodes: random").note == apart + ". They may meet with " + drawn);
    CHECK(told("", {hash}).note == apart + ". They may meet with 'nodes: random' of both jobs");
    CHECK(told(", nodes: random", {hash}).note.empty());
    CHECK(told(", nodes: random", {hash}).shared > 0);
    CHECK(told("", {few}).note == apart + ". They may meet with 'nodes: random' of both jobs");
    CHECK(told(", nodes: random", {few}).shared > 0);
    // A star: on nodes of their own jobs have nothing in common.
    CHECK(told("", {"platform=fermi", "jobs.b.layout.ranks=3"}).note == apart);
  }

  TEST_CASE("A job that computes nothing gets no warning of its speed and one that does is named") {
    const auto peak = [](const std::string& compute) {
      std::vector<std::string> notes;
      const auto run = study::run_scenario(
          read("  - {name: halo, kernel: {name: wave2d, points: 2000, iterations: 2}, layout: {ranks: 4, per-node: 1}" +
               compute + "}\n" + job("moe", 4)),
          {.progress = false});
      for (const std::string& note : run.result.notes)
        if (note.find("peak speed") != std::string::npos) notes.push_back(note);
      return notes;
    };
    CHECK(peak(", compute: {model: roofline}").empty());
    const auto notes = peak("");
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].starts_with(
        "computation of job 'halo' is assumed to run at peak speed: no compute model is named. It would take "));
    CHECK(notes[0].ends_with("Name one ('compute: {model: roofline}' in the job)?"));
  }
}
