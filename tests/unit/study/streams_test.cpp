// Schedules whose ranks work on several cpus at the same time, played from the file to the result.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/study/play/run_scenario.hpp"
#include "sim/study/read/scenario.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;

namespace {

study::ScenarioRun played(const std::string& goal, const std::string& more) {
  const auto file =
      (std::filesystem::temp_directory_path() / fmt::format("{}-orrery-streams.goal", ::getpid())).string();
  config::write_file(file, goal);
  const std::string text = "source: test\nengine: flow\nplatform: " + std::string(ORRERY_SOURCE_DIR) +
                           "/platforms/fermi.yaml\nnetwork: infiniband\nkernel: {name: trace, file: " + file + "}\n" +
                           more;
  return study::run_scenario(parse_scenario(config::parse_yaml(text, "s.yaml"), "s.yaml", {}),
                             {.jobs = 1, .progress = false});
}

const std::string computing =
    "num_ranks 1\nrank 0 {\nc: calc 1000000\na: calc 300000 cpu 1\nb: calc 300000 cpu 1\nb requires a\n"
    "d: calc 300000 cpu 1\nd requires b\ne: calc 100000\ne requires c\ne requires d\n}\n";

}  // namespace

TEST_SUITE("study/streams") {
  TEST_CASE("Cpus of one rank compute at the same time and a signal between them takes none") {
    const auto run = played(computing, "layout: {per-node: 1}\n");
    REQUIRE(run.result.points.size() == 1);
    CHECK(run.result.points[0].run.makespan.si() == near(1.1e-3));
    CHECK(run.result.points[0].run.messages == 0);
    CHECK(run.result.points[0].layout.ranks() == 2);
    CHECK(run.result.points[0].layout.same_node(Rank{0}, Rank{1}));
    CHECK(std::ranges::any_of(run.result.notes, [](const std::string& note) {
      return note.ends_with(
          "1 of 1 ranks work on several cpus: each cpu is a rank here, on the host of its rank, 2 "
          "ranks in all");
    }));
  }

  TEST_CASE("A chain of messages on one cpu goes on while another computes") {
    // Ten round trips on cpu 1 and 5 ms of computing on cpu 0, beside each other: the computing is all.
    std::string goal = "num_ranks 2\n";
    for (const std::string me : {"0", "1"}) {
      goal += "rank " + me + " {\nc: calc 5000000\n";
      for (int i = 0; i < 10; ++i) {
        const std::string n = std::to_string(i), other = me == "0" ? "1" : "0";
        const std::string send = "s" + n + ": send 8b to " + other + " tag 1 cpu 1\n";
        const std::string recv = "r" + n + ": recv 8b from " + other + " tag 1 cpu 1\n";
        if (me == "0")
          goal += send + (i > 0 ? "s" + n + " requires r" + std::to_string(i - 1) + "\n" : "") + recv + "r" + n +
                  " requires s" + n + "\n";
        else
          goal += recv + (i > 0 ? "r" + n + " requires s" + std::to_string(i - 1) + "\n" : "") + send + "s" + n +
                  " requires r" + n + "\n";
      }
      goal += "}\n";
    }
    const auto run = played(goal, "layout: {per-node: 1}\n");
    CHECK(run.result.points[0].run.makespan.si() == near(5e-3));
    CHECK(run.result.points[0].run.messages == 20);
  }

  TEST_CASE("Models refuse a schedule whose ranks do several things at once") {
    try {
      played(computing, "layout: {per-node: 1}\nmodels: [hockney]\n");
      FAIL("not refused");
    } catch (const InputError& refusal) {
      CHECK(std::string(refusal.what())
                .ends_with("orrery-streams.goal: rank 0 works on several cpus at the same time (models take one thing "
                           "after another). Simulate it without models?"));
    }
  }

  TEST_CASE("A layout of another number of ranks than the schedule's is refused with the schedule's") {
    try {
      played(computing, "layout: {ranks: 2}\n");
      FAIL("not refused");
    } catch (const InputError& refusal) {
      CHECK(std::string(refusal.what())
                .ends_with("orrery-streams.goal' has 1 ranks, the layout places 2 (they must agree; cpus of a "
                           "rank are on its host). Write '--ranks 1'?"));
    }
  }
}
