/// `orrery partition`: who gets which blocks of a kernel's grid, as table, picture and .2dist.
#include <fmt/format.h>

#include <memory>

#include "sim/app/commands/command_line.hpp"
#include "sim/app/pages/partition_table.hpp"
#include "sim/app/run/partition_job.hpp"
#include "sim/app/run/run_output.hpp"
#include "sim/config/files.hpp"
#include "sim/core/tell.hpp"
#include "sim/report/partition_svg.hpp"

namespace orrery::app {

namespace {

struct Options {
  PartitionRequest request;
  std::string svg, output, curves;
  bool json = false;
};

int partition(const Options& options) {
  const PartitionAnswer answer = make_partition(options.request);
  if (!options.svg.empty()) {
    config::write_file(options.svg, report::partition_svg(answer.partition, answer.layout,
                                                          {.title = answer.title, .node_names = answer.node_names}));
    tell("picture: {}\n", options.svg);
  }
  if (!options.output.empty()) {
    config::write_file(options.output, dist2_of(answer));
    tell("partition: {}\n", options.output);
  }
  if (!options.curves.empty()) {
    config::write_file(options.curves, answer.curves);
    tell("speed curves: {}\n", options.curves);
  }
  const auto table = partition_table(answer.title, answer.partition, answer.layout, answer.speeds, answer.node_names);
  fmt::print("{}", options.json ? partition_json(table) : partition_text(table, terminal_width(), terminal_color()));
  return 0;
}

const bool entered = commands().add({
    .name = "partition",
    .summary = "divide a kernel's grid among ranks; print it, draw it, or save it (.2dist)",
    .example = "orrery partition --platform fermi --layout rico-gallego16-table1:M10 --kernel summa "
               "--param blocks=128 --svg m10.svg",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          PartitionRequest& request = options->request;
          line.option("--platform", request.platform, "platform name or file", true);
          line.option("--kernel", request.kernel, "a kernel with a grid, as in summa or wave2d", true);
          layout_options(line, request.layout);
          line.option("--param", request.parameters, "kernel parameter, name=value (repeatable)");
          line.option("--algorithm", request.algorithm, "partitioner ('orrery list partitioners' shows them)");
          line.option("--network", request.network,
                      "for an algorithm that times candidates: a network of the platform (required if there are "
                      "several)");
          line.option("--time-by", request.time_by,
                      "for such an algorithm: the model or engine that times them (default: the flow engine)");
          line.option("--compute", request.compute,
                      "compute model for the speeds of the ranks (default: the platform's)");
          line.option("--compute-param", request.compute_parameters, "compute model setting, name=value (repeatable)");
          line.option("--svg", options->svg, "draw the partition to this file");
          line.option("-o,--output", options->output, "save the partition to this file (.2dist)");
          line.option("--curves", options->curves,
                      "save the speed of each rank at the kernel's sizes (CSV that compute model 'table' reads)");
          line.flag("--json", options->json, "print JSON");
          line.run([options] { return partition(*options); });
        },
});

}  // namespace

}  // namespace orrery::app
