/// `orrery new platform NAME`: a commented file to start one's own cluster from.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "sim/app/commands/command_line.hpp"
#include "sim/app/pages/platform_template.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"

namespace orrery::app {

namespace {

/// "mine", "mine.yaml" or "folder/mine.yaml": the file; its stem is the platform's name.
int new_platform(const std::string& wanted) {
  std::filesystem::path file(wanted);
  if (file.extension() != ".yaml") file += ".yaml";
  const std::string name = file.stem().string();
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  if (name.empty() || name.size() > 64 || !std::ranges::all_of(name, plain))
    throw InputError(
        fmt::format("new platform: name '{}' (1 to 64 characters of a-z, 0-9 and '-'). Choose another?", name));
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored))
    throw InputError(fmt::format("{}: already exists (never overwritten). Choose another name?", file.string()));
  config::write_file(file.string(), platform_template(name));
  fmt::print("wrote {0}\nnext: edit it, then 'orrery check {0}' and 'orrery show platform {0}'\n", file.string());
  return 0;
}

const bool entered = commands().add({
    .name = "new platform",
    .summary = "create a commented platform file to edit",
    .example = "orrery new platform mine.yaml",
    .setup =
        [](CommandLine& line) {
          auto name = std::make_shared<std::string>();
          line.positional("NAME", *name, "name or path of the new platform");
          line.run([name] { return new_platform(*name); });
        },
});

}  // namespace

}  // namespace orrery::app
