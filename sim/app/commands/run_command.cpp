/// `orrery run`: play, predict, compare; a table here, a report in a folder.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <map>
#include <memory>
#include <system_error>

#include "sim/app/commands/command_line.hpp"
#include "sim/app/run/run_output.hpp"
#include "sim/app/run/run_scenario.hpp"
#include "sim/config/files.hpp"
#include "sim/config/parameter_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/report/chrome_trace.hpp"
#include "sim/report/csv.hpp"
#include "sim/report/html.hpp"
#include "sim/report/json.hpp"
#include "sim/scenario/data_path.hpp"
#include "sim/scenario/engines.hpp"
#include "sim/scenario/file_kinds.hpp"

namespace orrery::app {

namespace {

struct Options {
  std::vector<std::string> scenarios, overrides;
  std::string out = "out", engine, approximate, format = "table", critical_path = "auto", trace_ranks, trace_time;
  int jobs = 0;
  bool check = false, ignore_memory = false;
};

/// A folder of its own for each scenario when there are several.
std::string folder_for(const Options& options, const Scenario& scenario) {
  return options.scenarios.size() == 1 ? options.out : options.out + "/" + scenario.name;
}

/// Said before hours of work, not after them.
void require_writable(const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (!failed && access(folder.c_str(), W_OK) != 0) failed = std::error_code(errno, std::generic_category());
  if (!failed && !std::filesystem::is_directory(folder)) failed = std::make_error_code(std::errc::not_a_directory);
  if (failed)
    throw InputError(
        fmt::format("--out: '{}' cannot be written ({}). Choose another folder?", folder, failed.message()));
}

/// The point whose time line trace.json shows: the first one that finished.
const PointResult* traced_point(const ScenarioResult& result) {
  for (const auto& point : result.points)
    if (!point.run.phases.empty()) return &point;
  return nullptr;
}

/// One parameter file for each platform and network.
void write_parameters(const std::string& folder, const ScenarioRun& run) {
  std::map<std::string, std::vector<ModelParameters>> files;
  for (const auto& set : run.parameters) files[set.platform + "-" + set.network].push_back(set);
  for (const auto& [name, sets] : files)
    config::write_file(fmt::format("{}/parameters-{}.yaml", folder, name),
                       config::parameter_file_text(sets, {"Model parameters this run was predicted with."}));
}

void write_results(const std::string& folder, const ScenarioRun& run) {
  config::write_file(folder + "/result.json", report::to_json(run.result));
  config::write_file(folder + "/table.csv", report::to_csv(run.result));
  config::write_file(folder + "/report.html", report::to_html(run.result));
  if (const auto* point = traced_point(run.result))
    config::write_file(folder + "/trace.json", report::to_chrome_trace(*point));
  write_parameters(folder, run);
}

/// The scenario's file; a file that is something else is refused by that name.
std::string scenario_path(const std::string& name) {
  std::string path = data_path("scenarios", name, "yaml", "orrery run");
  if (const FileKind* kind = known_kind_of(path); kind != nullptr && kind->name != "scenario")
    throw InputError(fmt::format("{}: is a {} file, not a scenario. Name it in one, or try 'orrery check {}'?", path,
                                 kind->name, path));
  return path;
}

/// Results are written when all of them are there, so there is nothing half written to clear away.
ScenarioRun play(const Scenario& scenario, const RunOptions& options) {
  try {
    return run_scenario(scenario, options);
  } catch (const Interrupted& stop) {
    throw Interrupted(
        fmt::format("{}\nNothing of {} was written. Run the same command again?", stop.what(), scenario.file));
  }
}

int run(const Options& options) {
  const RunOptions run_options{.jobs = jobs_of(options.jobs),
                               .trace = trace_range(options.trace_ranks, options.trace_time),
                               .critical_path = critical_path_asked(options.critical_path)};
  auto overrides = options.overrides;
  if (!options.engine.empty()) overrides.push_back("engine=" + options.engine);
  if (!options.approximate.empty()) overrides.push_back("approximate=" + options.approximate);
  // Every file is read before the first one is played.
  std::vector<Scenario> scenarios;
  for (const auto& name : options.scenarios) {
    scenarios.push_back(read_scenario(scenario_path(name), overrides));
    if (options.ignore_memory) scenarios.back().ignore_memory = true;
  }
  for (const auto& scenario : scenarios) require_writable(folder_for(options, scenario));
  std::vector<std::string> broken;
  std::size_t failed = 0;
  for (const auto& scenario : scenarios) {
    const ScenarioRun played = play(scenario, run_options);
    const std::string folder = folder_for(options, scenario);
    print_result(played.result, options.format);  // first: it needs no disk
    write_results(folder, played);
    tell("\nreport: {}/report.html  (also result.json, table.csv, trace.json, parameters-*.yaml; {:.1f} s)\n", folder,
         played.result.wall_s);
    for (const auto& point : played.result.points)
      if (!point.failure.empty()) {
        ++failed;
        tell("{}\n", point.failure);
      }
    broken.insert(broken.end(), played.result.broken_tolerances.begin(), played.result.broken_tolerances.end());
  }
  for (const auto& sentence : broken) tell("{}\n", sentence);
  if (failed > 0)
    throw ReplayError(fmt::format("{} {} could not finish (see above); the others are in the report", failed,
                                  failed == 1 ? "point" : "points"));
  if (options.check && !broken.empty())
    throw BoundError(fmt::format("{} of the stated tolerances {} broken (see above)", broken.size(),
                                 broken.size() == 1 ? "is" : "are"));
  return 0;
}

void setup(CommandLine& line) {
  auto options = std::make_shared<Options>();
  line.positional("SCENARIO", options->scenarios, "scenario files or names ('orrery list scenarios' shows them)");
  line.option("--set", options->overrides,
              "override a value of the scenario, as in network=ethernet; a list sweeps, as in 'network=[infiniband, "
              "ethernet]'");
  line.option("--out", options->out, "folder for report.html, table.csv, result.json and trace.json");
  line.choice("--engine", options->engine, engine_choices(),
              "simulation engine, overriding the scenario's; both: run both and compare them");
  line.option("--approximate", options->approximate,
              "engine flow: allowed deviation from max-min fairness, as in 0.01 (0: exact)");
  line.option("--jobs", options->jobs, "points to simulate in parallel (0: one per core)");
  trace_options(line, options->trace_ranks, options->trace_time);
  line.choice("--critical-path", options->critical_path, {"auto", "on", "off"},
              "find what the time consists of and the bottleneck (auto: up to 1024 ranks)");
  line.choice("--format", options->format, {"table", "json", "csv"}, "what to print");
  line.flag("--ignore-memory", options->ignore_memory, ignore_memory_help);
  line.flag("--check", options->check, "exit with code 5 if a tolerance of the scenario is broken");
  line.run([options] { return run(*options); });
}

const bool entered_run = commands().add({
    .name = "run",
    .summary = "simulate a scenario, predict it with its models, and compare",
    .example = "orrery run scenarios/rico-gallego16-m10.yaml --out out/m10",
    .setup = setup,
});

}  // namespace

}  // namespace orrery::app
