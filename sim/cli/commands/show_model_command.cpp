/// `orrery show model NAME`: a model's formula, parameters, assumptions and source.
#include <fmt/format.h>

#include <memory>

#include "sim/cli/command_line.hpp"
#include "sim/cli/pages/model_page.hpp"
#include "sim/core/tell.hpp"

namespace orrery::cli::show_model_command {

namespace {

const bool entered = commands().add({
    .name = "show model",
    .summary = "an analytic model: its formula, parameters with units, assumptions and source",
    .example = "orrery show model hloggp",
    .setup =
        [](CommandLine& line) {
          auto name = std::make_shared<std::string>();
          line.positional("NAME", *name, "a model's name ('orrery list models' shows them)");
          line.run([name] {
            say("{}", model_page(models().at(*name, "show model")));
            return 0;
          });
        },
});

}  // namespace

}  // namespace orrery::cli::show_model_command
