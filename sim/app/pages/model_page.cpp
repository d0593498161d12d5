#include "sim/app/pages/model_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace orrery::app {

std::string model_page(const ModelEntry& entry) {
  std::string page = fmt::format("{}: {}\n", entry.name, entry.summary);
  if (!entry.page.empty()) page += fmt::format("\n{}\n", entry.page);
  page += "\nAssumes\n";
  for (const auto& assumption : entry.assumptions) page += fmt::format("  - {}\n", assumption);
  if (entry.modes.size() > 1) page += fmt::format("\nModes: {}\n", fmt::join(entry.modes, ", "));
  for (const auto& option : entry.options) {
    page += fmt::format("\nOption {}: {} (by default {}", option.name, fmt::join(option.values, ", "),
                        option.values.front());
    for (const auto& [mode, value] : option.standard) page += fmt::format("; {}: {}", mode, value);
    page += fmt::format(")\n  {}\n", option.summary);
  }
  page += fmt::format(
      "\nSource: {}\n\nMeasure its parameters:\n  orrery calibrate --platform fermi --model {} -o {}.yaml\n",
      entry.source, entry.name, entry.name);
  return page;
}

}  // namespace orrery::app
