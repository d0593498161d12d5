#include "sim/cli/typed_command.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace orrery::app {

namespace {

/// The arguments after the program's name.
std::vector<std::string>& arguments() {
  static std::vector<std::string> words;
  return words;
}

/// As a shell reads it back.
std::string quoted(const std::string& word) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./:=,@%+").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, plain)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

void remember_typed(int argc, char** argv) { arguments().assign(argv + 1, argv + argc); }

std::string typed_command_with(const std::string& option) {
  std::string text = "orrery";
  for (const auto& word : arguments()) text += " " + quoted(word);
  return std::ranges::find(arguments(), option) != arguments().end() ? text : text + " " + option;
}

}  // namespace orrery::app
