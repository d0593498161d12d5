/// `orrery partition`: who gets which blocks of a kernel's grid, as table, picture and .2dist.
#include <fmt/format.h>

#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/cli/pages/partition_rows.hpp"
#include "sim/cli/run_output.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/show/charts/partition_svg.hpp"
#include "sim/show/charts/rounds_svg.hpp"
#include "sim/study/search/partition_job.hpp"

namespace orrery::cli::partition_command {

namespace {

struct Options {
  PartitionRequest request;
  std::string svg, output, curves, speeds_svg, rounds_svg, format = "table";
  bool json = false;
};

show::RoundsPicture picture_of(const PartitionAnswer& answer) {
  show::RoundsPicture picture{.title = answer.title, .curves = answer.speed_curves};
  for (std::uint32_t r = 0; r < answer.layout.ranks(); ++r)
    picture.rank_names.push_back(
        fmt::format("rank {} on {}", r, answer.node_names[index(answer.layout.of(Rank{r}).node)]));
  return picture;
}

int partition(const Options& options) {
  const PartitionAnswer answer = make_partition(options.request);
  if (!options.svg.empty()) {
    config::write_file(options.svg, show::partition_svg(answer.partition, answer.layout,
                                                        {.title = answer.title, .node_names = answer.node_names}));
    tell("picture: {}\n", options.svg);
  }
  if (!options.output.empty()) {
    config::write_file(options.output, dist2_of(answer));
    tell("partition: {}\n", options.output);
  }
  if (!options.speeds_svg.empty()) {
    config::write_file(options.speeds_svg, show::rounds_svg({answer.end}, picture_of(answer)));
    tell("speeds: {}\n", options.speeds_svg);
  }
  if (!options.rounds_svg.empty()) {
    if (answer.rounds.empty())
      throw InputError("--rounds: '{}' measures nothing, so there are no rounds to draw. Use 'dfpa-1d'?",
                       options.request.algorithm);
    config::write_file(options.rounds_svg, show::rounds_svg(answer.rounds, picture_of(answer)));
    tell("rounds: {}\n", options.rounds_svg);
  }
  if (!options.curves.empty()) {
    config::write_file(options.curves, answer.curves);
    tell("speed curves: {}\n", options.curves);
  }
  print_result(partition_rows(answer), options.json ? "json" : options.format);
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
          line.path("--platform", request.platform, "platform name or file", true);
          line.option("--kernel", request.kernel, "kernel on a grid, as in summa or wave2d", true);
          layout_options(line, request.layout);
          line.option("--param", request.parameters, "kernel parameter, name=value (repeatable)");
          line.option("--algorithm", request.algorithm, "partitioner ('orrery list partitioners' shows them)");
          line.option("--network", request.network,
                      "for algorithms that time candidates: network of the platform (required if there are several)");
          line.path("--processors", request.processors,
                    "for cost models (cm0 to cm3b, cm-weighted): clock, cache, memory and latency of processors (CSV "
                    "file or a shipped one)");
          line.option(
              "--accuracy", request.accuracy,
              "for algorithms that measure: difference of times, in percent, that counts as balanced (default: 2.5)");
          line.option("--compute", request.compute,
                      "compute model for the speeds of the ranks (default: the platform's)");
          line.option("--compute-param", request.compute_parameters, "compute model setting, name=value (repeatable)");
          line.output("--svg", options->svg, "draw the partition to this file (SVG)");
          line.output("--speeds", options->speeds_svg,
                      "draw the speeds of some ranks over their rows, with the line through the origin of this "
                      "partition (SVG)");
          line.output("--rounds", options->rounds_svg,
                      "draw the rounds of an algorithm that measures to this file (SVG)");
          line.output("-o,--output", options->output, "save the partition to this file (.2dist)");
          line.output("--curves", options->curves,
                      "save the speed of each rank at the kernel's sizes to this file (CSV for compute model 'table')");
          line.option("--curves-accuracy", request.curves_accuracy,
                      "with --curves: measure only as many sizes as interpolation needs for this error in percent "
                      "(default: the kernel's sizes)");
          line.choice("--format", options->format, {"table", "json", "csv"}, "output format");
          line.flag("--json", options->json, "the same as --format json");
          line.run([options] { return partition(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::partition_command
