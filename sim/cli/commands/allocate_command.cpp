/// `orrery allocate`: which nodes a job gets, with how many processes each, from times of some runs.
#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/cli/run_output.hpp"
#include "sim/study/search/allocate_job.hpp"

namespace orrery::cli::allocate_command {

namespace {

struct Options {
  AllocateRequest request;
  std::string svg, csv, format = "table";
};

int allocate(const Options& options) {
  const ScenarioResult result = cli::allocate(options.request);
  const char* series = options.request.sizes.size() > 1 ? "job" : "size";
  write_table(result, {options.svg, options.csv, std::string("x=ranks,y=makespan,series=") + series});
  print_result(result, options.format);
  return 0;
}

const bool entered = commands().add({
    .name = "allocate",
    .summary = "find the best configuration of a heterogeneous cluster for a job from the times of some runs",
    .example = "orrery allocate --platform toyohashi --times out/hpl/configurations.csv --kernel hpl "
               "--model 'np-t extrapolate=true' --size 9600 --svg best.svg",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          AllocateRequest& request = options->request;
          line.path("--platform", request.platform, "platform name or file", true);
          line.path(
              "--times", request.times,
              "CSV with columns configuration, size and time_s: from real runs, or configurations.csv of 'orrery run'",
              true);
          line.option("--kernel", request.kernel, "kernel that defines the terms of the fit ('orrery show model np-t')",
                      true);
          line.option("--size", request.sizes,
                      "size of the job; repeat the option for further jobs, which get the best remaining nodes");
          line.option("--model", request.model,
                      "model with its options, as in 'np-t fit=ls basis=n^3/p,1 extrapolate=true'");
          line.choice("--objective", request.objective, {"time", "cost", "energy"}, "quantity to minimize");
          line.option("--within", request.within,
                      "with cost or energy: only configurations at most this much slower than the fastest, as in 10%");
          line.option("--price", request.prices,
                      "price of a node per hour, TYPE=NUMBER (repeatable; default: the platform's 'price')");
          line.option(
              "--power", request.powers,
              "power of a node in watts, TYPE=NUMBER (repeatable; default: 'computing' of the platform's 'power')");
          line.option("--nodes", request.nodes, "free nodes, TYPE=NUMBER (repeatable; default: all)");
          line.option("--ranks", request.ranks,
                      "allowed ranks: power-of-two, divides (the size), multiple-of=K or at-most=K (repeatable)");
          line.option("--memory", request.memory, "memory of the whole job, split evenly over ranks, as in 0.9GB");
          line.option("--per-core", request.per_core, "maximum ranks per core");
          line.choice("--search", request.search, {"both", "exhaustive", "branch-and-bound"}, "search method");
          line.output("--svg", options->svg, "draw the best time for each number of ranks to this file (SVG)");
          line.output("--csv", options->csv, "write the best configuration for each number of ranks to this file");
          line.choice("--format", options->format, {"table", "json", "csv"}, "output format");
          line.run([options] { return allocate(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::allocate_command
