/// `orrery search`: the best point of a scenario's sweep.
#include <fmt/format.h>

#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/cli/folder_run.hpp"
#include "sim/cli/run_output.hpp"
#include "sim/core/error.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/read/engines.hpp"
#include "sim/study/read/file_kinds.hpp"
#include "sim/study/read/flag_text.hpp"
#include "sim/study/search/search.hpp"
#include "sim/study/store/output_folder.hpp"

namespace orrery::cli::search_command {

namespace {

struct Options {
  std::string scenario, out = "out", engine, format = "table", least, most, model;
  std::vector<std::string> overrides, at_most, at_least;
  int jobs = 0, confirm = 0;
  bool resume = false, ignore_memory = false;
};

void add_bounds(SearchSpec& spec, const std::vector<std::string>& texts, const std::string& flag, bool at_most) {
  for (const auto& text : texts) {
    const auto [quantity, value] = name_and_value(text, flag);
    std::erase_if(spec.bounds, [&, &name = quantity](const auto& bound) {
      return bound.quantity == name && bound.at_most == at_most;
    });
    spec.bounds.push_back({quantity, value, flag, at_most});
  }
}

/// What the flags say goes before what the file says.
void apply(const Options& options, SearchSpec& spec) {
  if (!options.least.empty() && !options.most.empty())
    throw InputError("--most: beside --least (one quantity is sought). Bound the other by --at-most or --at-least?");
  if (!options.least.empty()) spec.objective = options.least, spec.most = false, spec.where = "--least";
  if (!options.most.empty()) spec.objective = options.most, spec.most = true, spec.where = "--most";
  add_bounds(spec, options.at_most, "--at-most", true);
  add_bounds(spec, options.at_least, "--at-least", false);
  if (!options.model.empty()) spec.model = options.model, spec.model_where = "--model";
  if (options.confirm < 0)
    throw InputError("--confirm: '{}' is negative (proposals that are played). Write '--confirm 8'?", options.confirm);
  if (options.confirm > 0 && spec.model.empty())
    throw InputError("--confirm: without a model nothing is proposed. Add '--model bsp-matrix'?");
  if (options.confirm > 0) spec.confirm = static_cast<std::uint32_t>(options.confirm);
}

int search(const Options& options) {
  const RunOptions run_options{.jobs = jobs_of(options.jobs), .resume = options.resume};
  auto overrides = options.overrides;
  if (!options.engine.empty()) overrides.push_back("engine=" + options.engine);
  const std::string path = data_path("scenarios", options.scenario, "yaml", "orrery search");
  require_scenario_kind(path);
  Scenario scenario = read_scenario(path, overrides);
  scenario.ignore_memory = scenario.ignore_memory || options.ignore_memory;
  apply(options, scenario.search);
  require_writable(options.out);
  finish_swap(options.out);
  ResultStore store(ResultStore::file_in(options.out));
  Verdict verdict;
  try {
    verdict.see(run_into(options.out, scenario, run_options, options.format, store, cli::search));
  } catch (const Stopped& stop) {
    tell_how_to_resume(stop, scenario, store);
  }
  verdict.conclude(false);
  return 0;
}

void setup(CommandLine& line) {
  auto options = std::make_shared<Options>();
  line.path("SCENARIO", options->scenario, "scenario with a sweep (file or name)");
  line.option("--least", options->least,
              "quantity to minimize: time (the default), energy, cost or any metric of the runs");
  line.option("--most", options->most, "quantity to maximize, as in Gflop/s");
  line.option("--at-most", options->at_most, "upper bound, as in 'greatest power=20kW' or memory=80% (repeatable)");
  line.option("--at-least", options->at_least, "lower bound, as in 'Gflop/s=900 Gflop/s' (repeatable)");
  line.option("--model", options->model,
              "model (with settings, as in 'bsp-matrix mode=predictor') whose best proposals alone are simulated");
  line.option("--confirm", options->confirm, "number of the model's proposals to simulate (default: 8)");
  line.option("--set", options->overrides, "override a value of the scenario, as 'orrery run' does");
  line.path("--out", options->out, "output folder, as of 'orrery run'; each finished point is saved there at once");
  line.choice("--engine", options->engine, engine_choices(), "simulation engine (default: the scenario's)");
  line.flag("--resume", options->resume, "continue a stopped or killed search");
  line.option("--jobs", options->jobs, "points to simulate in parallel (0: one per core)");
  line.choice("--format", options->format, {"table", "json", "csv"}, "output format");
  line.flag("--ignore-memory", options->ignore_memory, ignore_memory_help);
  line.run([options] { return search(*options); });
}

const bool entered = commands().add({
    .name = "search",
    .summary = "find the best point of a sweep: minimize or maximize any quantity, within bounds",
    .example = "orrery search hpl-search --most Gflop/s --at-most memory=80%",
    .setup = setup,
});

}  // namespace

}  // namespace orrery::cli::search_command
