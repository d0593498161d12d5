/// "run": a scenario with its sweeps, as `orrery run` plays it, but for the folder of results: the answer is all there is.
#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/cli/run_output.hpp"
#include "sim/core/error.hpp"
#include "sim/study/play/repeats.hpp"
#include "sim/study/play/run_scenario.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/read/engines.hpp"
#include "web/driver/page_data.hpp"

namespace orrery::web::run_command {

namespace {

struct Options {
  std::string scenario, engine, approximate, format = "json", critical_path = "auto", trace_ranks, trace_time;
  std::vector<std::string> overrides;
  int repeat = 1;
  bool ignore_memory = false, full = false, predict = false;
};

int run(const Options& options) {
  auto overrides = options.overrides;
  if (!options.engine.empty()) overrides.push_back("engine=" + options.engine);
  if (!options.approximate.empty()) overrides.push_back("approximate=" + options.approximate);
  Scenario scenario = read_scenario(data_path("scenarios", options.scenario, "yaml", "orrery run"), overrides);
  if (options.ignore_memory) scenario.ignore_memory = true;
  std::shared_ptr<const LoadedPoint> only;  // what a page steps through asks more of
  const auto played =
      study::run_scenario(scenario, {.jobs = cli::jobs_of(0),
                                     .full = options.full,
                                     .trace = study::trace_range(options.trace_ranks, options.trace_time),
                                     .critical_path = study::critical_path_asked(options.critical_path),
                                     .simulate = !options.predict,
                                     .repeat = study::repeat_of(options.repeat),
                                     .on_collected = [&only](auto point) { only = std::move(point); }});
  if (options.format == "page")
    print_page(played.result, only.get());
  else
    cli::print_result(played.result, options.format, options.full);
  return 0;
}

void setup(cli::CommandLine& line) {
  auto options = std::make_shared<Options>();
  line.positional("SCENARIO", options->scenario, "a scenario's file or name");
  line.option("--set", options->overrides, "override a value of the scenario");
  line.choice("--engine", options->engine, engine_choices(), "simulation engine");
  line.option("--approximate", options->approximate, "allowed deviation from max-min fairness");
  line.option("--repeat", options->repeat, "number of seeds for randomized programs");
  cli::trace_options(line, options->trace_ranks, options->trace_time);
  line.choice("--critical-path", options->critical_path, {"auto", "on", "off"}, "find what the time consists of");
  line.choice("--format", options->format, {"json", "page", "table", "csv"},
              "result.json, the data of a report's page, or a table");
  line.flag("--full", options->full, cli::full_help);
  line.flag("--predict", options->predict, "only predict with the models; simulate nothing");
  line.flag("--ignore-memory", options->ignore_memory, cli::ignore_memory_help);
  line.run([options] { return run(*options); });
}

const bool entered = cli::commands().add({
    .name = "run",
    .summary = "simulate a scenario, predict it with its models, and compare",
    .example = R"({"command": "run", "scenario": "rico-gallego16-m10"})",
    .setup = setup,
});

}  // namespace

}  // namespace orrery::web::run_command
