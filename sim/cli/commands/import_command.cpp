/// `orrery import`: traces and platforms of other simulators as ours, with all that could not be kept.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "platforms/loader.hpp"
#include "platforms/simgrid_import.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/pages/trace_page.hpp"
#include "sim/config/files.hpp"
#include "sim/config/formats/known_formats.hpp"
#include "sim/config/traces/trace_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/read/data_path.hpp"

namespace orrery::cli::import_command {

namespace {

struct Options {
  std::string file, output;
  bool smpi_factors = false;
};

/// A platform is seen by its root element; the reader of traces knows those, and names any other format.
bool is_platform(const std::string& file) {
  const std::string text = config::read_file(file);
  const config::SeenFormat seen = config::format_of(text);
  if (seen.format != nullptr && seen.format->name == "simgrid-xml") return true;
  config::require_trace(text, file, "a trace, a GOAL schedule or a SimGrid platform");
  return false;
}

int import_platform(const Options& options) {
  const ImportedPlatform imported = import_simgrid_xml(options.file, {options.smpi_factors});
  config::write_file(options.output, imported.yaml);
  const Platform platform = load_platform(options.output);  // what we write, we read
  const std::size_t types = platform.node_types.size();
  say("platform '{}': {} node{} of {} type{}\n", platform.name, platform.nodes(), platform.nodes() == 1 ? "" : "s",
      types, types == 1 ? "" : "s");
  if (!imported.checked.empty()) say("checked against the file: {}\n", imported.checked);
  for (const std::string& note : imported.notes) say("note: {}\n", note);
  return 0;
}

int import_file(Options options) {
  options.file = input_path(options.file);
  int code = 0;
  if (is_platform(options.file)) {
    code = import_platform(options);
  } else {
    if (options.smpi_factors)
      throw InputError("--smpi-factors: '{}' is no SimGrid platform (whose option it is). Leave it out?", options.file);
    const Trace trace = config::read_trace(options.file);
    config::write_file(options.output, config::ti_text(trace));
    say("{}", trace_page(trace));
  }
  tell("written: {}\n", options.output);
  return code;
}

const bool entered = commands().add({
    .name = "import",
    .summary = "convert SMPI traces, GOAL schedules and SimGrid platforms to Orrery's formats; report what is lost",
    .example = "orrery import schedule.goal -o schedule.ti",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.path("FILE", options->file, "a TI trace or its index, a GOAL schedule, a SimGrid platform");
          line.output("-o,--output", options->output, "trace (.ti) or platform (.yaml) to write", true);
          line.flag("--smpi-factors", options->smpi_factors,
                    "SimGrid platforms: apply the factors by which SMPI multiplies latencies and bandwidths");
          line.run([options] { return import_file(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::import_command
