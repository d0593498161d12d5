/// The layout of `--help`: descriptions wrapped to the terminal, defaults as words. For command_line.cpp, the only file
/// that includes CLI11.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>

#include "sim/cli/run_output.hpp"
#include "sim/show/tables/text_grid.hpp"

namespace orrery::cli {

class HelpFormatter final : public CLI::Formatter {
 public:
  HelpFormatter() {
    column_width(width() < 80 ? 20 : 30);
    label("SUBCOMMAND", "COMMAND ...");
    label("Subcommands", "Commands");
    label("REQUIRED", "(required)");
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0) return "";
    return fmt::format(" {}{}", get_label(option->get_type_name()),
                       option->get_expected_max() == CLI::detail::expected_max_vector_size ? " ..." : "");
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    std::string text = option->get_description();
    const std::string& value = option->get_default_str();
    const bool says = text.find("(0:") != std::string::npos || text.find("default") != std::string::npos;
    if (option->get_required()) text += " " + get_label("REQUIRED");
    if (!value.empty() && !says) text += fmt::format(" (default: {})", value);
    return beside_names(text);
  }

  std::string make_subcommand(const CLI::App* command) const override {
    return fmt::format("  {:<{}}{}\n", command->get_display_name(true), get_column_width() - 2,
                       indented(beside_names(command->get_description())));
  }

  std::string make_description(const CLI::App* app) const override {
    return show::wrapped(app->get_description(), width());
  }

 private:
  static std::size_t width() { return std::min(terminal_width(), show::prose_width_max); }

  /// Wrapped to the column next to the names; CLI11 indents the lines after a line break.
  std::string beside_names(const std::string& text) const {
    std::string lines = show::wrapped(text, std::max<std::size_t>(width() - get_column_width(), 20));
    lines.pop_back();
    return lines;
  }
  std::string indented(const std::string& lines) const {
    return CLI::detail::find_and_replace(lines, "\n", "\n" + std::string(get_column_width(), ' '));
  }
};

}  // namespace orrery::cli
