#include "sim/cli/outline.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>

#include "sim/cli/command_line.hpp"
#include "sim/cli/pages/completion.hpp"
#include "sim/cli/pages/man_page.hpp"
#include "sim/core/error.hpp"

using namespace orrery;
using namespace orrery::cli;

namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

const std::vector<CommandOutline>& two_commands() {
  static const std::vector<CommandOutline> commands{
      {.name = "play",
       .summary = "plays it",
       .example = "orrery play a-b",
       .arguments =
           {{.names = "NAME", .help = "what", .takes = "TEXT", .positional = true, .required = true},
            {.names = "-o,--out", .help = "where it's [put]: here", .takes = "TEXT", .usual = "out"},
            {.names = "--engine", .help = "how", .takes = "WORD", .usual = "flow", .choices = {"flow", "simgrid"}},
            {.names = "--fast", .help = "at once"}}},
      {.name = "show platform",
       .summary = "a cluster",
       .example = "orrery show platform fermi",
       .arguments = {{.names = "NAME", .help = "which", .takes = "TEXT", .positional = true, .required = true}}}};
  return commands;
}

}  // namespace

TEST_SUITE("app/outline") {
  TEST_CASE("The outline of a command has the declarations that its help shows") {
    const auto outlines = command_outlines();
    CHECK(outlines.size() == commands().entries().size());
    const auto run = std::ranges::find(outlines, "run", &CommandOutline::name);
    REQUIRE(run != outlines.end());
    CHECK(run->arguments.front().names == "SCENARIO");
    CHECK(run->arguments.front().positional);
    CHECK(run->arguments.front().repeated);
    const auto engine = std::ranges::find(run->arguments, "--engine", &ArgumentOutline::names);
    REQUIRE(engine != run->arguments.end());
    CHECK(std::ranges::find(engine->choices, "flow") != engine->choices.end());
  }
  TEST_CASE("Every argument that takes a file or a folder gets its path in one form") {
    std::size_t paths = 0;
    for (const auto& command : command_outlines())
      for (const auto& argument : command.arguments) {
        paths += argument.takes == "PATH" ? 1 : 0;
        const bool says = std::ranges::any_of(std::array{" file", "folder", "a trace", "path"}, [&](const char* word) {
          return (" " + argument.help).find(word) != std::string::npos;
        });
        if (argument.takes != "TEXT" || !(says || argument.names.find("--out") != std::string::npos)) continue;
        CAPTURE(command.name);
        CHECK(argument.names == "--shard");  // K/N: its help says into which folder
      }
    CHECK(paths > 80);
  }
  TEST_CASE("The man page has a section for each command and each option with its default") {
    const std::string page = man_page(two_commands());
    CHECK(page.starts_with(".TH ORRERY 1 "));
    CHECK(page.find(".SS \\fBorrery play\\fR \\fINAME\\fR [\\fIoptions\\fR]\nplays it.\n") != std::string::npos);
    CHECK(page.find(".TP\n\\fB\\-o\\fR, \\fB\\-\\-out\\fR \\fITEXT\\fR\nwhere it\\(aqs [put]: here (default: out)\n") !=
          std::string::npos);
    CHECK(page.find("\\fB\\-\\-engine\\fR \\fIflow|simgrid\\fR\nhow (default: flow)\n") != std::string::npos);
    CHECK(page.find("\\fB\\-\\-fast\\fR\nat once\n") != std::string::npos);
    const std::string whole = man_page(command_outlines());
    CHECK(count_of(whole, "\n.SS ") == commands().entries().size());
  }
  TEST_CASE("Completion of every shell knows commands and options and words and asks the program for names") {
    for (const auto& shell : completion_shells()) {
      CAPTURE(shell);
      const std::string script = completion_script(shell, two_commands());
      CHECK(script.find("play") != std::string::npos);
      CHECK(script.find("simgrid") != std::string::npos);
      CHECK(script.find(shell == "fish" ? "-l fast" : "--fast") != std::string::npos);
      CHECK(script.find(shell == "zsh" ? "_orrery_names platforms" : "list platforms") != std::string::npos);
    }
    CHECK(completion_script("zsh", two_commands()).find("where it'\\''s \\[put\\]\\: here") != std::string::npos);
    CHECK_THROWS_WITH_AS(completion_script("bahs", two_commands()),
                         "show completion: unknown shell 'bahs' (known: bash, fish, zsh). Did you mean 'bash'?",
                         InputError);
  }
  TEST_CASE("Every option that names what ships is completed from a list that exists") {
    for (const auto& command : command_outlines())
      for (const auto& argument : command.arguments) {
        CAPTURE(command.name);
        CAPTURE(argument.names);
        const std::string listed = listed_for(command, argument);
        if (argument.names == "--platform" || argument.names == "--kernel") CHECK_FALSE(listed.empty());
        CHECK((listed.empty() || listed.starts_with('=') || listed.ends_with('s')));
      }
  }
}
