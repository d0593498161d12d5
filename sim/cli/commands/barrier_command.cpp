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
    .summary = "which barrier is best: proofs and costs of all there are, and one made for the platform",
    .example = "orrery barrier --platform ntnu-12x2x6 --ranks 60 --simulate --svg barrier.svg --emit-c barrier.c",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          BarrierRequest& request = options->request;
          line.path("--platform", request.platform, "platform name or file (without one: proofs, no costs)");
          line.option("--network", request.network, "a network of the platform (required if there are several)");
          layout_options(line, request.layout);
          line.option("--members", request.members,
                      "ranks of the layout that make the communicator, a list such as 0,2,5-7 (default: all)");
          line.path("--matrices", request.matrices,
                    "parameter file of model barrier-matrix: matrices O and L (default: measured on the engine)");
          line.choice("--engine", request.engine, engine_names(), "engine that measures and simulates");
          line.choice("--acknowledgement", request.acknowledgement, {"counted", "none"},
                      "whether a signal costs the way back as well, as in equation 5.4");
          line.option("--sparseness", request.sparseness,
                      "clusters: least distance of their pivots, as a share of the diameter (default 0.35)");
          line.flag("--simulate", request.simulate, "play every barrier on the engine too");
          line.path("--pattern", request.pattern,
                    "a pattern to prove and cost: stage matrices, or who signals whom (kernel barrier plays it)");
          line.choice(
              "--goal", request.goal, pattern_goals(),
              "what the pattern is to do: all know of all (barrier, allreduce), all of the root, or the root of "
              "all");
          line.option("--root", request.root, "rank that a bcast or reduce is about");
          line.output("-o,--out", options->out, "save the hybrid, or what --pattern reads, to this file");
          line.output("--svg", options->svg, "draw its stages to this file");
          line.output("--emit-c", options->emit_c, "write it as a C function with MPI calls to this file");
          line.option("--name", options->name, "name of that function (default orrery_barrier)");
          line.choice("--format", options->format, {"table", "json", "csv"}, "what to print");
          line.flag("--json", options->json, "the same as --format json");
          line.run([options] { return barrier(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::barrier_command
