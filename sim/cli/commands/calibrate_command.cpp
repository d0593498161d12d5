/// `orrery calibrate`: measures the parameters of analytic models with the papers' micro-benchmarks; fits a platform to
/// what was measured.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/cli/run_output.hpp"
#include "sim/config/files.hpp"
#include "sim/config/parameter_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/fit/calibrate.hpp"
#include "sim/study/fit/calibration_files.hpp"
#include "sim/study/fit/calibration_request.hpp"
#include "sim/study/fit/fit_scenarios.hpp"
#include "sim/study/fit/fitted_platform.hpp"
#include "sim/study/play/progress.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/read/engines.hpp"
#include "sim/study/read/load.hpp"

namespace orrery::app::calibrate_command {

namespace {

struct Options {
  std::string platform, network, engine = default_engine, pairs = "types", from, sizes, out, csv, svg, tables, fitted,
                                 plots, hold_out;
  std::vector<std::string> models, figures, overrides;
  int concurrency = 0, jobs = 0;
  bool plan = false, list_figures = false, json = false;

  bool writes() const { return !(out.empty() && csv.empty() && svg.empty() && tables.empty()); }
};

void write(const std::string& path, const std::string& text) {
  config::write_file(path, text);
  fmt::print("wrote {}\n", path);
}

/// That of a campaign's folder, or the file itself.
std::string measured_file(const std::string& from) {
  return std::filesystem::is_directory(from) ? from + "/benchmarks.csv" : from;
}

/// As asked for; else, of a campaign, those that its ping-pong was measured with.
std::string sizes_of(const Options& options) {
  if (!options.sizes.empty() || !std::filesystem::is_directory(options.from)) return options.sizes;
  const std::string file = measured_file(options.from);
  std::string sizes;
  for (const auto& series : parse_measured_csv(config::read_file(file), file).series)
    if (series.id.starts_with("pingpong/network/") && sizes.empty())
      for (const auto& point : series.times)
        sizes += fmt::format("{}{:.0f}B", sizes.empty() ? "" : ",", point.first.si());
  return sizes;
}

/// What is wrong with measured times is wrong with their file.
template <class Fitting>
auto of_file(const std::string& file, const Fitting& fitting) {
  try {
    return fitting();
  } catch (const InputError& error) {
    throw InputError(file.empty() ? error.what() : fmt::format("{}: {}", file, error.what()));
  }
}

/// The network itself as it was measured, not the parameters of a model.
int fit_platform(const Options& options, const Platform& platform, const Network& network) {
  if (options.from.empty())
    throw InputError(fmt::format("{}: needs measurements (--from CAMPAIGN). Run 'orrery measure' first?",
                                 options.fitted.empty() ? "--plots" : "--fitted-platform"));
  const std::string file = measured_file(options.from);
  const Measured measured = parse_measured_csv(config::read_file(file), file);
  const ChannelFit fit = of_file(file, [&] { return fit_channel(platform, network, measured.series); });
  fmt::print("{}", fit_text(network, fit));
  if (!options.fitted.empty()) write(options.fitted, fitted_platform(platform, network, fit, "measured: " + file));
  if (!options.plots.empty()) write(options.plots, fit_svg(fit, platform.name + ", " + network.name));
  return 0;
}

/// The files of scenarios, own or shipped ones; none where a campaign's micro-benchmarks are meant.
std::vector<std::string> scenarios_of(const Options& options) {
  const auto shipped = data_names("scenarios", "yaml");
  std::vector<std::string> files;
  for (const auto& name : words_of(std::vector<std::string>{options.from})) {
    if (name.ends_with(".yaml") || name.ends_with(".yml"))
      files.push_back(name);
    else if (!std::filesystem::exists(name) && std::ranges::binary_search(shipped, name))
      files.push_back(data_path("scenarios", name, "yaml", "--from"));
    else
      return {};
  }
  return files;
}

/// Figures of the platform, fitted to times of programs.
int fit_to_scenarios(const Options& options, const std::vector<std::string>& scenarios) {
  if (options.writes() || options.plan)
    throw InputError(
        "--from: scenarios have times of programs, which figures of a platform are fitted to (parameters of models "
        "take "
        "micro-benchmarks). Write '--fitted-platform FILE'?");
  ProgressLine line;
  const ScenarioFit fit = fit_scenarios({.scenarios = scenarios,
                                         .figures = words_of(options.figures),
                                         .platform = options.platform,
                                         .network = options.network,
                                         .overrides = options.overrides,
                                         .hold_out = options.hold_out,
                                         .jobs = jobs_of(options.jobs),
                                         .keep_going = [] { return !interrupted(); },
                                         .tell =
                                             [&](const std::string& state) {
                                               if (line.due()) line.draw(state);
                                             }});
  fmt::print("{}", options.json ? scenario_fit_json(fit) : scenario_fit_text(fit));
  const auto save = [&](const std::string& path, const std::string& text) {
    if (path.empty()) return;
    if (!options.json) return write(path, text);
    config::write_file(path, text);
  };
  save(options.fitted, fit.file_text);
  save(options.plots, scenario_fit_svg(fit));
  return 0;
}

void require_scenarios(const Options& options) {
  const char* option = !options.figures.empty()     ? "--fit"
                       : !options.hold_out.empty()  ? "--hold-out"
                       : !options.overrides.empty() ? "--set"
                       : options.json               ? "--json"
                                                    : nullptr;
  if (option == nullptr) return;
  if (options.from.empty())
    throw InputError(
        fmt::format("{}: needs scenarios with measured times (none is named). Add '--from SCENARIO.yaml'?", option));
  throw InputError(
      fmt::format("{}: '{}' is no scenario (figures are fitted to those with measured times). Write "
                  "'--from SCENARIO.yaml'?",
                  option, options.from));
}

Measured measured_by(const Options& options, const std::vector<Experiment>& plan, const Platform& platform,
                     const Network& network) {
  if (!options.from.empty()) {
    const std::string file = measured_file(options.from);
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
  if (options.list_figures) {
    fmt::print("{}", figures_help());
    return 0;
  }
  if (const auto scenarios = scenarios_of(options); !scenarios.empty()) return fit_to_scenarios(options, scenarios);
  require_scenarios(options);
  if (options.platform.empty())
    throw InputError("--platform is missing (scenarios of --from name one themselves). Write '--platform fermi'?");
  const Platform platform = load_platform_named(options.platform, "--platform");
  const Network& network = network_named(platform, options.network);
  const bool fits_platform = !options.fitted.empty() || !options.plots.empty();
  if (fits_platform) fit_platform(options, platform, network);
  if (fits_platform && !options.writes()) return 0;
  CalibrationRange range = calibration_range(platform, sizes_of(options), options.concurrency);
  range.pairs = *meaning_of(calibration_pairs_words, options.pairs);
  const auto entries = models_named(options.models, range.pairs);
  const auto plan = plan_of(entries, platform, network, range);
  if (options.plan) {
    fmt::print("{}", plan_text(plan, platform));
    return 0;
  }
  const Measured measured = measured_by(options, plan, platform, network);
  const auto sets = of_file(options.from.empty() ? "" : measured.origin,
                            [&] { return fit(entries, platform, network, range, measured); });
  for (const auto& note : calibration_notes(sets)) tell("note: {}\n", note);
  const std::string text = config::parameter_file_text(sets, parameter_comment(sets, range));
  if (!options.writes()) fmt::print("{}", text);
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
     .summary = "measure the parameters of analytic models, or fit a platform to what was measured",
     .example = "orrery calibrate --platform fermi --network infiniband --model taulop,hloggp -o fermi-infiniband.yaml",
     .setup = [](CommandLine& line) {
       auto options = std::make_shared<Options>();
       line.option("--platform", options->platform, "platform name or file (of scenarios: in place of theirs)");
       line.option("--network", options->network, "a network of the platform (required if there are several)");
       line.option("--model", options->models, "models to calibrate, comma-separated (default: all)");
       line.choice("--engine", options->engine, engine_names(), "engine that runs the micro-benchmarks");
       line.choice("--pairs", options->pairs, all_of(calibration_pairs_words),
                   "what to tell apart: types of node, or every two nodes or cores (models with matrices)");
       line.option("--from", options->from,
                   "fit measurements of a real machine instead: a campaign of 'orrery measure', CSV with id, "
                   "message_B, time_s, or scenarios with measured times, comma-separated");
       line.option(
           "--fit", options->figures,
           "figures of the platform to fit to scenarios, comma-separated, with '=VALUE' to begin elsewhere than "
           "at the platform's (default: all that it states)");
       line.option("--hold-out", options->hold_out,
                   "share or number of the scenarios' points not to fit to, as in 20%: their errors are printed");
       line.option("--set", options->overrides,
                   "override a value of the scenarios, as 'orrery run' does: measured=times.csv");
       line.flag("--json", options->json, "print what was fitted to scenarios as JSON");
       line.flag("--figures", options->list_figures,
                 "print the figures that --fit knows and where they may lie, and stop");
       line.option("--fitted-platform", options->fitted, "platform file to write: this one as measured (needs --from)");
       line.option("--plots", options->plots, "page of plots of that fit to write (SVG)");
       line.flag("--plan", options->plan, "print the experiments to run on a real machine, and stop");
       line.option("--sizes", options->sizes, "message sizes, as in 1B,64B,4KiB (default: 30 sizes from 1 B to 4 MiB)");
       line.option("--concurrency", options->concurrency,
                   "highest number of concurrent transmissions for tau-Lop (0: the cores of the largest node)");
       line.option("-o,--out", options->out, "parameter file to write (YAML; default: print)");
       line.option("--csv", options->csv, "write the measured times as CSV, in the format --from reads");
       line.option("--svg", options->svg, "draw the curves to this file");
       line.option("--tables", options->tables, "folder for tau-Lop's text tables, which 'orrery taulop' reads");
       line.option("-j,--jobs", options->jobs, "simulations to run in parallel (0: one per core)");
       line.run([options] { return run_calibrate(*options); });
     }});

}  // namespace

}  // namespace orrery::app::calibrate_command
