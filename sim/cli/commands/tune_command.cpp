/// `orrery tune`: the best value of an integer parameter of a kernel. A model proposes, an engine confirms.
#include <fmt/format.h>

#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/cli/run_output.hpp"
#include "sim/core/error.hpp"
#include "sim/engine/engine.hpp"
#include "sim/study/search/tune_job.hpp"

namespace orrery::cli::tune_command {

namespace {

struct Options {
  TuneRequest request;
  std::string svg, csv;
};

int tune(const Options& options) {
  if (options.request.confirm < 0 || options.request.confirm > 1000)
    throw InputError("--confirm: {} lies outside 0..1000 (values to play). Choose one inside?",
                     options.request.confirm);
  const ScenarioResult result = cli::tune(options.request);
  write_table(result, {options.svg, options.csv, "x=kernel." + options.request.over + ",y=makespan"});
  print_result(result, "table");
  return 0;
}

const bool entered = commands().add({
    .name = "tune",
    .summary = "find the best value of a kernel's integer parameter: a model proposes values, an engine simulates them",
    .example = "orrery tune --platform ntnu-12x2x6 --kernel stencil --param points=2048 --param barrier=dissemination "
               "--over border --svg border.svg",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          TuneRequest& request = options->request;
          line.path("--platform", request.platform, "platform name or file", true);
          line.option("--network", request.network, "a network of the platform (required if there are several)");
          line.option("--kernel", request.kernel, "kernel name ('orrery list kernels' shows them)", true);
          line.option("--over", request.over, "integer parameter to vary, as in border, block or p", true);
          line.option("--values", request.values,
                      "its values, as in 32,64,128, or a range, as in 1..50 (default: all that the kernel accepts)");
          line.option("--param", request.parameters, "kernel parameter, name=value (repeatable)");
          layout_options(line, request.layout);
          line.option("--partition", request.partition, "partitioner for kernels on a grid");
          line.option("--compute", request.compute,
                      "compute model: constant, polynomial, roofline or table (default: the platform's)");
          line.option("--compute-param", request.compute_parameters,
                      "compute model setting, name=value, as in parameters=FILE.csv (repeatable)");
          line.option("--model", request.model,
                      "model that proposes values, with its settings, as in 'bsp-matrix mode=predictor'");
          line.choice("--engine", request.engine, engine_names(), "engine that simulates the values");
          line.option("--confirm", request.confirm, "maximum values to simulate (0: none; default: 5)");
          line.output("--svg", options->svg, "draw predicted and simulated times (SVG)");
          line.output("--csv", options->csv, "write predicted and simulated times (CSV)");
          line.run([options] { return tune(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::tune_command
