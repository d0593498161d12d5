/// `orrery calibrate`: measures the parameters of analytic models with the papers' micro-benchmarks.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/cli/pages/calibration_files.hpp"
#include "sim/cli/run_output.hpp"
#include "sim/config/files.hpp"
#include "sim/config/folders.hpp"
#include "sim/config/parameter_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/fit/calibrate.hpp"
#include "sim/study/fit/calibration_request.hpp"
#include "sim/study/play/progress.hpp"
#include "sim/study/read/engines.hpp"
#include "sim/study/read/load.hpp"

namespace orrery::cli::calibrate_command {

namespace {

struct Options {
  std::string platform, network, engine = default_engine, pairs = "types", from, sizes, out, csv, svg, tables;
  std::vector<std::string> models;
  int concurrency = 0, jobs = 0;
  bool plan = false;

  bool writes() const { return !(out.empty() && csv.empty() && svg.empty() && tables.empty()); }
};

void write(const std::string& path, const std::string& text) {
  config::write_file(path, text);
  say("wrote {}\n", path);
}

/// As asked for; else, of a campaign, those that its ping-pong was measured with.
std::string sizes_of(const Options& options) {
  if (!options.sizes.empty() || !config::is_folder(options.from)) return options.sizes;
  const std::string file = benchmarks_file(options.from);
  std::string sizes;
  for (const auto& series : parse_measured_csv(config::read_file(file), file).series)
    if (series.id.starts_with("pingpong/network/") && sizes.empty())
      for (const auto& point : series.times)
        sizes += fmt::format("{}{:.0f}B", sizes.empty() ? "" : ",", point.first.si());
  return sizes;
}

Measured measured_by(const Options& options, const std::vector<Experiment>& plan, const Platform& platform,
                     const Network& network) {
  if (!options.from.empty()) {
    const std::string file = benchmarks_file(options.from);
    return parse_measured_csv(config::read_file(file), file);
  }
  Progress bar("calibrating " + platform.name + ", " + network.name, plan.size());
  return measure(plan, platform, network,
                 {.jobs = jobs_of(options.jobs),
                  .progress = [&](std::size_t done, std::size_t, const std::string& last) { bar.update(done, last); },
                  .keep_going = [] { return !interrupted(); },
                  .engine = [&] { return make_engine(options.engine, "--engine"); }});
}

void write_tables(const std::string& folder, const std::vector<ModelParameters>& sets, const Platform& platform,
                  const Network& network) {
  const auto taulop = std::ranges::find(sets, "taulop", &ModelParameters::model);
  if (taulop == sets.end())
    throw InputError("--tables: tau-Lop is not among the models calibrated. Add --model taulop?");
  for (const auto& [file, table] : taulop_text_tables(*taulop, platform, network))
    write(fmt::format("{}/{}", folder, file), table);
}

int run_calibrate(const Options& options) {
  const auto begin = std::chrono::steady_clock::now();
  if (!named_scenarios(options.from, "--from").empty())
    throw InputError(
        "--from: '{0}' is a scenario, which has times of programs (parameters of models take "
        "micro-benchmarks). Run 'orrery fit {0}' to fit the platform?",
        options.from);
  if (options.platform.empty()) throw InputError("--platform is missing. Write '--platform fermi'?");
  const Platform platform = load_platform_named(options.platform, "--platform");
  const Network& network = network_named(platform, options.network);
  CalibrationRange range = calibration_range(platform, sizes_of(options), options.concurrency);
  range.pairs = *meaning_of(calibration_pairs_words, options.pairs);
  const auto entries = models_named(options.models, range.pairs);
  const auto plan = plan_of(entries, platform, network, range);
  if (options.plan) {
    say("{}", plan_text(plan, platform));
    return 0;
  }
  const Measured measured = measured_by(options, plan, platform, network);
  const auto sets = of_file(options.from.empty() ? "" : measured.origin,
                            [&] { return fit(entries, platform, network, range, measured); });
  for (const auto& note : calibration_notes(sets)) tell("note: {}\n", note);
  const std::string text = config::parameter_file_text(sets, parameter_comment(sets, range));
  if (!options.writes()) say("{}", text);
  if (!options.out.empty()) write(options.out, text);
  if (!options.csv.empty()) write(options.csv, measured_csv(measured));
  if (!options.svg.empty()) write(options.svg, calibration_svg(entries, sets, platform, range, measured));
  if (!options.tables.empty()) write_tables(options.tables, sets, platform, network);
  const double elapsed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  tell("calibrated {} model{} on {} and {} from {} series by {} in {:.1f} s\n", sets.size(),
       sets.size() == 1 ? "" : "s", platform.name, network.name, measured.series.size(), measured.origin, elapsed_s);
  return 0;
}

const bool entered = commands().add(
    {.name = "calibrate",
     .summary = "measure the parameters of analytic models",
     .example = "orrery calibrate --platform fermi --network infiniband --model taulop,hloggp -o fermi-infiniband.yaml",
     .setup = [](CommandLine& line) {
       auto options = std::make_shared<Options>();
       line.path("--platform", options->platform, "platform name or file");
       line.option("--network", options->network, "a network of the platform (required if there are several)");
       line.option("--model", options->models, "models to calibrate, comma-separated (default: all)");
       line.choice("--engine", options->engine, engine_names(), "engine that runs the micro-benchmarks");
       line.choice("--pairs", options->pairs, words_of(calibration_pairs_words),
                   "granularity: per node type, node pair or core pair (pairs: models with matrices)");
       line.path(
           "--from", options->from,
           "use measurements of a real machine: folder of 'orrery measure', or CSV with columns id, message_B, time_s");
       line.flag("--plan", options->plan, "print the experiments to run on a real machine, and stop");
       line.option("--sizes", options->sizes, "message sizes, as in 1B,64B,4KiB (default: 30 sizes from 1 B to 4 MiB)");
       line.option("--concurrency", options->concurrency,
                   "highest number of concurrent transmissions for tau-Lop (0: the cores of the largest node)");
       line.output("-o,--out", options->out, "parameter file to write (YAML; default: print)");
       line.output("--csv", options->csv, "write the measured times as CSV, in the format --from reads");
       line.output("--svg", options->svg, "draw the fitted curves to this file (SVG)");
       line.path("--tables", options->tables, "folder for tau-Lop's text tables, which 'orrery taulop' reads");
       line.option("-j,--jobs", options->jobs, "simulations to run in parallel (0: one per core)");
       line.run([options] { return run_calibrate(*options); });
     }});

}  // namespace

}  // namespace orrery::cli::calibrate_command
