#include "sim/study/search/barrier_job.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "models/barrier/exhaustive.hpp"
#include "sim/cli/pages/barrier_c.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/show/charts/pattern_svg.hpp"
#include "sim/show/tables/text_table.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;

namespace {

study::BarrierRequest request(const char* platform, int ranks) {
  study::BarrierRequest asked;
  if (*platform != '\0') asked.platform = std::string(ORRERY_SOURCE_DIR "/platforms/") + platform + ".yaml";
  asked.layout.ranks = ranks;
  return asked;
}

std::string refusal(const study::BarrierRequest& asked) {
  try {
    study::find_barriers(asked);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// One point of an answer.
struct Row {
  const PointResult& point;
  const StagePattern& pattern;

  Seconds cost() const { return point.predictions.at(0).time; }
  bool proved() const { return point.metrics.at(2).value == 1.0; }
};

Row row(const study::BarrierAnswer& answer, const std::string& name) {
  const auto found = std::ranges::find(answer.result.points, name,
                                       [](const PointResult& point) { return point.settings.at(0).second; });
  REQUIRE_MESSAGE(found != answer.result.points.end(), "no point of " << name);
  return {*found, answer.patterns.at(static_cast<std::size_t>(found - answer.result.points.begin()))};
}

}  // namespace

TEST_SUITE("app/barrier") {
  TEST_CASE("Every barrier of the catalogue and every one that is made synchronises and has a cost and a time") {
    auto asked = request("ntnu-8x2x4", 20);
    asked.layout.per_node = 8;
    asked.layout.order = "round-robin";
    asked.simulate = true;
    const auto answer = study::find_barriers(asked);
    CHECK(answer.result.points.size() >= 12);
    for (const auto& each : answer.result.points) {
      INFO(each.settings[0].second);
      CHECK(each.failure.empty());
      CHECK(each.metrics.at(2).name == "all know");
      CHECK(each.metrics.at(2).value == 1.0);
      CHECK(each.predictions.at(0).time > Seconds{});
      CHECK(each.simulated.value() > Seconds{});
    }
    CHECK(row(answer, "ompi_bruck").pattern == dissemination_pattern(20));
    CHECK(row(answer, "hybrid").point.simulated < row(answer, "ompi_tree").point.simulated);
    CHECK(answer.clusters.size() == 3);
    CHECK(answer.result.notes.front().starts_with("hybrid, 3 clusters; level 0: tree of degree 2 among 0-18 by 3 ("));
    CHECK(show::to_text_table(answer.result).find("all points: ranks 20") != std::string::npos);
  }
  TEST_CASE("Without a platform barriers are proved and cost nothing") {
    const auto answer = study::find_barriers(request("", 9));
    CHECK(answer.clusters.empty());
    CHECK_FALSE(answer.chosen);
    CHECK(row(answer, "tree of degree 3").point.predictions.empty());
    CHECK(row(answer, "tree of degree 3").pattern == tree_pattern(9, 3));
    CHECK(show::to_text_table(answer.result).starts_with(R"(Barriers of 9 ranks
all points: ranks 9

barrier                 stages  signals  all know
)"));
  }
  TEST_CASE("What a search for barriers cannot be asked is refused") {
    CHECK(refusal(request("", 0)) ==
          "--ranks: not given, and neither is --pattern nor --platform. Write '--ranks 16'?");
    auto asked = request("", 4);
    asked.simulate = true;
    CHECK(refusal(asked) == "--simulate: no platform to do it on. Add '--platform NAME'?");
    asked = request("ntnu-8x2x4", 4);
    asked.sparseness = 1.5;
    CHECK(refusal(asked) ==
          "--sparseness: '1.5' is not between 0 and 1 (a share of the diameter). Write "
          "'--sparseness 0.35'?");
    CHECK(refusal(request("ntnu-8x2x4", -5)) ==
          "--ranks: '-5' is no number of ranks (0: as many as fit). Write '--ranks 16'?");
    asked = request("", 4);
    asked.root = 4;
    CHECK(refusal(asked) == "--root: '4' is no rank (0..3). Write '--root 0'?");
  }
  TEST_CASE("A reduce and a bcast are made about their root and played") {
    for (const char* goal : {"reduce", "bcast"}) {
      auto asked = request("ntnu-8x2x4", 20);
      asked.layout.per_node = 8;
      asked.layout.order = "round-robin";
      asked.goal = goal;
      asked.root = 7;
      asked.simulate = true;
      const auto answer = study::find_barriers(asked);
      CHECK(answer.result.points.size() == 5);
      for (const auto& each : answer.result.points) {
        INFO(goal << " " << each.settings[0].second);
        CHECK(each.failure.empty());
        CHECK(each.metrics.at(1).value == 19);
        CHECK(each.simulated.value() > Seconds{});
        CHECK(row(answer, "hybrid").cost() <= each.predictions.at(0).time);
      }
      CHECK(answer.result.title ==
            fmt::format("Patterns of 20 ranks for {} about rank 7 on ntnu-8x2x4, gigabit", goal));
      CHECK(answer.clusters[0] == std::vector<std::uint32_t>{7, 1, 4, 10, 13, 16, 19});
    }
  }
  TEST_CASE("Who would count another twice in a sum is named where an allreduce is the goal") {
    auto asked = request("ntnu-8x2x4", 24);
    asked.goal = "allreduce";
    const auto answer = study::find_barriers(asked);
    CHECK_FALSE(row(answer, "dissemination").proved());
    CHECK(row(answer, "tree of degree 2").proved());
    CHECK(row(answer, "hybrid").proved());
    CHECK(row(answer, "dissemination").point.failure.empty());  // for a maximum it is enough
    CHECK(std::ranges::count(answer.result.notes, "dissemination is no sum: 0 counts 0 twice") == 1);
  }
  TEST_CASE("Costs from matrices that are no metric are refused with file and line and the nodes") {
    auto asked = request("ntnu-8x2x4", 64);
    const auto file = std::filesystem::temp_directory_path() / fmt::format("orrery-metric-{}.yaml", ::getpid());
    asked.matrices = file.string();
    std::string text = "platform: ntnu-8x2x4\nnetwork: gigabit\nmodels:\n  barrier-matrix:\n    matrices:\n";
    for (const char* name : {"O", "L"}) {
      text += fmt::format("      - name: {}\n        unit: s\n        rows: nodes\n        values:\n", name);
      for (int i = 0; i < 8; ++i) {
        text += "          - [";
        for (int j = 0; j < 8; ++j)
          text += fmt::format("{}{}", j > 0 ? ", " : "", i == 5 && j == 2 && *name == 'L' ? "3e-3" : "3e-5");
        text += "]\n";
      }
    }
    config::write_file(asked.matrices, text);
    CHECK(refusal(asked) == asked.matrices +
                                ":27:13: matrix 'L', node 5 to node 2: a signal between ranks 16 and 40 costs 3.06 ms, "
                                "by way of rank 0 only 180 us (costs that are a metric). Measure this pair again?");
    std::filesystem::remove(file);
  }
  TEST_CASE("The row of the cheapest pattern says of how many stages at most") {
    const auto answer = study::find_barriers(request("ntnu-8x2x4", 2));
    CHECK(row(answer, "cheapest of at most 3 stages").proved());
    CHECK(exhaustive_stages_max(3) == 3);
    CHECK(exhaustive_stages_max(4) == 2);
  }
  TEST_CASE("The barrier of a communicator is made for the places of its members") {
    auto asked = request("ntnu-8x2x4", 24);
    asked.members = "20,0-3,8-11";
    const auto answer = study::find_barriers(asked);
    CHECK(answer.patterns.front().ranks == 9);
    CHECK(answer.clusters == std::vector<std::vector<std::uint32_t>>{{0}, {1, 2, 3, 4}, {5, 6, 7, 8}});
    CHECK(study::members_listed("7,0-2", 8) == std::vector<std::uint32_t>{7, 0, 1, 2});
    CHECK_THROWS_WITH_AS(study::members_listed("1,5-9", 8),
                         "--members names '5-9' (ranks 0..7, as '0,2,5-7'). Write '0-7'?", InputError);
    CHECK_THROWS_WITH_AS(study::members_listed("1,0-2", 8), "--members names rank 1 twice. Name it once?", InputError);
  }
  TEST_CASE("Costs come from a parameter file of the platform and network or are refused") {
    auto asked = request("ntnu-8x2x4", 16);
    const auto file = std::filesystem::temp_directory_path() / fmt::format("orrery-barriers-{}.yaml", ::getpid());
    asked.matrices = file.string();
    config::write_file(asked.matrices,
                       "platform: ntnu-8x2x4\nnetwork: gigabit\nmodels:\n  barrier-matrix:\n    origin: hand\n    "
                       "tables:\n      - {name: pair, labels: {channel: shared-memory, types: xeon2x4}, columns: "
                       "[invocation_s, overhead_s, latency_s], rows: [[0, 1e-6, 1e-6]]}\n      - {name: pair, labels: "
                       "{channel: network, types: xeon2x4}, columns: [invocation_s, overhead_s, latency_s], "
                       "rows: [[0, 1e-6, 1e-5]]}\n");
    const auto answer = study::find_barriers(asked);
    // 2 L + O of a signal to the root from the other node, then 2 L to each of 7 and 8 ranks and O once.
    CHECK(row(answer, "linear").cost() == test::near(Seconds(21e-6 + 7 * 2e-6 + 8 * 20e-6 + 1e-6)));
    asked.platform = ORRERY_SOURCE_DIR "/platforms/ntnu-12x2x6.yaml";
    CHECK(
        refusal(asked) ==
        "--matrices: '" + asked.matrices +
            "' has no parameters of model 'barrier-matrix' for network 'gigabit' of "
            "platform 'ntnu-12x2x6'. Make them with 'orrery calibrate --platform ntnu-12x2x6 --network gigabit --model "
            "barrier-matrix -o FILE'?");
    std::filesystem::remove(file);
  }
  TEST_CASE("Ranks are listed as runs") {
    CHECK(study::ranks_text({0, 1, 2, 3}) == "0-3");
    CHECK(study::ranks_text({5, 13, 21, 29}) == "5-29 by 8");
    CHECK(study::ranks_text({0, 3, 5, 6, 7}) == "0, 3, 5-7");
    CHECK(study::ranks_text({7}) == "7");
    CHECK(study::ranks_text({7, 0, 1}) == "7, 0, 1");
  }
  TEST_CASE("A pattern is drawn with a point for each rank and stage and an arrow for each signal") {
    const std::string svg = show::pattern_svg(tree_pattern(5), {"a <tree>", {{0, 1}, {2, 3}}});
    const auto count = [&](const char* what) {
      std::size_t found = 0;
      for (std::size_t at = svg.find(what); at != std::string::npos; at = svg.find(what, at + 1)) ++found;
      return found;
    };
    CHECK(count("<circle") == 5 * (tree_pattern(5).stages.size() + 1));
    CHECK(count("Z\"") == tree_pattern(5).signals());
    CHECK(svg.find("a &lt;tree&gt;") != std::string::npos);
  }
  TEST_CASE("The C function of a barrier holds the calls of each process") {
    const std::string text = cli::barrier_c(linear_pattern(3), "three", "of a test, a*/b");
    CHECK(text.starts_with("/*\n * of a test, a* /b\n * 2 stages, 4 signals; proved by"));
    CHECK(text.find(
              "    case 0:\n      RECEIVE(1, 0);\n      RECEIVE(2, 1);\n      WAIT(2);\n      SIGNAL(1, 0);\n"
              "      SIGNAL(2, 1);\n      WAIT(2);\n      break;\n    case 1:\n      SIGNAL(0, 0);\n      WAIT(1);\n"
              "      RECEIVE(0, 0);\n      WAIT(1);\n      break;\n") != std::string::npos);
    CHECK(text.find("if (size != 3) return MPI_ERR_COMM;") != std::string::npos);
  }
  TEST_CASE("A pattern that does not synchronise is not written as a C function") {
    StagePattern half = linear_pattern(3);
    half.stages.pop_back();
    CHECK_THROWS_WITH_AS(cli::barrier_c(half, "half", ""),
                         "--emit-c: rank 1 leaves without knowing that rank 0 has arrived (the pattern is no barrier). "
                         "Choose another?",
                         InputError);
    CHECK_THROWS_WITH_AS(cli::barrier_c(linear_pattern(3), "3x", ""),
                         "--emit-c: '3x' is no name of a C function (letters, digits and '_'). Choose '--name "
                         "my_barrier'?",
                         InputError);
    for (const std::string name : {"while", "_Bool", "CALL", "WAIT", "SIGNAL", "RECEIVE", "NULL", "MPI_Barrier"})
      CHECK_THROWS_WITH_AS(cli::barrier_c(linear_pattern(3), name, ""),
                           ("--emit-c: '" + name +
                            "' is taken (a word of C, of MPI or a macro of the file). Choose '--name my_barrier'?")
                               .c_str(),
                           InputError);
    CHECK_NOTHROW(cli::barrier_c(linear_pattern(3), "waits_MPI_", ""));
    CHECK_THROWS_WITH_AS(cli::barrier_c(linear_pattern(5000), "big", ""),
                         "--emit-c: 5000 ranks (at most 4096, each has code of its own). Save the pattern with -o?",
                         InputError);
  }
}
