#include "sim/cli/pages/kernel_page.hpp"

#include <fmt/format.h>

#include "sim/cli/pages/reference_page.hpp"

namespace orrery::cli {

std::string kernel_page(const KernelEntry& entry) {
  std::string page = fmt::format("{}: {}\n\n{}\n\nParameters\n", entry.name, entry.summary, entry.page);
  page += key_lines(entry.parameters);
  if (entry.grid) {
    const GridSize grid = entry.grid(Parameters(entry.parameters));
    page += fmt::format("\nNeeds a partition of its grid ({} x {} by default): see 'orrery partition --help'.\n",
                        grid.columns, grid.rows);
  }
  page += fmt::format("\nPredictions are compared with its phase '{}'.\nSource: {}\n", entry.communication_phase,
                      entry.source);
  return page;
}

}  // namespace orrery::cli
