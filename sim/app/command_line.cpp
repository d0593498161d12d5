#include "sim/app/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "sim/app/version.hpp"
#include "sim/core/error.hpp"

namespace orrery::app {

Catalogue<Command>& commands() {
  static Catalogue<Command> catalogue("command");
  return catalogue;
}

namespace {

constexpr const char* things_to_try =
    "orrery {} - a working model of a cluster: predicted, simulated and measured, side by side\n\n"
    "Three things to try:\n"
    "  orrery run scenarios/rico-gallego16-m10.yaml     play SUMMA and Wave2D on Fermi and compare four models\n"
    "  orrery show platform fermi                       what the cluster is, and what a message costs on it\n"
    "  orrery new platform mine.yaml                    start your own cluster from a commented file\n\n"
    "'orrery --help' lists every command.\n";

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
    app_.add_option(names, into, help)->required(required)->capture_default_str();
  }
  void option(const std::string& names, std::vector<std::string>& into, const std::string& help) override {
    app_.add_option(names, into, help)->take_all()->allow_extra_args(false);
  }
  void option(const std::string& names, int& into, const std::string& help) override {
    app_.add_option(names, into, help)->capture_default_str();
  }
  void option(const std::string& names, double& into, const std::string& help) override {
    app_.add_option(names, into, help)->capture_default_str();
  }
  void choice(const std::string& names, std::string& into, const std::vector<std::string>& choices,
              const std::string& help) override {
    app_.add_option(names, into, help)->check(CLI::IsMember(choices))->capture_default_str();
  }
  void flag(const std::string& names, bool& into, const std::string& help) override {
    app_.add_flag(names, into, help);
  }
  void run(std::function<int()> body) override {
    app_.callback([this, body = std::move(body)] { exit_code_ = body(); });
  }

 private:
  CLI::App& app_;
  int& exit_code_;
};

/// The CLI11 app of "show" for "show platform", made once.
CLI::App& group_of(CLI::App& root, const std::string& name) {
  for (auto* existing : root.get_subcommands([&](const CLI::App* app) { return app->get_name() == name; }))
    return *existing;
  auto* group = root.add_subcommand(name, name + " one of its entries");
  group->require_subcommand(1);
  return *group;
}

int parse_error(const CLI::App& root, const CLI::ParseError& error, int argc, char** argv) {
  if (error.get_exit_code() == 0) return root.exit(error);  // --help, --version
  std::string message = error.what();
  if (const auto* extras = dynamic_cast<const CLI::ExtrasError*>(&error); extras != nullptr || argc > 1) {
    const auto known = commands().names();
    const std::string first = argv[1];
    const bool is_command = std::ranges::any_of(
        known, [&](const std::string& name) { return name == first || name.starts_with(first + " "); });
    if (!is_command && !first.starts_with("-"))
      message = fmt::format("unknown command '{}'{}", first, known_names(first, known));
  }
  fmt::print(stderr, "orrery: {}\nSee 'orrery {}--help'.\n", message,
             argc > 1 && commands().contains(argv[1]) ? std::string(argv[1]) + " " : "");
  return 2;
}

}  // namespace

int run_command_line(int argc, char** argv) {
  if (argc == 1) {
    fmt::print(fmt::runtime(things_to_try), version);
    return 0;
  }
  CLI::App root{"Discrete-event cluster simulator: predicted, simulated and measured, side by side", "orrery"};
  root.set_version_flag("--version", fmt::format("orrery {}", version));
  root.require_subcommand(1);
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
    return parse_error(root, error, argc, argv);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return error.exit_code();
  } catch (const std::exception& error) {
    fmt::print(stderr, "orrery: internal error: {}. Please report it with the command and its files.\n", error.what());
    return 1;
  }
  return exit_code;
}

}  // namespace orrery::app
