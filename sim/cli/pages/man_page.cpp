#include "sim/cli/pages/man_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/version.hpp"

namespace orrery::cli {

namespace {

/// A line of text as troff takes it: no request at its beginning, hyphens that can be copied into a shell.
std::string plain(const std::string& text) {
  std::string line;
  for (const char c : text) {
    if (c == '\\')
      line += "\\e";
    else if (c == '-')
      line += "\\-";
    else if (c == '\'')
      line += "\\(aq";
    else if (c == '`')
      line += "\\(ga";
    else if (c == '^')
      line += "\\(ha";
    else if (c == '~')
      line += "\\(ti";
    else
      line += c;
  }
  return line.starts_with('.') ? "\\&" + line : line;
}

std::string bold(const std::string& text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + plain(text) + "\\fR"; }

std::string value_name(const ArgumentOutline& argument) {
  return argument.choices.empty() ? argument.takes : fmt::format("{}", fmt::join(argument.choices, "|"));
}

/// "orrery run SCENARIO ... [OPTIONS]"
std::string synopsis(const CommandOutline& command) {
  std::string line = bold("orrery " + command.name);
  bool options = false;
  for (const auto& argument : command.arguments) {
    options = options || (!argument.positional && !argument.required);
    if (argument.positional) {
      const std::string name = italic(argument.names) + (argument.repeated ? " ..." : "");
      line += argument.required ? " " + name : " [" + name + "]";
    } else if (argument.required) {
      line += fmt::format(" {} {}", bold(names_of(argument).back()), italic(value_name(argument)));
    }
  }
  return line + (options ? " [" + italic("options") + "]" : "");
}

std::string argument_text(const ArgumentOutline& argument) {
  std::string tag;
  for (const auto& name : names_of(argument))
    tag += (tag.empty() ? "" : ", ") + (argument.positional ? italic(name) : bold(name));
  if (!argument.positional && !argument.flag()) tag += " " + italic(value_name(argument));
  std::string help = argument.help;
  const bool says = help.find("(0:") != std::string::npos || help.find("default") != std::string::npos;
  if (argument.required && !argument.positional) help += " (required)";
  if (!argument.usual.empty() && !says) help += fmt::format(" (default: {})", argument.usual);
  return fmt::format(".TP\n{}\n{}\n", tag, plain(help));
}

std::string example_text(const std::string& examples) {
  std::string text = ".PP\n.nf\n.RS\n";
  for (std::size_t begin = 0; begin < examples.size();) {
    const auto end = std::min(examples.find('\n', begin), examples.size());
    const std::string line = examples.substr(begin, end - begin);
    text += plain(line.substr(std::min(line.find_first_not_of(' '), line.size()))) + "\n";
    begin = end + 1;
  }
  return text + ".RE\n.fi\n";
}

constexpr const char* opening =
    ".SH NAME\norrery \\- simulate programs on clusters and compare simulated, predicted and measured times\n"
    ".SH SYNOPSIS\n.B orrery\n.I command\n[\\fIarguments\\fR]\n"
    ".SH DESCRIPTION\nOrrery is a working model of a cluster: a platform file describes the machine, a kernel is the "
    "program, and every rank, link and memory bus is simulated as discrete events. Beside the simulated time stand "
    "what "
    "analytic models predict and what papers published, with the error of each.\n.PP\nResults go to standard output, "
    "progress and messages to standard error. Files that come with Orrery are named without folder and ending: "
    "\\fBorrery list\\fR platforms, scenarios, layouts.\n.SH COMMANDS\n";

constexpr const char* closing =
    ".SH EXIT STATUS\n.TP\n.B 0\nall went well\n.TP\n.B 2\na file or an argument is wrong; the message says where and "
    "what to write\n.TP\n.B 3\na formula was asked outside its range\n.TP\n.B 4\na program cannot finish\n.TP\n.B 5\n"
    "a tolerance of a scenario is broken, under \\fB\\-\\-check\\fR\n.TP\n.B 130\ninterrupted\n.TP\n.B 1\nan error in "
    "Orrery itself\n"
    ".SH ENVIRONMENT\n.TP\n.B ORRERY_DATA\nthe folder with platforms, scenarios and docs, instead of the one found "
    "beside the program\n.TP\n.B COLUMNS\nwidth of tables\n.TP\n.B NO_COLOR\nno colours\n"
    ".SH FILES\n.TP\n.I share/orrery\nplatforms, scenarios and documents, relative to the folder above the "
    "program\\(aqs\n.PP\n\\fBorrery show reference\\fR explains every key of the files that users write.\n";

}  // namespace

std::string man_page(const std::vector<CommandOutline>& commands) {
  std::string page = fmt::format(".TH ORRERY 1 \"\" \"orrery {}\" \"User Commands\"\n{}", version, opening);
  for (const auto& command : commands) {
    page += fmt::format(".SS {}\n{}.\n", synopsis(command), plain(command.summary));
    for (const auto& argument : command.arguments) page += argument_text(argument);
    page += example_text(command.example);
  }
  return page + closing;
}

}  // namespace orrery::cli
