/// `orrery new scenario|layout|lab NAME`: a commented file to start one's own from.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/cli/pages/file_templates.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/read/load.hpp"

namespace orrery::cli::new_command {

namespace {

struct Options {
  std::string name, platform = "fermi";
};

int new_scenario(const Options& options) {
  const NewFile target = new_file(options.name, "new scenario");
  const Platform platform = load_platform_named(options.platform, "--platform");
  return write_new(target, scenario_template(target.name, platform, options.platform), "orrery run " + target.file);
}

int new_layout(const Options& options) {
  const NewFile target = new_file(options.name, "new layout");
  const Platform platform = load_platform_named(options.platform, "--platform");
  return write_new(target, layout_template(target.name, platform, options.platform),
                   fmt::format("orrery simulate --platform {} --network {} --kernel ring --layout {}:spread",
                               options.platform, platform.networks.front().name, target.file));
}

int new_lab(const Options& options) {
  const NewFile target = new_file(options.name, "new lab");
  const std::string prose = std::filesystem::path(target.file).replace_extension(".md").string();
  std::error_code ignored;
  if (std::filesystem::exists(prose, ignored))
    throw InputError("{}: already exists (never overwritten). Choose another name?", prose);
  const Platform platform = load_platform_named(options.platform, "--platform");
  config::write_file(prose, lab_prose_template());
  say("wrote {}\n", prose);
  return write_new(target, lab_template(target.name, platform, options.platform),
                   fmt::format("orrery lab show {} --solution", target.file));
}

const bool entered_lab = commands().add({
    .name = "new lab",
    .summary = "create a lab: a commented file, and the Markdown that students read",
    .example = "orrery new lab mine.yaml",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.path("NAME", options->name, "name or path of the new lab");
          line.path("--platform", options->platform, "platform of its first machine (name or file)");
          line.run([options] { return new_lab(*options); });
        },
});

const bool entered_scenario = commands().add({
    .name = "new scenario",
    .summary = "create a commented scenario file to edit; it runs unchanged",
    .example = "orrery new scenario question.yaml",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.path("NAME", options->name, "name or path of the new scenario");
          line.path("--platform", options->platform, "platform of the scenario (name or file)");
          line.run([options] { return new_scenario(*options); });
        },
});

const bool entered_layout = commands().add({
    .name = "new layout",
    .summary = "create a commented table of layouts to edit",
    .example = "orrery new layout layouts.yaml",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.path("NAME", options->name, "name or path of the new table of layouts");
          line.path("--platform", options->platform, "platform of the layouts (name or file)");
          line.run([options] { return new_layout(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::new_command
