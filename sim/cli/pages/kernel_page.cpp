#include "sim/cli/pages/kernel_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace orrery::app {

std::string default_text(const ParameterDescription& parameter) {
  return Parameters({parameter}).rendered().front().second;
}

std::string accepted_text(const ParameterDescription& parameter) {
  const char* unit = parameter.kind == ParameterKind::bytes     ? " B"
                     : parameter.kind == ParameterKind::seconds ? " s"
                     : parameter.kind == ParameterKind::speed   ? " flop/s"
                     : parameter.kind == ParameterKind::work    ? " flop"
                                                                : "";
  switch (parameter.kind) {
    case ParameterKind::boolean:
      return "true or false";
    case ParameterKind::text:
      return parameter.choices.empty() ? "any text" : fmt::format("{}", fmt::join(parameter.choices, ", "));
    default:
      return fmt::format("{:g}..{:g}{}", parameter.minimum, parameter.maximum, unit);
  }
}

std::string parameter_lines(const std::vector<ParameterDescription>& parameters) {
  std::string lines;
  std::size_t name_width = 0, default_width = 0;
  for (const auto& parameter : parameters) {
    name_width = std::max(name_width, parameter.name.size());
    default_width = std::max(default_width, default_text(parameter).size());
  }
  for (const auto& parameter : parameters)
    lines += fmt::format("  {:<{}}  {:>{}}  {} ({})\n", parameter.name, name_width, default_text(parameter),
                         default_width, parameter.summary, accepted_text(parameter));
  return lines.empty() ? "  none\n" : lines;
}

std::string kernel_page(const KernelEntry& entry) {
  std::string page = fmt::format("{}: {}\n\n{}\n\nParameters\n", entry.name, entry.summary, entry.page);
  page += parameter_lines(entry.parameters);
  if (entry.grid) {
    const GridSize grid = entry.grid(Parameters(entry.parameters));
    page += fmt::format("\nNeeds a partition of its grid ({} x {} by default): see 'orrery partition --help'.\n",
                        grid.columns, grid.rows);
  }
  page += fmt::format("\nPredictions are compared with its phase '{}'.\nSource: {}\n", entry.communication_phase,
                      entry.source);
  return page;
}

}  // namespace orrery::app
