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
  page += fmt::format(
      "\nSource: {}\n\nMeasure its parameters:\n  orrery calibrate --platform fermi --model {} -o {}.yaml\n",
      entry.source, entry.name, entry.name);
  return page;
}

}  // namespace orrery::app
