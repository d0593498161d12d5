/// `orrery run`: play, predict, compare; a table here, a report in a folder.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/cli/figure_files.hpp"
#include "sim/cli/run_output.hpp"
#include "sim/cli/typed_command.hpp"
#include "sim/config/files.hpp"
#include "sim/config/parameter_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/show/page/chrome_trace.hpp"
#include "sim/show/page/html.hpp"
#include "sim/show/result/json.hpp"
#include "sim/show/tables/csv.hpp"
#include "sim/study/play/repeats.hpp"
#include "sim/study/play/run_scenario.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/read/engines.hpp"
#include "sim/study/read/file_kinds.hpp"
#include "sim/study/store/output_folder.hpp"
#include "sim/study/store/result_store.hpp"

namespace orrery::app::run_command {

namespace {

struct Options {
  std::vector<std::string> scenarios, overrides;
  std::string out = "out", engine, approximate, format = "table", critical_path = "auto", trace_ranks, trace_time;
  int jobs = 0, repeat = 1;
  bool check = false, ignore_memory = false, resume = false, full = false, predict = false;
  FigureOptions figures;
};

/// A folder of its own for each scenario when there are several.
std::string folder_for(const Options& options, const Scenario& scenario) {
  return options.scenarios.size() == 1 ? options.out : options.out + "/" + scenario.name;
}

/// The point whose time line trace.json shows: the first one that finished.
const PointResult* traced_point(const ScenarioResult& result) {
  for (const auto& point : result.points)
    if (!point.run.phases.empty()) return &point;
  return nullptr;
}

/// A changed platform is called by its changes, which no file name need hold whole.
std::string file_name(const std::string& name) {
  std::string safe = name.substr(0, 100);
  for (char& c : safe)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.') c = '-';
  return safe;
}

/// One parameter file for each platform and network.
void write_parameters(OutputSet& files, const ScenarioRun& run) {
  std::map<std::string, std::vector<ModelParameters>> sets_of;
  for (const auto& set : run.parameters) sets_of[file_name(set.platform) + "-" + set.network].push_back(set);
  for (const auto& [name, sets] : sets_of)
    files.write(fmt::format("parameters-{}.yaml", name), config::parameter_file_text(sets, {parameters_comment}));
}

/// Phases beyond those that any kept interval lies in would be most of a long run's trace.
constexpr std::size_t traced_phases_max = 20'000;

void write_results(OutputSet& files, const ScenarioRun& run, bool full) {
  files.write("result.json", [&](const TextSink& write) { report::write_json(run.result, {.full = full}, write); });
  files.write("table.csv", report::to_csv(run.result));
  if (const std::string collectives = report::collectives_csv(run.result); !collectives.empty())
    files.write("collectives.csv", collectives);
  files.write("report.html", report::to_html(run.result));
  if (const auto* point = traced_point(run.result)) {
    PointResult traced = *point;
    if (!full && traced.run.phases.size() > traced_phases_max) traced.run.phases.resize(traced_phases_max);
    files.write("trace.json", report::to_chrome_trace(traced));
  }
  write_parameters(files, run);
}

void write_choices(OutputSet& files, const ScenarioRun& run, const Scenario& scenario) {
  files.write("choices.csv", choices_csv(run.choices));
  files.write("choices.json", choices_json(run.choices));
  for (const auto& [file, svg] : choices_pictures(run.choices, scenario.title)) files.write(file, svg);
  if (const std::string times = times_csv(run.result, scenario); !times.empty())
    files.write("configurations.csv", times);
}

/// The scenario's file; a file that is something else is refused by that name.
std::string scenario_path(const std::string& name) {
  std::string path = data_path("scenarios", name, "yaml", "orrery run");
  if (const FileKind* kind = known_kind_of(path); kind != nullptr && kind->name != "scenario")
    throw InputError(fmt::format("{}: is a {} file, not a scenario. Name it in one, or try 'orrery check {}'?", path,
                                 kind->name, path));
  return path;
}

/// What a stopped run leaves, and the command that goes on.
[[noreturn]] void tell_how_to_resume(const Stopped& stop, const Scenario& scenario, const ResultStore& store) {
  if (stop.finished == 0 && stop.benchmarks > 0)
    throw Interrupted(
        fmt::format("{}\nNo point of {} was finished; {} benchmarks of its models are kept in {}. Go on with:\n  {}",
                    stop.what(), scenario.file, stop.benchmarks, store.file(), typed_command_with("--resume")));
  if (stop.finished == 0)
    throw Interrupted(
        fmt::format("{}\nNo point of {} was finished. Run the same command again?", stop.what(), scenario.file));
  throw Interrupted(fmt::format("{}\n{} of {} points of {} are kept in {}. Go on with:\n  {}", stop.what(),
                                stop.finished, stop.points, scenario.file, store.file(),
                                typed_command_with("--resume")));
}

/// Of a scenario that is not played: models alone, and nothing that judges them by a simulated time.
void predict_only(Scenario& scenario, bool check) {
  if (check)
    throw InputError("--check: tolerances are of simulated times, and --predict plays none. Leave out --check?");
  if (scenario.models.empty())
    throw InputError(
        fmt::format("{}: has no models, and --predict plays nothing. Add --set 'models=[taulop]'?", scenario.file));
  for (const auto& model : scenario.models)
    if (!model.is_own() && models().at(model.name, model.where).fitted_to_runs())
      throw InputError(fmt::format("{}: '{}' is fitted to runs, and --predict plays none. Leave out --predict?",
                                   model.where, model.name));
  scenario.tolerances.clear();
  scenario.choose.reset();
}

/// The result on the terminal and in its folder; what ended before a stop stays in the folder's store.
ScenarioResult play(const Scenario& scenario, const std::string& folder, const RunOptions& options,
                    const std::string& format) {
  finish_swap(folder);
  ResultStore store(ResultStore::file_in(folder));
  auto tell_notices = [&, told = std::size_t{0}]() mutable {
    for (; told < store.notices().size(); ++told) tell("{}\n", store.notices()[told]);
  };
  tell_notices();
  try {
    ScenarioRun played = run_scenario(scenario, options, store);
    tell_notices();
    print_result(played.result, format, options.full);  // first: it needs no disk
    if (scenario.choose && format == "table")
      fmt::print("\n{}", choices_text(played.choices, terminal_width(), terminal_color()));
    OutputSet files(folder);
    write_results(files, played, options.full);
    if (scenario.choose) write_choices(files, played, scenario);
    store.end(played.ids, [&] { files.swap_in(); });
    const auto calls = [](const PointResult& point) { return !point.run.collectives.empty(); };
    tell("\nreport: {}/report.html  (also result.json, table.csv{}{}{}; {:.1f} s)\n", folder,
         std::ranges::any_of(played.result.points, calls) ? ", collectives.csv" : "",
         traced_point(played.result) != nullptr ? ", trace.json" : "",
         played.parameters.empty() ? "" : ", parameters-*.yaml", played.result.wall_s);
    return std::move(played.result);
  } catch (const Stopped& stop) {
    tell_notices();
    tell_how_to_resume(stop, scenario, store);
  } catch (const Interrupted& stop) {
    throw Interrupted(fmt::format("{}\n{}", stop.what(), nothing_played(scenario)));
  }
}

int run(const Options& options) {
  const RunOptions run_options{.jobs = jobs_of(options.jobs),
                               .full = options.full,
                               .trace = trace_range(options.trace_ranks, options.trace_time),
                               .critical_path = critical_path_asked(options.critical_path),
                               .simulate = !options.predict,
                               .repeat = repeat_of(options.repeat),
                               .resume = options.resume};
  auto overrides = options.overrides;
  if (!options.engine.empty()) overrides.push_back("engine=" + options.engine);
  if (!options.approximate.empty()) overrides.push_back("approximate=" + options.approximate);
  check_figures(options.figures);
  // Every file is read before the first one is played.
  std::vector<Scenario> scenarios;
  for (const auto& name : options.scenarios) {
    scenarios.push_back(read_scenario(scenario_path(name), overrides));
    if (options.ignore_memory) scenarios.back().ignore_memory = true;
    check_figures(options.figures, scenarios.back());
    if (options.predict) predict_only(scenarios.back(), options.check);
  }
  for (const auto& scenario : scenarios) require_writable(folder_for(options, scenario));
  std::vector<std::string> broken;
  std::size_t failed = 0;
  for (const auto& scenario : scenarios) {
    const std::string folder = folder_for(options, scenario);
    const ScenarioResult result = play(scenario, folder, run_options, options.format);
    if (const auto left_out = options.full ? std::string() : report::left_out_of_json(result); !left_out.empty())
      tell("result.json leaves out {}\n", left_out);
    write_figures(options.figures, result, scenarios.size() > 1 ? scenario.name : "");
    for (const auto& point : result.points)
      if (!point.failure.empty()) {
        ++failed;
        tell("{}\n", point.failure);
      }
    broken.insert(broken.end(), result.broken_tolerances.begin(), result.broken_tolerances.end());
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
  line.option(
      "--out", options->out,
      "folder for report.html, table.csv, result.json and trace.json; finished points are kept there as they end");
  line.choice("--engine", options->engine, engine_choices(),
              "simulation engine, overriding the scenario's; both: run both and compare them");
  line.option("--approximate", options->approximate,
              "engine flow: allowed deviation from max-min fairness, as in 0.01 (0: exact)");
  line.flag(
      "--resume", options->resume,
      "go on where a run that stopped or was killed has left off: points that are finished in the folder of --out "
      "(points.sqlite) are not played again");
  line.option("--repeat", options->repeat,
              "play each point of which something is drawn with so many seeds: its median, 5 % and 95 %");
  line.option("--jobs", options->jobs, "points to simulate in parallel (0: one per core)");
  trace_options(line, options->trace_ranks, options->trace_time);
  line.choice("--critical-path", options->critical_path, {"auto", "on", "off"},
              "find what the time consists of and the bottleneck (auto: up to 1024 ranks)");
  line.choice("--format", options->format, {"table", "json", "csv"}, "what to print");
  line.flag("--full", options->full, full_help);
  figure_options(line, options->figures);
  line.flag("--predict", options->predict, "ask the models only: nothing is simulated");
  line.flag("--ignore-memory", options->ignore_memory, ignore_memory_help);
  line.flag("--check", options->check, "exit with code 5 if a tolerance of the scenario is broken");
  line.run([options] { return run(*options); });
}

const bool entered_run = commands().add({
    .name = "run",
    .summary = "simulate a scenario, predict it with its models, and compare",
    .example = "orrery run rico-gallego16-m10 --out out/m10",
    .setup = setup,
});

}  // namespace

}  // namespace orrery::app::run_command
