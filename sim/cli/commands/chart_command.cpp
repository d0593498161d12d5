/// `orrery chart`: charts for a paper from a run that was kept.
#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/cli/figure_files.hpp"
#include "sim/core/error.hpp"
#include "sim/study/play/sides.hpp"

namespace orrery::cli::chart_command {

namespace {

struct Options {
  std::string folder;
  FigureOptions figures;
};

int chart(const Options& options) {
  check_figures(options.figures);
  if (!options.figures.any())
    throw InputError("orrery chart: no folder to write to (--svg, --pdf, --png). Add '--pdf figures'?");
  write_figures(options.figures, read_result(options.folder));
  return 0;
}

const bool entered = commands().add({
    .name = "chart",
    .summary = "charts for a paper, from a run that was kept: SVG, PDF, PNG",
    .example =
        "orrery chart out --pdf figures\n  orrery chart out --png figures --chart x=ranks,y=makespan,series=network",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.positional("FOLDER", options->folder, "output folder of 'orrery run', or a result.json");
          figure_options(line, options->figures);
          line.run([options] { return chart(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::chart_command
