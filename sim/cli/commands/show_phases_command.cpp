/// `orrery show phases SCENARIO`: what models see of its points, as JSON.
#include <fmt/format.h>

#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/cli/pages/phases_json.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/read/data_path.hpp"

namespace orrery::cli::show_phases_command {

namespace {

struct Options {
  std::string scenario;
  std::vector<std::string> overrides;
};

const bool entered = commands().add({
    .name = "show phases",
    .summary = "input of the models for each point of a scenario: messages, computation, collectives (JSON)",
    .example = "orrery show phases rico-gallego16-m10 --set network=ethernet",
    .setup =
        [](CommandLine& line) {
          auto options = std::make_shared<Options>();
          line.path("SCENARIO", options->scenario, "scenario file or name");
          line.option("--set", options->overrides, "override a value of the scenario, as in network=ethernet");
          line.run([options] {
            const std::string path = data_path("scenarios", options->scenario, "yaml", "orrery show phases");
            write_phases(read_scenario(path, options->overrides), say_as_it_is);
            return 0;
          });
        },
});

}  // namespace

}  // namespace orrery::cli::show_phases_command
