#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/search/allocate_job.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
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

}  // namespace

TEST_SUITE("app/allocate") {
  TEST_CASE("Both searches of an allocation give the same configuration and say what they examined") {
    const auto answer = study::allocate(request());
    REQUIRE(answer.jobs.size() == 1);
    const auto& job = answer.jobs[0];
    REQUIRE(job.best);
    CHECK(job.exhaustive->examined == 9 * 17 * 9 - 1);
    CHECK(job.branch_and_bound->examined < job.exhaustive->examined);
    CHECK(job.exhaustive->best->configuration == job.branch_and_bound->best->configuration);
    CHECK(job.best->configuration.parts[2].nodes == 0);  // a Celeron would have everybody wait
    CHECK(study::allocate_text(answer, 200, false).find("branch and bound: ") != std::string::npos);
    CHECK(study::allocate_csv(answer).starts_with("job,size,ranks,configuration,time_s,cost,energy_J\n1,3200,1,"));
    CHECK(study::allocate_json(answer).find("\"branches_cut\"") != std::string::npos);
    CHECK(study::allocate_svg(answer).starts_with("<svg"));
  }
  TEST_CASE("The next job gets the best of the nodes that the first one leaves and waits where none are left") {
    AllocateRequest asked = request();
    asked.nodes = {"pentium4=2", "xeon=0", "celeron=1"};
    asked.sizes = {"3200", "3200", "400"};
    const auto answer = study::allocate(asked);
    REQUIRE(answer.jobs.size() == 3);
    CHECK(answer.jobs[0].best->configuration.text() == "2,1,0,0,0,0");
    CHECK(answer.jobs[1].best->configuration.text() == "0,0,0,0,1,1");
    CHECK_FALSE(answer.jobs[2].best);
    CHECK(study::allocate_text(answer, 200, false).find("nothing that is left may run it: it waits") !=
          std::string::npos);
  }
  TEST_CASE("The cheapest within a share of the fastest is no slower than that and costs less") {
    AllocateRequest asked = request();
    const double fastest = study::allocate(asked).jobs[0].best->seconds;
    asked.objective = "cost";
    asked.prices = {"pentium4=3", "xeon=2", "celeron=1"};
    asked.within = "50%";
    const auto cheap = *study::allocate(asked).jobs[0].best;
    CHECK(cheap.seconds <= 1.5 * fastest);
    CHECK(cheap.seconds > fastest);
    asked.within = "0%";
    CHECK(study::allocate(asked).jobs[0].best->seconds == near(fastest));
    CHECK(study::allocate(asked).jobs[0].best->cost > cheap.cost);
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
    const auto of_platform = *study::allocate(stated).jobs[0].best, of_flags = *study::allocate(given).jobs[0].best;
    CHECK(of_platform.configuration == of_flags.configuration);
    CHECK(of_platform.cost == near(of_flags.cost));
    stated.prices = {"xeon=0"};
    CHECK(study::allocate(stated).jobs[0].best->cost == near(0.0));
    stated.objective = "energy";
    const auto best = *study::allocate(stated).jobs[0].best;
    CHECK(best.energy == near(100.0 * best.ranks * best.seconds));  // a rank to a node of one core
    const std::string power = "\n    power: {idle: 50W";
    for (auto at = text.find(power); at != std::string::npos; at = text.find(power, at + 30))
      text.insert(at, "\n    power-cap: 80W");
    std::ofstream(file) << text;
    const auto capped = *study::allocate(stated).jobs[0].best;
    CHECK(capped.energy == near(80.0 * capped.ranks * capped.seconds));
  }
  TEST_CASE("Ranks and memory restrict what may be chosen") {
    AllocateRequest asked = request();
    asked.ranks = {"power-of-two", "at-most=4"};
    CHECK(study::allocate(asked).jobs[0].best->ranks == 4);
    asked.ranks = {"multiple-of=3"};
    CHECK(study::allocate(asked).jobs[0].best->ranks % 3 == 0);
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
