/// `orrery calibrate`: measures the parameters of analytic models with the papers' micro-benchmarks.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "kernels/micro_benchmark.hpp"
#include "sim/app/calibrate.hpp"
#include "sim/app/calibration_files.hpp"
#include "sim/app/command_line.hpp"
#include "sim/app/load.hpp"
#include "sim/config/files.hpp"
#include "sim/config/parameter_file.hpp"
#include "sim/core/error.hpp"

namespace orrery::app {

namespace {

struct Options {
  std::string platform, network, engine = "simgrid", from, sizes, out, csv, svg, tables;
  std::vector<std::string> models;
  int concurrency = 0, jobs = 0;
};

std::vector<const ModelEntry*> chosen_models(const Options& options) {
  std::vector<const ModelEntry*> chosen;
  for (std::string names : options.models) {
    std::ranges::replace(names, ',', ' ');
    for (std::size_t at = 0; (at = names.find_first_not_of(' ', at)) != std::string::npos;) {
      const auto end = std::min(names.find(' ', at), names.size());
      const auto* entry = &models().at(names.substr(at, end - at), "--model");
      if (std::ranges::find(chosen, entry) == chosen.end()) chosen.push_back(entry);
      at = end;
    }
  }
  if (chosen.empty())
    for (const auto& [name, entry] : models().entries()) chosen.push_back(&entry);
  return chosen;
}

CalibrationRange range_of(const Options& options, const Platform& platform) {
  CalibrationRange range;
  range.sizes = options.sizes.empty() ? default_sizes() : parse_sizes(options.sizes, "--sizes");
  std::ranges::sort(range.sizes);
  const auto repeated = std::ranges::unique(range.sizes);
  range.sizes.erase(repeated.begin(), repeated.end());
  if (range.sizes.front() < Bytes(1.0))
    throw InputError("--sizes: '0B' is no message size to fit (1 B or more). Leave it out?");
  if (options.concurrency < 0 || options.concurrency > 100000)
    throw InputError(
        fmt::format("--concurrency: {} lies outside 1..100000. Choose a value inside?", options.concurrency));
  range.concurrency = 1;
  for (std::size_t type = 0; type < platform.node_types.size(); ++type)
    if (platform.node_counts[type] > 0)
      range.concurrency = std::max(range.concurrency, platform.node_types[type].cores());
  if (options.concurrency > 0) range.concurrency = static_cast<std::uint32_t>(options.concurrency);
  return range;
}

const Network& network_of(const Options& options, const Platform& platform) {
  if (!options.network.empty()) return platform.network(options.network, "--network");
  if (platform.networks.size() == 1) return platform.networks.front();
  std::vector<std::string> names;
  for (const auto& network : platform.networks) names.push_back(network.name);
  throw InputError(fmt::format("--network: platform '{}' has {} networks ({}). Name one with --network {}?",
                               platform.name, names.size(), fmt::join(names, ", "),
                               names.empty() ? "NAME" : names.front()));
}

Measured measured_by(const Options& options, const std::vector<const ModelEntry*>& entries, const Platform& platform,
                     const Network& network, const CalibrationRange& range) {
  if (!options.from.empty()) return parse_measured_csv(config::read_file(options.from), options.from);
  const auto plan = plan_of(entries, platform, network, range);
  const unsigned jobs =
      options.jobs > 0 ? static_cast<unsigned>(options.jobs) : std::max(1u, std::thread::hardware_concurrency());
  return measure(plan, platform, network, {.jobs = jobs});
}

void write(const std::string& path, const std::string& text) {
  config::write_file(path, text);
  fmt::print("wrote {}\n", path);
}

int run_calibrate(const Options& options) {
  const auto begin = std::chrono::steady_clock::now();
  const Platform platform = load_platform_named(options.platform, "--platform");
  const Network& network = network_of(options, platform);
  const auto entries = chosen_models(options);
  const CalibrationRange range = range_of(options, platform);
  const Measured measured = measured_by(options, entries, platform, network, range);
  const auto sets = fit(entries, platform, network, range, measured);
  const std::string text = config::parameter_file_text(sets, parameter_comment(sets, range));
  for (const auto& note : calibration_notes(sets)) fmt::print(stderr, "note: {}\n", note);
  if (options.out.empty() && options.csv.empty() && options.svg.empty() && options.tables.empty()) {
    fmt::print("{}", text);
    return 0;
  }
  if (!options.out.empty()) write(options.out, text);
  if (!options.csv.empty()) write(options.csv, measured_csv(measured));
  if (!options.svg.empty()) write(options.svg, calibration_svg(entries, sets, platform, range, measured));
  if (!options.tables.empty()) {
    const auto taulop = std::ranges::find(sets, "taulop", &ModelParameters::model);
    if (taulop == sets.end())
      throw InputError("--tables: tau-Lop is not among the models calibrated. Add --model taulop?");
    for (const auto& [file, table] : taulop_text_tables(*taulop, platform, network))
      write(options.tables + "/" + file, table);
  }
  const double elapsed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  fmt::print("calibrated {} model{} on {} and {} from {} series by {} in {:.1f} s\n", sets.size(),
             sets.size() == 1 ? "" : "s", platform.name, network.name, measured.series.size(), measured.origin,
             elapsed_s);
  return 0;
}

const bool entered = commands().add(
    {.name = "calibrate",
     .summary = "measure the parameters of analytic models with the papers' micro-benchmarks",
     .example = "orrery calibrate --platform fermi --network infiniband --model taulop,hloggp -o fermi-infiniband.yaml",
     .setup = [](CommandLine& line) {
       auto options = std::make_shared<Options>();
       line.option("--platform", options->platform, "a platform's name or file", true);
       line.option("--network", options->network, "one of its networks (needed when there are several)");
       line.option("--model", options->models, "models, comma-separated (default: all)");
       line.choice("--engine", options->engine, {"simgrid"}, "engine that runs the micro-benchmarks");
       line.option("--from", options->from, "measurements of a real machine instead: CSV with id, message_B, time_s");
       line.option("--sizes", options->sizes, "message sizes, such as 1B,64B,4KiB (default: 30 from 1 B to 4 MiB)");
       line.option("--concurrency", options->concurrency,
                   "greatest number of transmissions at once for tau-Lop (0: the cores of the greatest node)");
       line.option("-o,--out", options->out, "parameter file to write (YAML)");
       line.option("--csv", options->csv, "write the times as CSV, in the form that --from reads");
       line.option("--svg", options->svg, "draw the curves");
       line.option("--tables", options->tables, "folder for tau-Lop's text tables, which 'orrery taulop' reads");
       line.option("-j,--jobs", options->jobs, "simulations at once (0: one per core)");
       line.run([options] { return run_calibrate(*options); });
     }});

}  // namespace

}  // namespace orrery::app
