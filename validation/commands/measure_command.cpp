/// `orrery measure`: a scenario with real MPI, stored as a campaign.
#include <fmt/format.h>

#include <memory>

#include "kernels/micro_benchmark.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/read/data_path.hpp"
#include "validation/commands/campaign.hpp"

namespace orrery::cli::measure_command {

namespace {

struct Options {
  std::string scenario, out, on = "cluster", compute = "spin", sizes;
  int repeat = 21, warm_up = 3;
  bool slurm = false, read = false, benchmarks_only = false;
};

constexpr int repeat_max = 100'000, warm_up_max = 1000;

int run(const Options& options) {
  if (options.repeat < 1 || options.repeat > repeat_max)
    throw InputError("--repeat: '{}' is outside 1..{}. Write '--repeat 21'?", options.repeat, repeat_max);
  if (options.warm_up < 1 || options.warm_up > warm_up_max)
    throw InputError(
        "--warm-up: '{}' is outside 1..{} (the first run checks every byte). Write "
        "'--warm-up 3'?",
        options.warm_up, warm_up_max);
  MeasureRequest request{.scenario = data_path("scenarios", options.scenario, "yaml", "orrery measure"),
                         .folder = options.out,
                         .on = options.slurm          ? MeasureOn::slurm
                               : options.on == "here" ? MeasureOn::here
                                                      : MeasureOn::cluster,
                         .sizes = {},
                         .repeat = options.repeat,
                         .warm_up = options.warm_up,
                         .points = !options.benchmarks_only,
                         .compute = options.compute};
  if (!options.sizes.empty()) request.sizes = parse_sizes(options.sizes, "--sizes");
  if (options.read) {
    if (const auto missing = missing_of(options.out, request.points); !missing.empty())
      throw InputError("{}: no '{}' there (the job writes it). Has it ended?", options.out, missing);
    complete_campaign(request);
  } else if (const int code = measure_campaign(request); code != 0) {
    return code;
  }
  if (options.slurm && !options.read)
    say("job: {}/job.sh. Copy the folder to the cluster, send it there with 'sbatch job.sh', then\n  orrery measure "
        "{} --out {} --read\n",
        options.out, options.scenario, options.out);
  else
    say("campaign: {}/README.md  (benchmarks.csv, points.csv, compare.yaml)\n", options.out);
  return 0;
}

const bool entered = commands().add({
    .name = "measure",
    .summary = "measure a scenario with real MPI: here, on an emulated cluster, or as a batch job",
    .example = "orrery measure emulated-cluster --out campaign\n"
               "  orrery measure my.yaml --out campaign --slurm     (then, when the job has ended: --read)",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.path("SCENARIO", options->scenario, "scenario file or name");
          line.path("--out", options->out, "output folder of the campaign", true);
          line.choice(
              "--on", options->on, {"cluster", "here"},
              "cluster: emulate the scenario's platform; here: mpirun on this machine, oversubscribed if needed");
          line.choice("--compute", options->compute, {"spin", "sleep", "work", "none", "real"},
                      "compute steps: spin or sleep for the modelled time; work: do as many flops; none: skip; real: "
                      "fft, hpl, stencil, summa and wave2d compute results, which are checked");
          line.flag("--slurm", options->slurm, "write a batch script for a real cluster instead of measuring");
          line.flag("--read", options->read, "read the results that this script left in the folder");
          line.option("--repeat", options->repeat, "measured runs per point and benchmark");
          line.option("--warm-up", options->warm_up, "warm-up runs before them, not counted");
          line.option("--sizes", options->sizes, "message sizes of the benchmarks (default: 19 from 1 B to 256 KiB)");
          line.flag("--benchmarks-only", options->benchmarks_only,
                    "measure only the micro-benchmarks for calibration, no points");
          line.run([options] { return run(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::measure_command
