/// `orrery export`: a program and its platform for SimGrid's own tools, or a simulated run for a trace viewer.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/config/files.hpp"
#include "sim/config/traces/trace_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/core/trace_of.hpp"
#include "sim/engine/batch.hpp"
#include "sim/show/page/chrome_trace.hpp"
#include "sim/study/play/candidate_time.hpp"
#include "sim/study/play/progress.hpp"
#include "sim/study/play/smpi_export.hpp"
#include "sim/study/play/survey.hpp"
#include "sim/study/play/trace_range.hpp"
#include "sim/study/play/watched_program.hpp"
#include "sim/study/read/engines.hpp"
#include "sim/study/read/flag_text.hpp"
#include "sim/study/read/hpl_dat.hpp"
#include "sim/study/read/load.hpp"
#include "sim/study/read/point.hpp"

namespace orrery::cli::export_command {

namespace {

struct Options {
  std::string format = "ti", platform, network, kernel, algorithm = "beaumont-columns", compute, output;
  std::string engine = default_engine, trace_ranks, trace_time, collectives = "messages";
  std::vector<std::string> parameters;
  LayoutFlags layout;
};

NamedSpec kernel_of(const Options& options) {
  NamedSpec kernel{options.kernel, "--kernel", settings_from(options.parameters, "--param")};
  expand_hpl_dat(kernel);
  return kernel;
}

PointSpec spec_of(const Options& options, const Platform& platform) {
  PointSpec spec;
  spec.platform = {.name = options.platform, .where = "--platform", .changes = {}};
  spec.network = options.network.empty() ? platform.networks.at(0).name : options.network;
  spec.network_where = "--network";
  spec.kernel = kernel_of(options);
  spec.compute = {options.compute, "--compute", {}};
  spec.partition = PartitionSpec{options.algorithm, "", "--algorithm"};
  spec.layout = layout_from(options.layout);
  return spec;
}

Trace with_differences_told(Trace trace) {
  for (const std::string& note : trace.notes) tell("differs: {}\n", note);
  return trace;
}

/// The point's program as a trace for hosts of 1 Gflop/s. A trace that is played keeps the collectives it has.
Trace trace_to_export(const LoadedPoint& point, double speed, const char* where, bool as_calls) {
  if (point.trace) return retimed(*point.trace, *point.compute, speed);
  return with_differences_told(trace_of(WatchedProgram(*point.program), *point.compute, where,
                                        as_calls ? TracedCollectives::calls : TracedCollectives::messages));
}

/// What a TI trace says of a program and SMPI does not hear.
void say_what_smpi_skips(const Trace& trace, bool as_calls) {
  bool trains = false;
  for (const RankTrace& rank : trace.ranks) {
    TraceCursor cursor(rank);
    for (TraceCall call; !trains && cursor.next(call);) trains = call.repeat > 1;
  }
  if (trains) tell("differs: a train of messages is one message of all its bytes to SMPI\n");
  if (as_calls)
    tell(
        "differs: SMPI chooses the algorithms of collectives written as calls; uneven ones and those of some "
        "ranks are messages\n");
}

/// SMPI's selector nearest to who chooses the collectives of a trace; what it decides otherwise is said.
std::string smpi_selector(const std::string& collectives) {
  if (collectives == "openmpi")
    tell("differs: collectives are chosen as Open MPI does; SMPI's reading of it is 'smpi-openmpi'\n");
  else if (collectives == "cray-mpich")
    tell("differs: collectives are chosen as Cray MPICH does; SMPI's nearest selector is 'mpich'\n");
  else if (collectives != "smpi-openmpi" && collectives != "mpich")
    tell("differs: '{0}' is for the operations that have it; add --cfg=smpi/OPERATION:{0}\n", collectives);
  return collectives == "mpich" || collectives == "cray-mpich" ? "mpich" : "ompi";
}

void say_what_platforms_lose(const LoadedPoint& point) {
  for (const std::string& difference : smpi_differences(*point.platform, *point.network))
    tell("differs: {}\n", difference);
}

int export_ti(const LoadedPoint& point, const Trace& trace, const std::string& collectives, bool as_calls,
              const std::string& folder) {
  write_smpi_export(folder, trace, point.layout, *point.platform, *point.network);
  say("smpirun -no-privatize -np {0} -platform {1}/platform.xml -hostfile {1}/hostfile.txt {2} "
      "--cfg=smpi/display-timing:yes -replay {1}/index.txt\n",
      point.program->ranks(), folder, smpi_options(*point.network, collectives));
  say_what_platforms_lose(point);
  say_what_smpi_skips(trace, as_calls);
  return 0;
}

int export_xml(const LoadedPoint& point, const std::string& file) {
  config::write_file(file, simgrid_xml(*point.platform, *point.network));
  say("{}\n", smpi_options(*point.network));
  say_what_platforms_lose(point);
  return 0;
}

RunResult simulate(const LoadedPoint& point, const Options& options) {
  ReplayOptions replay;
  trace_range(options.trace_ranks, options.trace_time).apply(replay, point.layout.ranks(), stages_of(point));
  const auto play = [&](const ReplayProgress& tell) {
    replay.progress = tell;
    return make_engine(options.engine, "--engine")->replay(point.replay_input(replay));
  };
  SimulationProgress progress("simulating on " + options.engine, 0);
  return engine::play_all({.threads = make_engine(options.engine, "--engine")->reentrant()}, {{"export", play}},
                          [&](const engine::BatchState& state) {
                            progress.update(state);
                            return !interrupted();
                          })
      .front()
      .value();
}

int export_chrome(const LoadedPoint& point, const Options& options, const std::string& file) {
  PointResult result;
  result.id = point.id;
  result.kernel = point.program->name();
  result.platform = point.platform->name;
  result.network = point.network->name;
  result.layout_name = point.layout.name;
  result.compared_phase = point.compared_phase;
  result.run = simulate(point, options);
  result.layout = point.layout;
  result.node_names = node_names(*point.platform, point.layout);
  config::write_file(file, show::to_chrome_trace(result));
  return 0;
}

std::string default_output(const std::string& format, const LoadedPoint& point) {
  const std::string name = point.program->name();
  if (format == "ti") return name + "-ti";
  if (format == "goal") return name + ".goal";
  return format == "chrome-trace" ? name + ".trace.json" : point.platform->name + ".xml";
}

int export_point(const Options& options) {
  const Scenario scenario{.name = "export", .engine = options.engine};
  CandidateTime candidate_time(scenario, 1);
  PointLoader loader("", options.engine, false, std::ref(candidate_time));
  const PointSpec spec = spec_of(options, load_platform_named(options.platform, "--platform"));
  const LoadedPoint point = loader.load(spec);
  const std::string output = options.output.empty() ? default_output(options.format, point) : options.output;
  const Parameters kernel = parameters_of(kernels().at(options.kernel, "--kernel").parameters, spec.kernel);
  const double speed = point.trace ? kernel.number("speed") : 0.0;
  const bool as_calls = options.collectives == "calls" && !point.trace;
  int code = 0;
  if (options.format == "ti")
    code = export_ti(point, trace_to_export(point, speed, "ti", as_calls),
                     point.trace ? smpi_selector(kernel.text("collectives")) : "ompi", as_calls, output);
  else if (options.format == "goal")
    config::write_file(
        output,
        config::goal_text(with_differences_told(trace_of(WatchedProgram(*point.program), *point.compute, "goal"))));
  else
    code = options.format == "chrome-trace" ? export_chrome(point, options, output) : export_xml(point, output);
  tell("written: {}\n", output);
  return code;
}

const bool entered = commands().add({
    .name = "export",
    .summary = "convert a program to SMPI traces or GOAL, a platform to SimGrid XML, a simulated run to a Chrome trace",
    .example = "orrery export --format ti --platform fermi --kernel wave2d --ranks 4 --per-node 1 "
               "--param barrier=none -o wave2d-ti",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.choice("--format", options->format, {"ti", "goal", "simgrid-xml", "chrome-trace"}, "output format");
          line.path("--platform", options->platform, "platform name or file", true);
          line.option("--kernel", options->kernel, "kernel name ('orrery list kernels' shows them)", true);
          line.option("--network", options->network, "a network of the platform (default: the first)");
          layout_options(line, options->layout);
          line.option("--param", options->parameters, "kernel parameter, name=value (repeatable)");
          line.option("--algorithm", options->algorithm,
                      "partitioner for kernels on a grid: beaumont-columns, even-grid or rows");
          line.option("--compute", options->compute,
                      "compute model: constant, polynomial, regimes, roofline or table (default: the platform's)");
          line.choice("--collectives", options->collectives, {"messages", "calls"},
                      "with ti: write collectives as messages, or as calls where TI has them");
          line.choice("--engine", options->engine, engine_names(), "engine that simulates the run (chrome-trace only)");
          trace_options(line, options->trace_ranks, options->trace_time);
          line.path("-o,--output", options->output, "output file, or folder for ti");
          line.run([options] { return export_point(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::export_command
