#include "sim/cli/pages/model_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/cli/pages/reference_page.hpp"

namespace orrery::cli {

namespace {

std::string matrices_text(const ModelEntry& entry) {
  if (entry.matrices.empty()) return {};
  std::string text = "\nMatrices by (from, to), in place of tables\n";
  for (const auto& matrix : entry.matrices) {
    std::vector<std::string> rows;
    for (const auto kind : matrix.rows) rows.emplace_back(matrix_rows_word(kind));
    text +=
        fmt::format("  {:<6} {:<4} {} (by {})\n", matrix.name, matrix.unit, matrix.summary, fmt::join(rows, " or "));
  }
  return text;
}

}  // namespace

std::string model_page(const ModelEntry& entry) {
  std::string page = fmt::format("{}: {}\n", entry.name, entry.summary);
  if (!entry.page.empty()) page += fmt::format("\n{}\n", entry.page);
  page += matrices_text(entry);
  page += "\nAssumes\n";
  for (const auto& assumption : entry.assumptions) page += fmt::format("  - {}\n", assumption);
  if (entry.modes.size() > 1) page += fmt::format("\nModes: {}\n", fmt::join(entry.modes, ", "));
  if (!entry.options.empty()) page += "\nOptions\n" + key_lines(entry.options);
  page += fmt::format("\nSource: {}\n", entry.source);
  if (entry.calibrated())
    page += fmt::format(
        "\nMeasure its parameters:\n  orrery calibrate --platform fermi --network infiniband --model {} -o {}.yaml\n",
        entry.name, entry.name);
  return page;
}

}  // namespace orrery::cli
