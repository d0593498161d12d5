/// `orrery chart`: charts for a paper from a run that was kept.
#include <memory>

#include "sim/cli/chart_files.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/core/error.hpp"
#include "sim/study/play/sides.hpp"

namespace orrery::cli::chart_command {

namespace {

struct Options {
  std::string folder;
  ChartOptions charts;
};

int chart(const Options& options) {
  check_charts(options.charts);
  if (!options.charts.any())
    throw InputError("orrery chart: no folder to write to (--svg, --pdf, --png). Add '--pdf figures'?");
  write_charts(options.charts, read_result(options.folder));
  return 0;
}

const bool entered = commands().add({
    .name = "chart",
    .summary = "draw charts for a paper from a finished run: SVG, PDF, PNG",
    .example =
        "orrery chart out --pdf figures\n  orrery chart out --png figures --chart x=ranks,y=makespan,series=network",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.path("FOLDER", options->folder, "output folder of 'orrery run', or a result.json");
          chart_options(line, options->charts);
          line.run([options] { return chart(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::chart_command
