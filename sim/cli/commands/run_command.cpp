/// `orrery run`: play, predict, compare; a table here, a report in a folder.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <utility>

#include "sim/cli/chart_files.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/commands/many_nodes.hpp"
#include "sim/cli/folder_run.hpp"
#include "sim/cli/run_output.hpp"
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

namespace orrery::cli::run_command {

namespace {

struct Options {
  std::vector<std::string> scenarios, overrides;
  std::string out = "out", engine, approximate, format = "table", critical_path = "auto", trace_ranks, trace_time;
  int jobs = 0, repeat = 1;
  bool check = false, ignore_memory = false, resume = false, full = false, predict = false;
  ChartOptions charts;
  ManyNodes many;
};

/// A folder of its own for each scenario when there are several.
std::string folder_for(const Options& options, const Scenario& scenario) {
  return options.scenarios.size() == 1 ? options.out : options.out + "/" + scenario.name;
}

/// Before anything is played: of two results in one folder the first would be lost.
void require_folders_apart(const Options& options, const std::vector<Scenario>& scenarios) {
  std::map<std::string, std::string> taken;  // by the scenario's file
  for (const auto& scenario : scenarios) {
    const auto [other, first] = taken.emplace(folder_for(options, scenario), scenario.file);
    if (first) continue;
    if (other->second == scenario.file)
      throw InputError("orrery run: '{}' is given twice (once is played). Leave one out?", scenario.file);
    throw InputError(
        "orrery run: '{}' and '{}' have one name, so that both results would be in '{}'. Run each alone with "
        "an --out of its own?",
        other->second, scenario.file, other->first);
  }
}

/// The scenario's file; a file that is something else is refused by that name.
std::string scenario_path(const std::string& name) {
  std::string path = data_path("scenarios", name, "yaml", "orrery run");
  require_scenario_kind(path);
  return path;
}

/// Of a scenario that is not played: models alone, and nothing that judges them by a simulated time.
void predict_only(Scenario& scenario, bool check) {
  if (check)
    throw InputError("--check: tolerances are of simulated times, and --predict plays none. Leave out --check?");
  if (scenario.models.empty())
    throw InputError("{}: has no models, and --predict plays nothing. Add --set 'models=[taulop]'?", scenario.file);
  for (const auto& model : scenario.models)
    if (model.fitted_to_runs())
      throw InputError("{}: '{}' is fitted to runs, and --predict plays none. Leave out --predict?", model.where,
                       model.name);
  scenario.tolerances.clear();
  scenario.choose.reset();
}

/// What ended before a stop stays in the folder's store.
ScenarioResult play(const Scenario& scenario, const std::string& folder, const RunOptions& options,
                    const std::string& format) {
  finish_swap(folder);
  ResultStore store(ResultStore::file_in(folder));
  try {
    return run_into(folder, scenario, options, format, store);
  } catch (const Stopped& stop) {
    tell_how_to_resume(stop, scenario, store);
  } catch (const Interrupted& stop) {
    throw Interrupted(stop.refusal().then(nothing_played(scenario)));
  }
}

/// Of which a shard is played, or a job written.
RunRequest request_of(const Options& options, std::vector<std::string> overrides) {
  if (options.scenarios.size() > 1)
    throw InputError("--shard, --slurm: {} scenarios are given (one has shards). Leave '{}' out?",
                     options.scenarios.size(), options.scenarios.back());
  const char* of_whole = options.check                    ? "--check"
                         : options.charts.any()           ? "--svg, --pdf, --png"
                         : !options.charts.charts.empty() ? "--chart"
                         : options.format != "table"      ? "--format"
                                                          : nullptr;
  if (of_whole != nullptr)
    throw InputError("{}: is of a whole result, which the merge makes. Leave it out, or --shard and --slurm?",
                     of_whole);
  if (options.predict)
    throw InputError("--predict: the merge asks the models, shards play. Leave out --predict, or --shard and --slurm?");
  return {.scenario = scenario_path(options.scenarios.front()),
          .overrides = std::move(overrides),
          .repeat = options.repeat,
          .full = options.full,
          .ignore_memory = options.ignore_memory,
          .critical_path = options.critical_path,
          .trace_ranks = options.trace_ranks,
          .trace_time = options.trace_time};
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
  if (many_nodes_asked(options.many))
    return on_many_nodes(options.many, request_of(options, std::move(overrides)),
                         {options.out, options.jobs, options.resume});
  check_charts(options.charts);
  // Every file is read before the first one is played.
  std::vector<Scenario> scenarios;
  for (const auto& name : options.scenarios) {
    scenarios.push_back(read_scenario(scenario_path(name), overrides));
    if (options.ignore_memory) scenarios.back().ignore_memory = true;
    check_charts(options.charts, scenarios.back());
    if (options.predict) predict_only(scenarios.back(), options.check);
  }
  require_folders_apart(options, scenarios);
  for (const auto& scenario : scenarios) require_writable(folder_for(options, scenario));
  Verdict verdict;
  for (const auto& scenario : scenarios) {
    const std::string folder = folder_for(options, scenario);
    const ScenarioResult result = play(scenario, folder, run_options, options.format);
    if (const auto left_out = options.full ? std::string() : show::left_out_of_json(result); !left_out.empty())
      tell("result.json leaves out {}\n", left_out);
    write_charts(options.charts, result, scenarios.size() > 1 ? scenario.name : "");
    verdict.see(result);
  }
  verdict.conclude(options.check);
  return 0;
}

void setup(CommandLine& line) {
  auto options = std::make_shared<Options>();
  line.paths("SCENARIO", options->scenarios, "scenario files or names ('orrery list scenarios' shows them)");
  line.option("--set", options->overrides,
              "override a value of the scenario, as in network=ethernet; a list sweeps, as in 'network=[infiniband, "
              "ethernet]'");
  line.path(
      "--out", options->out,
      "folder for report.html, table.csv, result.json and trace.json; each finished point is saved there at once");
  line.choice("--engine", options->engine, engine_choices(),
              "simulation engine (default: the scenario's); both: run and compare both");
  line.option("--approximate", options->approximate,
              "engine flow: allowed deviation from max-min fairness, as in 0.01 (0: exact)");
  line.flag("--resume", options->resume,
            "continue a stopped or killed run: points that are finished in the --out folder (points.sqlite) are not "
            "simulated again");
  line.option("--repeat", options->repeat, "run each randomized point with N seeds; report the median, 5 % and 95 %");
  line.option("--jobs", options->jobs, "points to simulate in parallel (0: one per core)");
  trace_options(line, options->trace_ranks, options->trace_time);
  line.choice("--critical-path", options->critical_path, {"auto", "on", "off"},
              "find the critical path: parts of the time, and the bottleneck (auto: up to 16384 ranks)");
  line.choice("--format", options->format, {"table", "json", "csv"}, "output format");
  line.flag("--full", options->full, full_help);
  chart_options(line, options->charts);
  line.flag("--predict", options->predict, "only predict with the models; simulate nothing");
  line.flag("--ignore-memory", options->ignore_memory, ignore_memory_help);
  many_nodes_options(line, options->many);
  line.flag("--check", options->check, "exit with code 5 if a tolerance of the scenario is violated");
  line.run([options] { return run(*options); });
}

const bool entered_run = commands().add({
    .name = "run",
    .summary = "simulate a scenario, predict it with its models, and compare",
    .example = "orrery run rico-gallego16-m10 --out out/m10",
    .setup = setup,
});

}  // namespace

}  // namespace orrery::cli::run_command
