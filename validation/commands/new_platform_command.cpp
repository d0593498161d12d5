/// `orrery new platform NAME`: a commented file to fill in, a copy of a shipped one, or this machine as it was measured.
#include <fmt/format.h>

#include <memory>
#include <sstream>

#include "sim/cli/command_line.hpp"
#include "sim/cli/pages/file_templates.hpp"
#include "sim/cli/pages/platform_template.hpp"
#include "sim/cli/typed_command.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/read/load.hpp"
#include "validation/commands/measured_platform.hpp"

namespace orrery::cli::new_platform_command {

namespace {

struct Options {
  std::string name, like;
  bool measure = false;
};

/// A copy of a platform's file under another name; `cpu` is the commented file with everything in it.
std::string platform_text(const Options& options, const std::string& name) {
  if (options.like.empty() || options.like == "cpu") return platform_template(name);
  const std::string file = load_platform_named(options.like, "--like").file;
  std::string text = config::read_file(file);
  const auto at = text.starts_with("name:") ? 0 : text.find("\nname:") + 1;
  text.replace(at, text.find('\n', at) - at, "name: " + name);
  return fmt::format("# Begun as a copy of '{}'; what follows describes that.\n{}", options.like, text);
}

int new_platform(const Options& options) {
  if (options.measure && !options.like.empty())
    throw InputError("--like: '{}' with --measure (a file is begun as a copy or measured here). Leave one out?",
                     options.like);
  const NewFile target = new_file(options.name, "new platform");
  const std::string next = "orrery show platform " + target.file;
  if (!options.measure) return write_new(target, platform_text(options, target.name), next);
  const std::string text = measured_platform(target.name, typed_command_with("--measure"));
  std::istringstream lines(text);  // its first comments say how well it is known
  for (std::string line; std::getline(lines, line) && line.starts_with("# ");) tell("{}\n", line.substr(2));
  return write_new(target, text, next);
}

const bool entered = commands().add({
    .name = "new platform",
    .summary = "create a commented platform file to edit, or one measured on this machine",
    .example = "orrery new platform mine.yaml\n  orrery new platform pod.yaml --like dgx-h100\n"
               "  orrery new platform here.yaml --measure",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.path("NAME", options->name, "name or path of the new platform");
          line.path("--like", options->like,
                    "start from this platform ('orrery list platforms'), or cpu: a file that explains every key (the "
                    "default)");
          line.flag("--measure", options->measure,
                    "measure this machine: messages between cores with real MPI, core speed with matrix products "
                    "(takes seconds; run nothing else); the network stays assumed");
          line.run([options] { return new_platform(*options); });
        },
});

}  // namespace

}  // namespace orrery::cli::new_platform_command
