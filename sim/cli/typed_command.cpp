#include "sim/cli/typed_command.hpp"

#include <algorithm>
#include <vector>

#include "sim/core/shell_words.hpp"

namespace orrery::cli {

namespace {

/// The arguments after the program's name.
std::vector<std::string>& arguments() {
  static std::vector<std::string> words;
  return words;
}

}  // namespace

void remember_typed(int argc, char** argv) { arguments().assign(argv + 1, argv + argc); }

std::string typed_command_with(const std::string& option) {
  std::string text = "orrery";
  for (const auto& word : arguments()) text += " " + shell_word(word);
  return std::ranges::find(arguments(), option) != arguments().end() ? text : text + " " + option;
}

}  // namespace orrery::cli
