#include "sim/cli/outline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "sim/cli/command_line.hpp"

namespace orrery::cli {

namespace {

/// Listens to a command's declarations instead of parsing by them.
class OutlineLine final : public CommandLine {
 public:
  explicit OutlineLine(std::vector<ArgumentOutline>& into) : into_(into) {}

  void positional(const std::string& name, std::string&, const std::string& help, bool required) override {
    into_.push_back({.names = name, .help = help, .takes = "TEXT", .positional = true, .required = required});
  }
  void positional(const std::string& name, std::vector<std::string>&, const std::string& help, bool required) override {
    positional_list(name, help, required);
  }
  void option(const std::string& names, std::string& into, const std::string& help, bool required) override {
    into_.push_back({.names = names, .help = help, .takes = "TEXT", .usual = into, .required = required});
  }
  void option(const std::string& names, std::vector<std::string>&, const std::string& help) override {
    into_.push_back({.names = names, .help = help, .takes = "TEXT", .repeated = true});
  }
  void path(const std::string& names, std::string& into, const std::string& help, bool required) override {
    into_.push_back({.names = names,
                     .help = help,
                     .takes = "PATH",
                     .usual = into,
                     .positional = !names.starts_with('-'),
                     .required = required});
  }
  void paths(const std::string& names, std::vector<std::string>&, const std::string& help, bool required) override {
    into_.push_back({.names = names,
                     .help = help,
                     .takes = "PATH",
                     .positional = !names.starts_with('-'),
                     .required = required,
                     .repeated = true});
  }
  void output(const std::string& names, std::string& into, const std::string& help, bool required) override {
    path(names, into, help, required);
  }
  void option(const std::string& names, int& into, const std::string& help) override {
    into_.push_back({.names = names, .help = help, .takes = "INT", .usual = std::to_string(into)});
  }
  void option(const std::string& names, double& into, const std::string& help) override {
    into_.push_back({.names = names, .help = help, .takes = "FLOAT", .usual = fmt::format("{:g}", into)});
  }
  void choice(const std::string& names, std::string& into, const std::vector<std::string>& choices,
              const std::string& help) override {
    into_.push_back({.names = names, .help = help, .takes = "WORD", .usual = into, .choices = choices});
  }
  void flag(const std::string& names, bool&, const std::string& help) override {
    into_.push_back({.names = names, .help = help});
  }
  void run(std::function<int()>) override {}

 private:
  void positional_list(const std::string& name, const std::string& help, bool required) {
    into_.push_back(
        {.names = name, .help = help, .takes = "TEXT", .positional = true, .required = required, .repeated = true});
  }
  std::vector<ArgumentOutline>& into_;
};

}  // namespace

std::string group_summary(const std::string& group, const std::vector<std::string>& words) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> purposes{
      {{"cluster", "manage an emulated cluster"},
       {"lab", "questions for students"},
       {"new", "create a new file"},
       {"show", "explain"}}};
  const auto* const known = std::ranges::find(purposes, std::string_view(group), [](const auto& entry) { return entry.first; });
  return fmt::format("{}: {}", known == purposes.end() ? "commands" : known->second, fmt::join(words, ", "));
}

std::vector<CommandOutline> command_outlines() {
  std::vector<CommandOutline> outlines;
  for (const auto& [name, command] : commands().entries()) {
    CommandOutline outline{.name = name, .summary = command.summary, .example = command.example, .arguments = {}};
    OutlineLine line(outline.arguments);
    command.setup(line);
    std::stable_partition(outline.arguments.begin(), outline.arguments.end(),
                          [](const ArgumentOutline& argument) { return argument.positional; });
    outlines.push_back(std::move(outline));
  }
  return outlines;
}

std::vector<std::string> names_of(const ArgumentOutline& argument) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= argument.names.size();) {
    const auto comma = std::min(argument.names.find(',', begin), argument.names.size());
    names.push_back(argument.names.substr(begin, comma - begin));
    begin = comma + 1;
  }
  return names;
}

}  // namespace orrery::cli
