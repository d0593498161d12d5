/// A request as JSON, read as the program reads its arguments: the same commands, options, choices and refusals.
///
///   {"command": "simulate", "platform": "fermi", "network": "infiniband", "kernel": "wave2d", "ranks": 64,
///    "param": ["steps=20"], "format": "json"}
///
/// A member is an option without its dashes, or a positional argument in small letters ("scenario", "file"). Options
/// that may be repeated take an array, or one text.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "sim/cli/command_line.hpp"

namespace orrery::web {

/// What a command declares, filled from the members of a request.
class RequestLine final : public cli::CommandLine {
 public:
  explicit RequestLine(const nlohmann::ordered_json& request) : request_(request) {}

  void positional(const std::string& name, std::string& into, const std::string& help, bool required) override;
  void positional(const std::string& name, std::vector<std::string>& into, const std::string& help,
                  bool required) override;
  void option(const std::string& names, std::string& into, const std::string& help, bool required) override;
  void option(const std::string& names, std::vector<std::string>& into, const std::string& help) override;
  // Files of a page are in no folder whose path could be written in two ways.
  void path(const std::string& names, std::string& into, const std::string& help, bool required) override {
    option(names, into, help, required);
  }
  void paths(const std::string& names, std::vector<std::string>& into, const std::string& help,
             bool required) override {
    positional(names, into, help, required);
  }
  void output(const std::string& names, std::string& into, const std::string& help, bool required) override {
    option(names, into, help, required);
  }
  void option(const std::string& names, int& into, const std::string& help) override;
  void option(const std::string& names, double& into, const std::string& help) override;
  void choice(const std::string& names, std::string& into, const std::vector<std::string>& choices,
              const std::string& help) override;
  void flag(const std::string& names, bool& into, const std::string& help) override;
  void run(std::function<int()> body) override { body_ = std::move(body); }

  /// Refuses members that nobody asked for, then does what the command does. Throws InputError.
  int carry_out(const std::string& command) const;

 private:
  const nlohmann::ordered_json* member(const std::string& name);
  void require(const std::string& name, bool required, bool given) const;

  const nlohmann::ordered_json& request_;
  std::set<std::string> known_ = {"command"};
  std::function<int()> body_;
};

/// Reads a request and carries it out. Throws orrery::Error.
int carry_out(const std::string& text);

}  // namespace orrery::web
