/// `orrery simulate` and `orrery predict`: one run without a scenario file.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/cli/run_output.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/show/page/chrome_trace.hpp"
#include "sim/study/fit/calibration_request.hpp"
#include "sim/study/play/repeats.hpp"
#include "sim/study/play/run_scenario.hpp"
#include "sim/study/read/compute.hpp"
#include "sim/study/read/engines.hpp"
#include "sim/study/read/flag_text.hpp"
#include "sim/study/read/hpl_dat.hpp"
#include "sim/study/read/load.hpp"

namespace orrery::cli::single_run_command {

namespace {

struct Options {
  std::string platform, network, kernel, partition, engine = default_engine, compute, trace;
  std::string trace_ranks, trace_time, replay;
  std::vector<std::string> parameters, compute_parameters, models;
  LayoutFlags layout;
  bool ignore_memory = false, full = false;
  double approximate = 0.0;
  int repeat = 1;
  std::string gpu_staging = "compute-model", format = "table", critical_path = "auto";
};

NamedSpec kernel_of(const Options& options) {
  NamedSpec kernel{
      .name = options.kernel, .where = "--kernel", .settings = settings_from(options.parameters, "--param")};
  if (options.replay.empty() == options.kernel.empty())
    throw InputError("--kernel: {} (either a kernel or a recorded program). Write '--kernel wave2d'?",
                     options.kernel.empty() ? "not given, and neither is --replay"
                                            : fmt::format("'{}' and --replay are both given", options.kernel));
  if (!options.replay.empty()) {
    kernel.name = "trace";
    kernel.settings.push_back({"file", options.replay, "--replay"});
  }
  return kernel;
}

double approximate_of(const Options& options) {
  if (!(options.approximate >= 0.0 && options.approximate <= approximate_max))
    throw InputError(
        "--approximate: {:g} is not within 0..{} (a share of a resource's load). Write "
        "'--approximate 0.01'?",
        options.approximate, approximate_max);
  require_sharing(options.engine, options.approximate, "--approximate", "Add '--engine flow'");
  return options.approximate;
}

ModelSpec model_of(const std::string& text) {
  ModelSpec model = model_from(text, "--model");
  if (model.fitted_to_runs())
    throw InputError(
        "--model: '{}' is fitted to runs, and 'predict' plays none. Put it into a scenario, with 'fit-on'?",
        model.name);
  return model;
}

/// "hockney,loggp" is two models, as 'calibrate' takes them; commas of settings stay ("np-t basis=n^3/p,1").
std::vector<std::string> models_in(const std::string& text) {
  if (text.find_first_of(" =") != std::string::npos) return {text};
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto comma = std::min(text.find(',', begin), text.size());
    names.push_back(text.substr(begin, comma - begin));
    begin = comma + 1;
  }
  return names;
}

Scenario scenario_of(const Options& options) {
  const std::string program = options.kernel.empty() ? "trace" : options.kernel;
  Scenario scenario{.name = program,
                    .title = (options.replay.empty() ? program : options.replay) + " on " + options.platform,
                    .source = "command line",
                    .file = "command-line"};
  scenario.engine = options.engine;
  scenario.approximate = approximate_of(options);
  scenario.ignore_memory = options.ignore_memory;
  for (const auto& text : options.models)
    for (const auto& name : models_in(text)) scenario.models.push_back(model_of(name));
  PointSpec point{
      .platform = PlatformSpec{.name = options.platform, .where = "--platform", .changes = {}},
      .network = options.network.empty() ? network_named(load_platform_named(options.platform, "--platform"), "").name
                                         : options.network,
      .network_where = "--network",
      .layout = layout_from(options.layout),
      .kernel = kernel_of(options),
      .compute = NamedSpec{options.compute, "--compute", settings_from(options.compute_parameters, "--compute-param")}};
  point.staging_in_compute_model = options.gpu_staging == "compute-model";
  if (!options.partition.empty() && !kernels().at(point.kernel.name, "--kernel").grid)
    throw InputError("--partition: kernel '{}' has no grid, so '{}' would have no effect. Remove it?",
                     point.kernel.name, options.partition);
  const bool from_file = options.partition.ends_with(".2dist");
  point.partition =
      PartitionSpec{from_file ? "" : options.partition, from_file ? options.partition : "", "--partition"};
  if (options.partition.empty())
    point.partition =
        PartitionSpec{.algorithm = default_partitioner, .file = "", .where = "--partition", .assumed = true};
  scenario.points = Points(each_hpl_run(point));
  return scenario;
}

int run(const Options& options, bool simulated) {
  const Scenario scenario = scenario_of(options);
  if (!options.trace.empty() && scenario.points.size() > 1)
    throw InputError(
        "--trace: the HPL.dat lists {} runs (time lines are of one). Give values beside it, as in "
        "'--param order=4000'?",
        scenario.points.size());
  const ScenarioRun played =
      run_scenario(scenario, {.jobs = jobs_of(0),
                              .intervals_max = options.trace.empty() ? std::nullopt : std::optional(100'000u),
                              .full = options.full,
                              .trace = trace_range(options.trace_ranks, options.trace_time),
                              .critical_path = critical_path_asked(options.critical_path),
                              .simulate = simulated,
                              .repeat = repeat_of(options.repeat)});
  if (!options.trace.empty()) {
    config::write_file(options.trace, show::to_chrome_trace(played.result.points.front()));
    tell("trace: {} (open it in Perfetto or chrome://tracing)\n", options.trace);
  }
  print_result(played.result, options.format, options.full);
  return 0;
}

void setup(CommandLine& line, bool simulated) {
  auto options = std::make_shared<Options>();
  line.path("--platform", options->platform, "platform name or file", true);
  line.option("--network", options->network, "a network of the platform (required if there are several)");
  line.option("--kernel", options->kernel, "kernel name ('orrery list kernels' shows them)");
  line.path("--replay", options->replay, "recorded program instead of a kernel: a TI trace or GOAL schedule");
  line.option("--param", options->parameters, "kernel parameter, name=value (repeatable)");
  line.option("--compute", options->compute,
              "compute model: constant, polynomial, regimes, roofline or table (default: the platform's)");
  line.option("--compute-param", options->compute_parameters,
              "compute model setting, name=value, as in parameters=FILE.csv (repeatable)");
  layout_options(line, options->layout);
  line.path(
      "--partition", options->partition,
      "for kernels on a grid: a partitioner ('orrery list partitioners' shows them; default: beaumont-columns) or a "
      "partition file (.2dist)");
  line.choice("--engine", options->engine, simulated ? engine_choices() : engine_names(),
              simulated ? "simulation engine; both: run and compare both" : "engine that calibrates the models");
  if (simulated) {
    line.option("--approximate", options->approximate,
                "engine flow: allowed deviation from max-min fairness, as in 0.01 (0: exact)");
    line.choice(
        "--gpu-staging", options->gpu_staging, {"compute-model", "messages"},
        "messages: GPU messages include PCIe transfers (unless GPU-direct); compute-model: compute times include them");
    line.option("--repeat", options->repeat, "run a randomized program with N seeds; report the median, 5 % and 95 %");
    line.output("--trace", options->trace,
                "write the time lines to this file (Chrome trace); above 256 ranks only a sample of ranks is included");
    trace_options(line, options->trace_ranks, options->trace_time);
    line.choice("--critical-path", options->critical_path, {"auto", "on", "off"},
                "find the critical path: parts of the time, and the bottleneck (auto: up to 16384 ranks)");
  } else {
    line.option("--model", options->models,
                "model ('orrery list models' shows them) with its settings, as in 'taulop overhead=per-slice' "
                "(repeatable), or names separated by commas");
  }
  if (simulated) line.flag("--full", options->full, full_help);
  line.flag("--ignore-memory", options->ignore_memory, ignore_memory_help);
  line.choice("--format", options->format, {"table", "json", "csv"}, "output format");
  line.run([options, simulated] {
    if (!simulated && options->models.empty())
      for (const auto& [name, entry] : models().entries())
        if (!entry.fitted_to_runs()) options->models.push_back(name);
    return run(*options, simulated);
  });
}

const bool entered_simulate = commands().add({
    .name = "simulate",
    .summary = "simulate one kernel on one platform, without a scenario file",
    .example = "orrery simulate --platform fermi --network infiniband --kernel wave2d --ranks 64 --per-node 4",
    .setup = [](CommandLine& line) { setup(line, true); },
});

const bool entered_predict = commands().add({
    .name = "predict",
    .summary = "predict one kernel on one platform with analytic models, without simulation",
    .example = "orrery predict --platform fermi --network ethernet --kernel summa --param blocks=128 "
               "--layout rico-gallego16-table1:M10 --model taulop --model hloggp",
    .setup = [](CommandLine& line) { setup(line, false); },
});

}  // namespace

}  // namespace orrery::cli::single_run_command
