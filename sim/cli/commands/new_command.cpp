/// `orrery new platform|scenario|layout NAME`: a commented file to start one's own from.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/cli/pages/file_templates.hpp"
#include "sim/cli/pages/platform_template.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/study/read/load.hpp"

namespace orrery::app::new_command {

namespace {

struct Target {
  std::string file, name;
};

/// "mine", "mine.yaml" or "folder/mine.yaml": the file; its stem is the name in it.
Target target_of(const std::string& wanted, const std::string& command) {
  std::filesystem::path file(wanted);
  if (file.extension() != ".yaml") file += ".yaml";
  const std::string name = file.stem().string();
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  if (name.empty() || name.size() > 64 || !std::ranges::all_of(name, plain))
    throw InputError(
        fmt::format("{}: name '{}' (1 to 64 characters of a-z, 0-9 and '-'). Choose another?", command, name));
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored))
    throw InputError(fmt::format("{}: already exists (never overwritten). Choose another name?", file.string()));
  return {file.string(), name};
}

int write(const Target& target, const std::string& text, const std::string& next) {
  config::write_file(target.file, text);
  fmt::print("wrote {0}\nnext: edit it, then 'orrery check {0}' and '{1}'\n", target.file, next);
  return 0;
}

struct PlatformOptions {
  std::string name, like = "cpu";
};

/// A copy of a platform's file under another name; `cpu` is the commented file with everything in it.
std::string platform_text(const PlatformOptions& options, const std::string& name) {
  if (options.like == "cpu") return platform_template(name);
  const std::string file = load_platform_named(options.like, "--like").file;
  std::string text = config::read_file(file);
  const auto at = text.starts_with("name:") ? 0 : text.find("\nname:") + 1;
  text.replace(at, text.find('\n', at) - at, "name: " + name);
  return fmt::format("# Begun as a copy of '{}'; what follows describes that.\n{}", options.like, text);
}

int new_platform(const PlatformOptions& options) {
  const Target target = target_of(options.name, "new platform");
  return write(target, platform_text(options, target.name), "orrery show platform " + target.file);
}

struct Options {
  std::string name, platform = "fermi";
};

int new_scenario(const Options& options) {
  const Target target = target_of(options.name, "new scenario");
  const Platform platform = load_platform_named(options.platform, "--platform");
  return write(target, scenario_template(target.name, platform, options.platform), "orrery run " + target.file);
}

int new_layout(const Options& options) {
  const Target target = target_of(options.name, "new layout");
  const Platform platform = load_platform_named(options.platform, "--platform");
  return write(target, layout_template(target.name, platform, options.platform),
               fmt::format("orrery simulate --platform {} --network {} --kernel ring --layout {}:spread",
                           options.platform, platform.networks.front().name, target.file));
}

const bool entered_platform = commands().add({
    .name = "new platform",
    .summary = "create a commented platform file to edit",
    .example = "orrery new platform mine.yaml\n  orrery new platform pod.yaml --like dgx-h100",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<PlatformOptions>();
          line.positional("NAME", options->name, "name or path of the new platform");
          line.option("--like", options->like,
                      "a platform to begin with ('orrery list platforms'), or cpu: a file with every key explained");
          line.run([options] { return new_platform(*options); });
        },
});

const bool entered_scenario = commands().add({
    .name = "new scenario",
    .summary = "create a commented scenario file to edit; it runs as it is",
    .example = "orrery new scenario question.yaml",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.positional("NAME", options->name, "name or path of the new scenario");
          line.option("--platform", options->platform, "platform name or file to ask about");
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
          line.positional("NAME", options->name, "name or path of the new table of layouts");
          line.option("--platform", options->platform, "platform name or file that the rows are for");
          line.run([options] { return new_layout(*options); });
        },
});

}  // namespace

}  // namespace orrery::app::new_command
