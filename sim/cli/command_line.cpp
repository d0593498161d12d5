#include "sim/cli/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "sim/cli/help_formatter.hpp"
#include "sim/cli/listed_things.hpp"
#include "sim/cli/outline.hpp"
#include "sim/cli/standard_streams.hpp"
#include "sim/cli/typed_command.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/core/printable.hpp"
#include "sim/core/suggest.hpp"
#include "sim/core/tell.hpp"
#include "sim/core/version.hpp"
#include "sim/study/play/events.hpp"
#include "sim/study/read/engines.hpp"

namespace orrery::cli {

namespace {

constexpr const char* things_to_try =
    "orrery {} - a cluster simulator: simulated, predicted and measured times side by side\n\n"
    "Three things to try:\n"
    "  orrery run rico-gallego16-m10                 simulate two programs, compare four models\n"
    "  orrery show platform fermi                    a cluster, and what messages cost on it\n"
    "  orrery new platform mine.yaml                 a commented file for your own cluster\n\n"
    "'orrery --help' lists all commands.\n";

/// What a value of an option is refused for, thrown through CLI11, which knows sentences alone.
struct BadValue {
  Refusal refusal;
};

/// "-n,--nodes" is --nodes.
std::string last_name(const std::string& names) { return names.substr(names.rfind(',') + 1); }

/// Refuses an empty text. It means nothing to any option, and comes from a variable of the shell that is not set.
std::string not_empty(const std::string& option, const std::string& text) {
  if (text.empty())
    throw BadValue{Refusal("{}: '' is empty (an unset variable of the shell?). Leave the option out?", option)};
  return {};
}
CLI::Validator not_empty(const std::string& names) {
  return {[option = last_name(names)](std::string& text) { return not_empty(option, text); }, ""};
}

/// CLI11 takes "010" for 8 and "0x4" for 4. What is no number at all it refuses itself.
std::string plain_whole(const std::string& option, std::string& text) {
  not_empty(option, text);
  const std::string digits = text.substr(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
  const bool based = digits.size() > 1 && digits[0] == '0';
  if (!based && !text.starts_with('+')) return {};
  const auto nonzero = digits.find_first_not_of('0');
  if (digits.find_first_not_of("0123456789") != std::string::npos)
    throw BadValue{Refusal("{}: '{}' is not a plain whole number (decimal digits). Write '{} 2'?", option, text, option)};
  throw BadValue{Refusal("{}: '{}' is not a plain whole number (no leading zero or plus). Write '{} {}'?", option, text,
                         option, nonzero == std::string::npos ? "0" : digits.substr(nonzero))};
}

/// In place, as CLI11 asks for it.
std::string tidy(std::string& path) {
  path = config::tidy_path(path);
  return {};
}

using Outputs = std::vector<std::pair<std::string, const std::string*>>;  ///< option, and what it was given

/// Two options that name one file, by whatever path: what one writes would be lost under the other. A device or a pipe
/// takes both.
void require_different_outputs(const Outputs& outputs) {
  std::map<std::filesystem::path, std::string> written;  // by option
  for (const auto& [option, path] : outputs) {
    std::error_code failed;
    if (path->empty()) continue;
    if (std::filesystem::exists(*path, failed) && !std::filesystem::is_regular_file(*path, failed)) continue;
    std::filesystem::path whole = std::filesystem::weakly_canonical(std::filesystem::absolute(*path, failed), failed);
    const auto [other, first] = written.emplace(failed ? std::filesystem::path(*path) : std::move(whole), option);
    if (!first)
      throw InputError("{}: '{}' is the file of {} too (each has its own). Name another file?", option, *path,
                       other->second);
  }
}

class Cli11CommandLine final : public CommandLine {
 public:
  Cli11CommandLine(CLI::App& app, int& exit_code) : app_(app), exit_code_(exit_code) {}

  void positional(const std::string& name, std::string& into, const std::string& help, bool required) override {
    app_.add_option(name, into, help)->required(required);
  }
  void positional(const std::string& name, std::vector<std::string>& into, const std::string& help,
                  bool required) override {
    app_.add_option(name, into, help)->required(required);
  }
  void option(const std::string& names, std::string& into, const std::string& help, bool required) override {
    app_.add_option(names, into, help)->required(required)->check(not_empty(names))->capture_default_str();
  }
  void option(const std::string& names, std::vector<std::string>& into, const std::string& help) override {
    app_.add_option(names, into, help)->take_all()->allow_extra_args(false)->check(not_empty(names));
  }
  void path(const std::string& names, std::string& into, const std::string& help, bool required) override {
    tidied(app_.add_option(names, into, help)->required(required))->capture_default_str();
  }
  void paths(const std::string& names, std::vector<std::string>& into, const std::string& help,
             bool required) override {
    auto* option = tidied(app_.add_option(names, into, help)->required(required));
    if (names.starts_with('-')) option->take_all()->allow_extra_args(false);
  }
  void output(const std::string& names, std::string& into, const std::string& help, bool required) override {
    path(names, into, help, required);
    outputs_.emplace_back(last_name(names), &into);
  }
  void option(const std::string& names, int& into, const std::string& help) override {
    const auto plain = [option = last_name(names)](std::string& text) { return plain_whole(option, text); };
    app_.add_option(names, into, help)->check(CLI::Validator(plain, ""))->capture_default_str();
  }
  void option(const std::string& names, double& into, const std::string& help) override {
    app_.add_option(names, into, help)->check(not_empty(names))->capture_default_str();
  }
  void choice(const std::string& names, std::string& into, const std::vector<std::string>& choices,
              const std::string& help) override {
    const auto one_of = [choices, option = last_name(names)](std::string& word) -> std::string {
      if (std::ranges::find(choices, word) != choices.end()) return {};
      const bool of_engines = std::ranges::find(choices, "flow") != choices.end();
      if (of_engines && !why_not_built(word).empty()) throw BadValue{why_not_built(word).at(option)};
      throw BadValue{Refusal("{}: unknown value '{}'{}", option, word, known_names(word, choices))};
    };
    app_.add_option(names, into, help)
        ->check(CLI::Validator(one_of, ""))
        ->type_name(fmt::format("{}", fmt::join(choices, "|")))
        ->capture_default_str();
  }
  void flag(const std::string& names, bool& into, const std::string& help) override {
    app_.add_flag(names, into, help);
  }
  void run(std::function<int()> body) override {
    app_.callback([this, body = std::move(body)] {
      require_different_outputs(outputs_);
      exit_code_ = body();
    });
  }

 private:
  static CLI::Option* tidied(CLI::Option* option) {
    option->type_name("PATH")->transform(CLI::Validator(tidy, ""));
    return option->get_positional() ? option : option->check(not_empty(option->get_name()));
  }

  CLI::App& app_;
  int& exit_code_;
  Outputs outputs_;
};

/// "kernel, model, platform" of the group "show".
std::vector<std::string> words_in(const std::string& group) {
  std::vector<std::string> words;
  for (const auto& name : commands().names())
    if (name.starts_with(group + " ")) words.push_back(name.substr(group.size() + 1));
  return words;
}

/// The CLI11 app of "show" for "show platform", made once.
CLI::App& group_of(CLI::App& root, const std::string& name) {
  for (auto* existing : root.get_subcommands([&](const CLI::App* app) { return app->get_name() == name; }))
    return *existing;
  auto* group = root.add_subcommand(name, group_summary(name, words_in(name)));
  group->require_subcommand(1);
  return *group;
}

/// What the arguments name: a command, or the group of a command's first word; the apps are CLI11's.
struct Reached {
  const CLI::App* app;
  std::string name;
  bool is_command = false;
  int arguments_from = 1;
};

bool is_first_word(const std::string& name) {
  const auto known = commands().names();
  return std::ranges::any_of(known, [&](const auto& k) { return k == name || k.starts_with(name + " "); });
}

Reached reached(const CLI::App& root, int argc, char** argv) {
  Reached result{&root, ""};
  for (int i = 1; i < argc && i <= 2 && !result.is_command; ++i) {
    const std::string name = i == 1 ? argv[1] : result.name + " " + argv[2];
    if (i == 1 && !is_first_word(name)) break;
    if (i == 2 && !commands().contains(name)) break;
    result = {result.app->get_subcommand(argv[i]), name, commands().contains(name), i + 1};
  }
  return result;
}

/// An argument that looks like an option and is none of the app's, "" if there is none.
std::string unknown_option(const CLI::App& app, int from, int argc, char** argv) {
  for (int i = from; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    std::string name(argv[i]);
    if (name.size() < 2 || name[0] != '-' || std::string_view("0123456789.").find(name[1]) != std::string_view::npos)
      continue;
    name = name.starts_with("--") ? name.substr(0, name.find('=')) : name.substr(0, 2);
    if (app.get_option_no_throw(name) == nullptr) return name;
  }
  return "";
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* option : app.get_options())
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// The first example of a command.
std::string example_of(const std::string& command) {
  const std::string& examples = commands().at(command, "").example;
  return examples.substr(0, examples.find('\n'));
}

/// CLI11's sentence about a value in our words: "--jobs: 'x' is not a whole number".
Refusal value_problem(const CLI::App& app, const CLI::ParseError& error) {
  std::string said = error.what();
  const auto colon = said.find(": ");
  const std::string option = said.substr(0, colon);
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr && colon != std::string::npos) {
    const std::string rest = said.substr(colon + 2);  // "Could not convert: --jobs = x"
    const auto equals = rest.find(" = ");
    const std::string name = rest.substr(0, equals);
    const auto* found = app.get_option_no_throw(name);
    if (found != nullptr && found->get_expected_max() == 0)
      return Refusal("{0}: '{1}' is given, but the option takes no value. Write '{0}' alone?", name,
                     equals == std::string::npos ? "" : rest.substr(equals + 3));
    const bool whole = found != nullptr && found->get_type_name() == "INT";
    const std::string value = equals == std::string::npos ? "" : rest.substr(equals + 3);
    if (whole && value.find_first_not_of("0123456789", value.starts_with('-') ? 1 : 0) == std::string::npos &&
        value.size() > 1)
      return Refusal("{}: '{}' is beyond what a whole number may be here ({}..{}). Write '{} 2'?", name, value,
                     std::numeric_limits<int>::min(), std::numeric_limits<int>::max(), name);
    return Refusal("{}: '{}' is not a {}number. Write '{} {}'?", name, value, whole ? "whole " : "", name,
                   whole ? "2" : "0.01");
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && said.find("At Most") != std::string::npos)
    return Refusal("{}: given twice (at most once). Keep one?", option);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
    return Refusal("{}: its value is missing. Write '{} ...'?", option, option);
  return Refusal::sentence(said);
}

/// MPI's launchers call it so: "-np 4" is "--ranks 4".
std::optional<Refusal> launcher_option(const CLI::App& app, int from, int argc, char** argv) {
  if (app.get_option_no_throw("--ranks") == nullptr) return std::nullopt;
  for (int i = from; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    const std::string word = argv[i];
    if (word != "-np" && word != "-n") continue;
    const std::string number = i + 1 < argc ? argv[i + 1] : "";
    const bool counts = !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
    return Refusal("unknown option '{}' (of MPI's launchers; ranks are given with --ranks). Write '--ranks {}'?", word,
                   counts ? number : "4");
  }
  return std::nullopt;
}

/// "show lab" is 'lab show', "labs" 'list labs'; empty where nothing of the kind is a command.
std::string turned_command(const std::string& group, const std::string& word) {
  if (!group.empty() && commands().contains(word + " " + group)) return word + " " + group;
  if (group.empty() && std::ranges::find(listed_things(), word) != listed_things().end()) return "list " + word;
  return "";
}

Refusal unknown_word(const std::string& what, const std::string& group, const std::string& word,
                     const std::vector<std::string>& known) {
  if (const std::string turned = turned_command(group, word); !turned.empty())
    return Refusal("unknown {} '{}' ('orrery {}' is one). Did you mean 'orrery {}'?", what, word, turned, turned);
  return Refusal("unknown {} '{}'{}", what, word, known_names(word, known));
}

Refusal usage_problem(const CLI::App& root, const CLI::ParseError& error, const Reached& at, int argc, char** argv) {
  const std::string first = at.arguments_from < argc ? argv[at.arguments_from] : "";
  const auto known = commands().names();
  if (at.app == &root && !first.starts_with("-"))
    return unknown_word("command", "", first, known);
  if (auto ranks = launcher_option(*at.app, at.arguments_from, argc, argv)) return std::move(*ranks);
  if (const auto option = unknown_option(*at.app, at.arguments_from, argc, argv); !option.empty())
    return Refusal("unknown option '{}'{}", option, known_names(option, option_names(*at.app)));
  if (!at.is_command && at.app != &root) {
    const auto words = words_in(at.name);
    if (!first.empty()) return unknown_word("word", at.name, first, words);
    return Refusal("a word is missing (known: {}). Write '{}'?", fmt::join(words, ", "),
                   example_of(at.name + " " + words.back()));
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && at.is_command) {
    const std::string said = error.what();
    return Refusal("{} is missing. Write '{}'?", said.substr(0, said.find(" is required")), example_of(at.name));
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::string said = error.what();
    return Refusal("unexpected argument '{}'. Remove it?", said.substr(std::min(said.size(), said.find(": ") + 2)));
  }
  return value_problem(*at.app, error);
}

/// On standard error; as one line of JSON where the command was asked for JSON.
void tell_refusal(int exit_code, const Refusal& refusal, bool as_json, const std::string& further = "") {
  error_event(exit_code, refusal);
  if (as_json)
    tell("{}\n", last_error());
  else
    tell("{}\n{}", printable(refusal.text()), further);
}

/// Whether the command prints JSON: then what it is refused for is JSON, too.
bool asks_json(int argc, char** argv) {
  for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    const std::string_view word = argv[i];
    if (word == "--json" || word == "--format=json") return true;
    if (word == "--format" && i + 1 < argc && std::string_view(argv[i + 1]) == "json") return true;
  }
  return false;
}

int usage_error(const Reached& at, const Refusal& problem, bool as_json) {
  const std::string who = at.name.empty() ? "orrery" : "orrery " + at.name;
  tell_refusal(2, problem.at(who), as_json, fmt::format("See '{} --help'.\n", who));
  return 2;
}

int parse_error(const CLI::App& root, const CLI::ParseError& error, int argc, char** argv) {
  if (error.get_exit_code() == 0) return root.exit(error);  // --help, --version
  const Reached at = reached(root, argc, argv);
  return usage_error(at, usage_problem(root, error, at, argc, argv), asks_json(argc, argv));
}

int lost_output() {
  tell("standard output: cannot be written ({}). Is the disk full, or the other end gone?\n", std::strerror(errno));
  return 2;
}

}  // namespace

int run_command_line(int typed, char** words) {
  remember_typed(typed, words);
  open_events();
  std::vector<char*> arguments(words, words + typed);
  std::string help = "--help";
  if (typed > 1 && std::string_view(words[1]) == "help") {  // orrery help run: orrery run --help
    arguments.erase(arguments.begin() + 1);
    if (typed == 2 || is_first_word(words[2])) arguments.push_back(help.data());
  }
  const int argc = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  char** const argv = arguments.data();
  if (argc == 1) {
    say_text(fmt::format(fmt::runtime(things_to_try), version));
    return standard_output_lost() ? lost_output() : 0;
  }
  CLI::App root{"Simulates programs on clusters and compares simulated, predicted and measured times", "orrery"};
  root.set_version_flag("--version", fmt::format("orrery {}", version), "print the version and exit");
  root.require_subcommand(1);
  root.formatter(std::make_shared<HelpFormatter>());
  root.set_help_flag("-h,--help", "print this help and exit");
  root.footer("'orrery help COMMAND' explains a command and gives an example.");
  int exit_code = 0;
  std::vector<std::unique_ptr<Cli11CommandLine>> lines;
  for (const auto& [name, command] : commands().entries()) {
    const auto space = name.find(' ');
    CLI::App& parent = space == std::string::npos ? root : group_of(root, name.substr(0, space));
    auto* app = parent.add_subcommand(space == std::string::npos ? name : name.substr(space + 1), command.summary);
    app->footer("Example:\n  " + command.example);
    lines.push_back(std::make_unique<Cli11CommandLine>(*app, exit_code));
    command.setup(*lines.back());
  }
  try {
    root.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = parse_error(root, error, argc, argv);
    return code == 0 && standard_output_lost() ? lost_output() : code;
  } catch (const BadValue& bad) {
    return usage_error(reached(root, argc, argv), bad.refusal, asks_json(argc, argv));
  } catch (const Error& error) {
    tell_refusal(error.exit_code(), error.refusal(), asks_json(argc, argv));
    return error.exit_code();
  } catch (const std::exception& error) {
    if (standard_output_lost()) return lost_output();
    tell("orrery: internal error: {}. Please report it with the command and its files.\n", error.what());
    return 1;
  }
  return exit_code == 0 && standard_output_lost() ? lost_output() : exit_code;
}

}  // namespace orrery::cli
