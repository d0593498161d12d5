/// `orrery import`: traces and platforms of other simulators as ours, with all that could not be kept.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "platforms/loader.hpp"
#include "platforms/simgrid_import.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/pages/trace_page.hpp"
#include "sim/config/files.hpp"
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

std::string seen_kind(const std::string& file) {
  const std::string text = config::read_file(file);
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '<') return "simgrid-xml";
  return config::looks_like_goal(text) ? "goal" : "ti";
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
  const std::string kind = seen_kind(options.file);
  int code = 0;
  if (kind == "simgrid-xml") {
    code = import_platform(options);
  } else {
    if (options.smpi_factors)
      throw InputError("--smpi-factors: '" + options.file +
                       "' is no SimGrid platform (whose option it is). Leave it out?");
    const Trace trace = kind == "goal" ? config::parse_goal(config::read_file(options.file), options.file)
                                       : config::read_trace(options.file);
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
          line.positional("FILE", options->file, "a TI trace or its index, a GOAL schedule, a SimGrid platform");
          line.option("-o,--output", options->output, "trace (.ti) or platform (.yaml) to write", true);
          line.flag("--smpi-factors", options->smpi_factors,
                    "of a SimGrid platform: with the factors by which SMPI multiplies latencies and bandwidths");
          line.run([options] { return import_file(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::import_command
