/// `orrery show reference [KIND]`: every key of the files that users write.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/cli/pages/reference_page.hpp"
#include "sim/cli/run_output.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"
#include "sim/core/tell.hpp"
#include "sim/show/tables/text_grid.hpp"

namespace orrery::cli::show_reference_command {

namespace {

struct Options {
  std::string kind;
  bool markdown = false;
};

int show_reference(const Options& options) {
  if (options.markdown) {
    say("{}", reference_markdown());
    return 0;
  }
  const auto& files = file_references();
  if (!options.kind.empty() && std::ranges::find(files, options.kind, &FileReference::kind) == files.end()) {
    std::vector<std::string> known;
    known.reserve(files.size());
    for (const auto& file : files) known.push_back(file.kind);
    throw InputError("show reference: unknown kind of file '{}'{}", options.kind, known_names(options.kind, known));
  }
  const std::size_t width = std::min(terminal_width(), show::prose_width_max);
  const char* between = "";
  for (const auto& file : files)
    if (options.kind.empty() || options.kind == file.kind) {
      say("{}{}", between, reference_text(file, width));
      between = "\n";
    }
  return 0;
}

const bool entered = commands().add({
    .name = "show reference",
    .summary = "every key of platform, layout, scenario and lab files: unit, range, default, example",
    .example = "orrery show reference scenario",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.positional("KIND", options->kind, "platform, layout, scenario or lab (default: all)", false);
          line.flag("--markdown", options->markdown, "print everything as Markdown (docs/reference.md)");
          line.run([options] { return show_reference(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::show_reference_command
