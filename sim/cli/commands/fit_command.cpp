/// `orrery fit`: a platform as it was measured, by micro-benchmarks of a campaign or by times of programs.
#include <fmt/format.h>

#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/cli/pages/fit_page.hpp"
#include "sim/cli/run_output.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/fit/calibrate.hpp"
#include "sim/study/fit/calibration_request.hpp"
#include "sim/study/fit/fit_campaign.hpp"
#include "sim/study/fit/fit_scenarios.hpp"
#include "sim/study/play/progress.hpp"
#include "sim/study/read/load.hpp"

namespace orrery::cli::fit_command {

namespace {

struct Options {
  std::string from, platform, network, hold_out, out, plots;
  std::vector<std::string> parameters, overrides;
  int jobs = 0;
  bool list = false, json = false;
};

void write(const Options& options, const std::string& path, const std::string& text) {
  if (path.empty()) return;
  config::write_file(path, text);
  if (!options.json) say("wrote {}\n", path);
}

/// Parameters of the platform, fitted to times of programs.
PlatformFit fit_to_scenarios(const Options& options, const std::vector<std::string>& scenarios) {
  ProgressLine line;
  return fit_scenarios({.scenarios = scenarios,
                        .parameters = words_of(options.parameters),
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
}

/// What asks for scenarios, where a campaign is named.
void require_none_of_scenarios(const Options& options) {
  const char* option = !options.parameters.empty()  ? "--parameters"
                       : !options.hold_out.empty()  ? "--hold-out"
                       : !options.overrides.empty() ? "--set"
                                                    : nullptr;
  if (option != nullptr)
    throw InputError(
        "{}: '{}' is no scenario (only those with measured times have parameters to choose). "
        "Name a SCENARIO.yaml, or leave out {}?",
        option, options.from, option);
  if (options.platform.empty())
    throw InputError("--platform is missing (only scenarios name one themselves). Write '--platform fermi'?");
}

/// The network itself, as micro-benchmarks measured it.
PlatformFit fit_to_campaign(const Options& options) {
  require_none_of_scenarios(options);
  const Platform platform = load_platform_named(options.platform, "--platform");
  const Network& network = network_named(platform, options.network);
  const std::string file = benchmarks_file(options.from);
  const Measured measured = parse_measured_csv(config::read_file(file), file);
  return of_file(file, [&] { return fit_campaign(platform, network, measured.series, "measured: " + file); });
}

int run_fit(const Options& options) {
  if (options.list) {
    say("{}", parameters_help());
    return 0;
  }
  if (options.from.empty())
    throw InputError(
        "MEASURED is missing: a campaign of 'orrery measure', or scenarios with measured times. Write "
        "'orrery fit rows.yaml'?");
  const auto scenarios = named_scenarios(options.from, "MEASURED");
  const PlatformFit fit = scenarios.empty() ? fit_to_campaign(options) : fit_to_scenarios(options, scenarios);
  say("{}", options.json ? fit_json(fit) : fit_text(fit));
  write(options, options.out, fit.file_text);
  if (!options.plots.empty()) write(options, options.plots, fit_svg(fit));
  return 0;
}

const bool entered = commands().add(
    {.name = "fit",
     .summary = "fit a platform to measurements of the real machine",
     .example = "orrery fit rows.yaml --parameters latency,send-overhead --hold-out 20% -o fitted.yaml",
     .setup = [](CommandLine& line) {
       auto options = std::make_shared<Options>();
       line.path("MEASURED", options->from,
                 "folder of 'orrery measure' or its CSV with columns id, message_B, time_s; or scenarios with measured "
                 "times, comma-separated",
                 false);
       line.path("--platform", options->platform, "platform name or file (with scenarios: replaces theirs)");
       line.option("--network", options->network, "a network of the platform (required if there are several)");
       line.option("--parameters", options->parameters,
                   "platform parameters to fit to scenarios, comma-separated; NAME=VALUE sets a start value (default: "
                   "all that the platform gives)");
       line.option("--hold-out", options->hold_out,
                   "share or number of points to exclude from the fit, as in 20%; their errors are printed");
       line.option("--set", options->overrides, "override a value of the scenarios, as in measured=times.csv");
       line.flag("--json", options->json, "print the result as JSON");
       line.flag("--list", options->list,
                 "print the parameters that --parameters accepts, with their ranges, and stop");
       line.output("-o,--out", options->out, "write the fitted platform to this file");
       line.output("--plots", options->plots, "write plots of the fit to this file (SVG)");
       line.option("-j,--jobs", options->jobs, "simulations to run in parallel (0: one per core)");
       line.run([options] { return run_fit(*options); });
     }});

}  // namespace

}  // namespace orrery::cli::fit_command
