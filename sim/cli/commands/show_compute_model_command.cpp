/// `orrery show compute-model NAME`: its formula, the columns of its parameters, its settings and where it comes from.
#include <fmt/format.h>

#include <memory>

#include "models/compute/catalogue.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/pages/reference_page.hpp"
#include "sim/core/tell.hpp"

namespace orrery::cli::show_compute_model_command {

namespace {

std::string page_of(const ComputeModelEntry& entry) {
  std::string page = fmt::format("{}: {}\n", entry.name, entry.summary);
  if (!entry.page.empty()) page += fmt::format("\n{}\n", entry.page);
  page += "\nSettings\n" + key_lines(compute_parameters(entry));
  if (entry.table != ComputeModelEntry::Table::none)
    page += "  parameters: FILE.csv, or rows: [{...}, ...] in the scenario or the platform file\n";
  return page + fmt::format("\nSource: {}\n", entry.source);
}

const bool entered = commands().add({
    .name = "show compute-model",
    .summary = "a compute model: its formula, columns of parameters, settings and source",
    .example = "orrery show compute-model polynomial",
    .setup =
        [](CommandLine& line) {
          auto name = std::make_shared<std::string>();
          line.positional("NAME", *name, "a compute model's name ('orrery list compute-models' shows them)");
          line.run([name] {
            say("{}", page_of(compute_models().at(*name, "show compute-model")));
            return 0;
          });
        },
});

}  // namespace

}  // namespace orrery::cli::show_compute_model_command
