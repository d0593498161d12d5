/// `orrery barrier`: which barrier is best for some ranks of a platform, as table, pattern, picture and C function.
#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/cli/pages/barrier_c.hpp"
#include "sim/cli/run_output.hpp"
#include "sim/config/files.hpp"
#include "sim/config/pattern_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/engine/engine.hpp"
#include "sim/show/charts/pattern_svg.hpp"
#include "sim/study/search/barrier_job.hpp"

namespace orrery::cli::barrier_command {

namespace {

struct Options {
  BarrierRequest request;
  std::string out, svg, emit_c, name = "orrery_barrier", format = "table";
  bool json = false;
};

void write_files(const Options& options, const BarrierAnswer& answer) {
  if (options.out.empty() && options.svg.empty() && options.emit_c.empty()) return;
  if (!answer.chosen)
    throw InputError("orrery barrier: no pattern to save (a hybrid needs a platform). Add '--platform NAME'?");
  const StagePattern& pattern = answer.patterns[*answer.chosen];
  const std::string comment = answer.result.title + ", " + answer.result.points[*answer.chosen].settings.front().second;
  if (!options.out.empty()) {
    config::write_file(options.out, config::pattern_text(pattern, comment));
    tell("pattern: {}\n", options.out);
  }
  if (!options.svg.empty()) {
    config::write_file(options.svg, show::pattern_svg(pattern, {comment, answer.clusters}));
    tell("picture: {}\n", options.svg);
  }
  if (!options.emit_c.empty()) {
    config::write_file(options.emit_c, barrier_c(pattern, options.name, comment));
    tell("C function {}(MPI_Comm): {}\n", options.name, options.emit_c);
  }
}

int barrier(const Options& options) {
  const BarrierAnswer answer = find_barriers(options.request);
  print_result(answer.result, options.json ? "json" : options.format);
  write_files(options, answer);
  return 0;
}

const bool entered = commands().add({
    .name = "barrier",
    .summary = "compare barrier algorithms: verify each, predict its cost, and design one for the platform",
    .example = "orrery barrier --platform ntnu-12x2x6 --ranks 60 --simulate --svg barrier.svg --emit-c barrier.c",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          BarrierRequest& request = options->request;
          line.path("--platform", request.platform, "platform name or file (without it: verification only, no costs)");
          line.option("--network", request.network, "a network of the platform (required if there are several)");
          layout_options(line, request.layout);
          line.option("--members", request.members,
                      "ranks of the layout that form the communicator, as in 0,2,5-7 (default: all)");
          line.path("--matrices", request.matrices,
                    "parameter file of model barrier-matrix with matrices O and L (default: measured on the engine)");
          line.choice("--engine", request.engine, engine_names(), "engine for measurements and simulation");
          line.choice("--acknowledgement", request.acknowledgement, {"counted", "none"},
                      "counted: a signal also costs its acknowledgement, as in equation 5.4");
          line.option("--sparseness", request.sparseness,
                      "rank clusters: minimum distance of pivots, as a fraction of the diameter (default 0.35)");
          line.flag("--simulate", request.simulate, "also simulate each barrier on the engine");
          line.path("--pattern", request.pattern,
                    "pattern file to verify and cost: stage matrices, or lists of signals (kernel barrier plays it)");
          line.choice("--goal", request.goal, pattern_goals(),
                      "what the pattern must do. barrier, allreduce: all hear from all; bcast: all from the root; "
                      "reduce: the root from all");
          line.option("--root", request.root, "root rank of bcast or reduce");
          line.output("-o,--out", options->out, "save the designed barrier, or the pattern of --pattern, to this file");
          line.output("--svg", options->svg, "draw its stages to this file (SVG)");
          line.output("--emit-c", options->emit_c, "write it to this file as a C function with MPI calls");
          line.option("--name", options->name, "name of the C function (default orrery_barrier)");
          line.choice("--format", options->format, {"table", "json", "csv"}, "output format");
          line.flag("--json", options->json, "the same as --format json");
          line.run([options] { return barrier(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::barrier_command
