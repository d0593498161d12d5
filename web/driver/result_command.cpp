/// "result": the data of a report's page from a result.json, as a page has it that was handed one.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "sim/cli/command_line.hpp"
#include "sim/cli/run_output.hpp"
#include "sim/config/files.hpp"
#include "sim/show/result/json.hpp"

namespace orrery::web::result_command {

namespace {

const bool entered = cli::commands().add({
    .name = "result",
    .summary = "the data of a report's page from a result.json",
    .example = R"({"command": "result", "file": "out/result.json"})",
    .setup =
        [](cli::CommandLine& line) {
          auto file = std::make_shared<std::string>();
          line.positional("FILE", *file, "a result.json of 'orrery run'");
          line.run([file] {
            cli::print_result(show::from_json(config::read_file(*file), *file), "page", false);
            return 0;
          });
        },
});

}  // namespace

}  // namespace orrery::web::result_command
