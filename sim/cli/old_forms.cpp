#include "sim/cli/old_forms.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "sim/study/fit/calibration_request.hpp"

namespace orrery::cli {

using namespace study;

namespace {

struct Given {
  std::string option;
  std::optional<std::string> value;
};

/// Options with their values, written apart or with '='.
std::vector<Given> given(const std::vector<std::string>& words, std::size_t first,
                         const std::vector<std::string>& flags) {
  std::vector<Given> all;
  for (std::size_t i = first; i < words.size(); ++i) {
    const auto equals = words[i].find('=');
    const bool joined = words[i].starts_with("--") && equals != std::string::npos;
    all.push_back({words[i].substr(0, joined ? equals : std::string::npos), {}});
    if (joined)
      all.back().value = words[i].substr(equals + 1);
    else if (std::ranges::find(flags, words[i]) == flags.end() && i + 1 < words.size())
      all.back().value = words[++i];
  }
  return all;
}

void append(std::vector<std::string>& words, const std::string& option, const std::optional<std::string>& value) {
  words.push_back(option);
  if (value) words.push_back(*value);
}

/// The words with another name for an option, apart from its value or joined to it; none where they do not have it.
std::vector<std::vector<std::string>> with_option_renamed(std::vector<std::string> words, const std::string& old,
                                                          const std::string& now) {
  const auto is_old = [&](const std::string& word) { return word == old || word.starts_with(old + "="); };
  if (std::ranges::none_of(words, is_old)) return {};
  for (auto& word : words)
    if (is_old(word)) word.replace(0, old.size(), now);
  std::vector<std::vector<std::string>> commands;
  commands.push_back(std::move(words));
  return commands;
}

}  // namespace

std::vector<std::vector<std::string>> new_forms(const std::vector<std::string>& words) {
  if (words.size() < 3) return {};
  if (words[1] == "fit") return with_option_renamed(words, "--figures", "--parameters");
  if (words[1] != "calibrate") return {};
  const std::map<std::string, std::string> now{
      {"--fitted-platform", "--out"}, {"--plots", "--plots"}, {"--fit", "--parameters"}, {"--figures", "--list"},
      {"--hold-out", "--hold-out"},   {"--set", "--set"},     {"--json", "--json"}};
  const std::vector<std::string> of_both{"--from", "--platform", "--network", "-j", "--jobs"};
  const std::vector<std::string> written{"-o", "--out", "--csv", "--svg", "--tables"};
  std::vector<std::string> fit{words[0], "fit"}, calibrate{words[0], "calibrate"};
  bool fits = false, calibrates = false;
  for (const auto& [option, value] : given(words, 2, {"--plan", "--figures", "--json", "-h", "--help"})) {
    const bool both = std::ranges::find(of_both, option) != of_both.end();
    if (const auto renamed = now.find(option); renamed != now.end()) {
      fits = true;
      append(fit, renamed->second, value);
    } else {
      append(calibrate, option, value);
    }
    if (option == "--from" && value) {
      fit.push_back(*value);
      fits = fits || !named_scenarios(*value, "--from").empty();
    } else if (both) {
      append(fit, option, value);
    }
    calibrates = calibrates || std::ranges::find(written, option) != written.end();
  }
  if (!fits) return {};
  std::vector<std::vector<std::string>> commands{fit};
  if (calibrates) commands.push_back(calibrate);
  return commands;
}

}  // namespace orrery::cli
