#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/show/charts/paper_charts.hpp"
#include "sim/show/summary/summary.hpp"
#include "sim/show/tables/csv.hpp"
#include "sim/show/tables/text_table.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/search/allocate_job.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using show::setting_of;
using study::AllocateRequest;
using test::near;

namespace {

/// Times of Linpack-like runs on single sub-clusters of platform toyohashi: n^3 / p, the Celerons five times as slow.
std::string times_file() {
  const auto path =
      std::filesystem::temp_directory_path() / ("orrery-allocate-test-" + std::to_string(::getpid()) + ".csv");
  std::ofstream file(path);
  file << "configuration,size,time_s\n";
  const double slower[] = {1.0, 1.3, 5.0};
  for (int type = 0; type < 3; ++type)
    for (int nodes = 1; nodes <= 4; ++nodes)
      for (const int n : {400, 800, 1600, 3200}) {
        const double size = n;
        std::string configuration;
        for (int k = 0; k < 3; ++k)
          configuration += (k > 0 ? "," : "") + std::to_string(k == type ? nodes : 0) + "," + (k == type ? "1" : "0");
        file << '"' << configuration << "\"," << n << ','
             << slower[type] * 1e-10 * size * size * size / nodes + (nodes > 1 ? 2e-8 * size * size * nodes : 0.0)
             << '\n';
      }
  return path.string();
}

AllocateRequest request() {
  AllocateRequest asked{.platform = "toyohashi", .times = times_file(), .kernel = "hpl"};
  asked.sizes = {"3200"};
  asked.model = "np-t extrapolate=true";
  asked.per_core = 1;
  return asked;
}

std::string refusal(const AllocateRequest& asked) {
  try {
    study::allocate(asked);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

/// Of the first job: the best stands first.
const PointResult& best(const ScenarioResult& result) { return result.points.front(); }
double seconds(const PointResult& point) { return point.predictions.front().time.si(); }
double metric(const PointResult& point, const std::string& name) {
  const auto found = std::ranges::find(point.metrics, name, &Metric::name);
  REQUIRE(found != point.metrics.end());
  return found->value;
}

}  // namespace

TEST_SUITE("app/allocate") {
  TEST_CASE("Both searches of an allocation give the same configuration and say what they examined") {
    AllocateRequest asked = request();
    const auto both = study::allocate(asked);
    REQUIRE(both.points.size() > 8);
    CHECK(best(both).layout_name.ends_with(",0,0"));  // a Celeron would have everybody wait
    CHECK(metric(best(both), "behind") == 0.0);
    CHECK(setting_of(best(both).settings, "ranks") == std::to_string(best(both).layout.ranks()));
    REQUIRE(both.notes.size() == 1);
    CHECK(both.notes[0].starts_with("size 3200 on 8 pentium4, 16 xeon, 8 celeron: best: (" + best(both).layout_name +
                                    "), "));
    CHECK(both.notes[0].find("; exhaustive: 1376 of 1376 configurations examined; branch and bound: ") !=
          std::string::npos);
    CHECK(both.notes[0].ends_with(" branches cut"));
    for (std::size_t i = 1; i < both.points.size(); ++i) CHECK(seconds(both.points[i - 1]) <= seconds(both.points[i]));
    asked.search = "branch-and-bound";
    const auto bounded = study::allocate(asked);
    REQUIRE(bounded.points.size() == 1);
    CHECK(best(bounded).settings == best(both).settings);
    CHECK(seconds(best(bounded)) == seconds(best(both)));
  }
  TEST_CASE("An allocation is a result as of any run: table and CSV and a chart over the ranks") {
    const auto result = study::allocate(request());
    const std::string table = show::to_text_table(result);
    CHECK(table.starts_with("hpl on toyohashi: the configuration of least time\n"));
    CHECK(table.find("makespan") == std::string::npos);  // nothing was played
    CHECK(show::to_csv(result).starts_with("point,setting.size,setting.ranks,setting.configuration,"));
    const auto charts = show::paper::charts_of(result, show::paper::chart_choice("x=ranks,y=makespan,series=size"));
    REQUIRE(charts.size() == 1);  // which configuration follows from the ranks
    CHECK(charts[0].series.front().points.size() == result.points.size());
  }
  TEST_CASE("The next job gets the best of the nodes that the first one leaves and waits where none are left") {
    AllocateRequest asked = request();
    asked.nodes = {"pentium4=2", "xeon=0", "celeron=1"};
    asked.sizes = {"3200", "3200", "400"};
    const auto result = study::allocate(asked);
    std::vector<std::string> bests;
    for (const auto& point : result.points)
      if (metric(point, "behind") == 0.0) bests.push_back(setting_of(point.settings, "job") + ": " + point.layout_name);
    CHECK(bests == std::vector<std::string>{"1: 2,1,0,0,0,0", "2: 0,0,0,0,1,1"});
    REQUIRE(result.notes.size() == 3);
    CHECK(result.notes[2] == "size 400 on no node: nothing that is left may run it: it waits");
  }
  TEST_CASE("The cheapest within a share of the fastest is no slower than that and costs less") {
    AllocateRequest asked = request();
    const double fastest = seconds(best(study::allocate(asked)));
    asked.objective = "cost";
    asked.prices = {"pentium4=3", "xeon=2", "celeron=1"};
    asked.within = "50%";
    const auto cheap = best(study::allocate(asked));
    CHECK(seconds(cheap) <= 1.5 * fastest);
    CHECK(seconds(cheap) > fastest);
    CHECK(show::to_csv(study::allocate(asked)).find(",failure,cost,behind_%\r\n") != std::string::npos);
    asked.within = "0%";
    CHECK(seconds(best(study::allocate(asked))) == near(fastest));
    CHECK(metric(best(study::allocate(asked)), "cost") > metric(cheap, "cost"));
  }
  TEST_CASE("An allocation counts with the prices and the power that a platform states unless others are given") {
    std::string text = config::read_file(data_path("platforms", "toyohashi", "yaml", "test"));
    for (const auto& [type, lines] : {std::pair{"  pentium4:", "\n    price: 3"},
                                      {"  xeon:", "\n    price: 2"},
                                      {"  celeron:", "\n    price: 1"}}) {
      const auto end = text.find('\n', text.find(type));
      text.insert(end, std::string(lines) +
                           "\n    power: {idle: 50W, computing: 100W, communicating: 60W, assumed: \"a test\"}");
    }
    const auto file =
        std::filesystem::temp_directory_path() / ("orrery-priced-test-" + std::to_string(::getpid()) + ".yaml");
    std::ofstream(file) << text;
    AllocateRequest stated = request(), given = request();
    stated.platform = file.string();
    stated.objective = given.objective = "cost";
    given.prices = {"pentium4=3", "xeon=2", "celeron=1"};
    const auto of_platform = best(study::allocate(stated)), of_flags = best(study::allocate(given));
    CHECK(of_platform.layout_name == of_flags.layout_name);
    CHECK(metric(of_platform, "cost") == near(metric(of_flags, "cost")));
    stated.prices = {"xeon=0"};
    const auto free = best(study::allocate(stated));
    CHECK(metric(free, "cost") == near(0.0));
    CHECK(std::ranges::find(free.metrics, "behind", &Metric::name) == free.metrics.end());  // of nothing
    stated.objective = "energy";
    const auto frugal = best(study::allocate(stated));
    // A rank to a node of one core.
    CHECK(metric(frugal, "energy") == near(100.0 * frugal.layout.ranks() * seconds(frugal)));
    const std::string power = "\n    power: {idle: 50W";
    for (auto at = text.find(power); at != std::string::npos; at = text.find(power, at + 30))
      text.insert(at, "\n    power-cap: 80W");
    std::ofstream(file) << text;
    const auto capped = best(study::allocate(stated));
    CHECK(metric(capped, "energy") == near(80.0 * capped.layout.ranks() * seconds(capped)));
  }
  TEST_CASE("Ranks and memory restrict what may be chosen") {
    AllocateRequest asked = request();
    asked.ranks = {"power-of-two", "at-most=4"};
    CHECK(best(study::allocate(asked)).layout.ranks() == 4);
    asked.ranks = {"multiple-of=3"};
    CHECK(best(study::allocate(asked)).layout.ranks() % 3 == 0);
    asked.ranks = {"at-most=4"};
    asked.memory = "100GB";
    CHECK(
        refusal(asked) ==
        "size 3200: none of 1376 configurations of the free nodes is permitted (100GB in equal shares leave none that "
        "fits into its node, of 2 GiB at most). Use a smaller --memory or more nodes?");
  }
  TEST_CASE("An allocation that nothing permits names the constraint without which there would be one") {
    const auto none = [](const std::string& why) {
      return "size 3200: none of 1376 configurations of the free nodes is permitted (" + why;
    };
    AllocateRequest asked = request();
    asked.ranks = {"multiple-of=100"};
    CHECK(refusal(asked) == none("no number of ranks meets --ranks multiple-of=100). Use another --ranks?"));
    asked.ranks = {"divides", "multiple-of=3"};
    CHECK(refusal(asked) ==
          none("no number of ranks meets --ranks divides --ranks multiple-of=3). Use another --ranks?"));
    asked.ranks = {"multiple-of=100"};
    asked.memory = "100GB";
    CHECK(refusal(asked) == none("--memory and --ranks together leave none). Use a smaller --memory?"));
    asked = request();
    asked.model = "np-t";
    asked.sizes = {"3201"};
    CHECK(refusal(asked) ==
          "size 3201: none of 1376 configurations of the free nodes is permitted (the fitted runs say nothing of their "
          "sizes and ranks without 'extrapolate=true'). Fit to more runs, or add 'extrapolate=true' to --model?");
    asked = request();
    asked.nodes = {"pentium4=0", "xeon=0", "celeron=0"};
    CHECK(refusal(asked) == "size 3200: no node is free (of --nodes). Free some?");
  }
  TEST_CASE("An allocation that cannot be is refused with the remedy") {
    AllocateRequest asked = request();
    asked.objective = "cost";
    CHECK(refusal(asked) ==
          "--objective: 'cost' has no prices to count with (every node type of 'toyohashi' would state 'price'). Add "
          "'--price pentium4=1'?");
    asked = request();
    asked.within = "10%";
    CHECK(refusal(asked) ==
          "--within: the fastest is no slower than itself (with --objective cost or energy it is a limit). Add "
          "'--objective cost'?");
    asked = request();
    asked.nodes = {"xeon=17"};
    CHECK(refusal(asked) == "--nodes: 17 nodes of 'xeon' are free of 16 (a whole number up to that). Take fewer?");
    asked = request();
    asked.prices = {"xeno=1"};
    CHECK(
        refusal(asked) ==
        "--price: platform 'toyohashi' has no node type 'xeno' (known: celeron, pentium4, xeon). Did you mean 'xeon'?");
    asked.prices = {"xeon=-1"};
    CHECK(refusal(asked) == "--price: '-1' is no number from 0 to 1e+09. Write '1'?");
    asked = request();
    asked.ranks = {"even"};
    CHECK(refusal(asked) ==
          "--ranks: 'even' is no rule (power-of-two, divides, multiple-of=K, at-most=K). Write 'power-of-two'?");
    asked = request();
    asked.model = "np-t mode=n-t";
    CHECK(
        refusal(asked) ==
        "--model: mode n-t knows the configurations it was fitted to alone (np-t, p-t and stage-t tell others). Write "
        "'np-t'?");
    asked.model = "taulop";
    CHECK(refusal(asked) == "--model: 'taulop' tells no time by configuration (np-t does). Write 'np-t fit=nnls'?");
    asked = request();
    asked.model = "np-t";  // 3200 and four nodes were fitted; a cluster of all needs more
    asked.sizes = {"6400"};
    CHECK(refusal(asked).find("'extrapolate=true'") != std::string::npos);
  }
}
