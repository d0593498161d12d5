/// `orrery show scenario NAME`: the file of a scenario, where it is and how it is run.
#include <fmt/format.h>

#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/config/files.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/read/data_path.hpp"

namespace orrery::cli {

namespace {

const bool entered = commands().add({
    .name = "show scenario",
    .summary = "a scenario: prints its file, to read, run or copy",
    .example = "orrery show scenario rico-gallego16-m10 >mine.yaml",
    .setup =
        [](CommandLine& line) {
          auto name = std::make_shared<std::string>();
          line.path("NAME", *name, "a scenario's name ('orrery list scenarios' shows them) or file");
          line.run([name] {
            const std::string path = data_path("scenarios", *name, "yaml", "show scenario");
            say("# {}: orrery run {}\n{}", path, *name, config::read_file(path));
            return 0;
          });
        },
});

}  // namespace

}  // namespace orrery::cli
