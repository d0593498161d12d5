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
  std::string svg, output;
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
  const auto table = partition_table(answer.title, answer.partition, answer.layout, answer.speeds, answer.node_names);
  fmt::print("{}", options.json ? partition_json(table) : partition_text(table, terminal_width(), terminal_color()));
  return 0;
}

const bool entered = commands().add({
    .name = "partition",
    .summary = "who gets which blocks of a kernel's grid, as table, picture and .2dist",
    .example = "orrery partition --platform fermi --layout rico-gallego16-table1:M10 --kernel summa "
               "--param blocks=128 --svg m10.svg",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          PartitionRequest& request = options->request;
          line.option("--platform", request.platform, "a platform's name or file", true);
          line.option("--kernel", request.kernel, "a kernel with a grid: summa, wave2d ...", true);
          line.option("--layout", request.layout, "TABLE:ROW, a shipped layout table or a file and one of its rows");
          line.option("--ranks", request.ranks, "instead of --layout: this many ranks (0: as many as fit)");
          line.option("--per-node", request.per_node, "with --ranks: ranks on a node (0: as the cores allow)");
          line.option("--cores", request.cores, "with --ranks: cores of each rank");
          line.option("--param", request.parameters, "a parameter of the kernel, name=value; may be repeated");
          line.option("--algorithm", request.algorithm, "beaumont-columns, even-grid, rows ...");
          line.option("--compute", request.compute, "the compute model that gives the ranks' speeds");
          line.option("--compute-param", request.compute_parameters,
                      "a parameter of the compute model, name=value; may be repeated");
          line.option("--svg", options->svg, "draw the partition into this file");
          line.option("-o,--output", options->output, "write the partition into this file (.2dist)");
          line.flag("--json", options->json, "print JSON instead of a table");
          line.run([options] { return partition(*options); });
        },
});

}  // namespace

}  // namespace orrery::app
