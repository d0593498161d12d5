/// `orrery check FILE...`: reads each file as a run would and says what it is or what is wrong with it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/core/error.hpp"
#include "sim/core/printable.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/play/events.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/read/file_kinds.hpp"

namespace orrery::cli::check_command {

namespace {

/// All files are checked, whatever is wrong with the first; the exit code is that of the worst.
int check(const std::vector<std::string>& files) {
  int worst = 0;
  for (const auto& named : files) {
    const std::string file = input_path(named);
    try {
      const FileKind& kind = kind_of(file);
      say("{}: {}\n", file, kind.check(file));
    } catch (const Error& error) {
      std::fflush(stdout);
      tell("{}\n", printable(error.what()));
      study::error_event(error.exit_code(), error.refusal());
      worst = std::max(worst, error.exit_code());
    }
  }
  return worst;
}

const bool entered = commands().add({
    .name = "check",
    .summary = "check files for errors without running anything",
    .example = "orrery check platforms/fermi.yaml scenarios/layouts/rico-gallego16-table1.yaml",
    .setup =
        [](CommandLine& line) {
          auto files = std::make_shared<std::vector<std::string>>();
          line.paths("FILE", *files, "files to check: platforms, layouts, scenarios, partitions");
          line.run([files] { return check(*files); });
        },
});

}  // namespace

}  // namespace orrery::cli::check_command
