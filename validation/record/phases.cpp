#include "validation/record/phases.hpp"

#include <algorithm>
#include <utility>

namespace orrery::record {

namespace {

constexpr std::size_t longest = 60;

bool stays(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

}  // namespace

std::string phase_word(std::string_view name) {
  std::string word(name.substr(0, longest));
  std::ranges::replace_if(
      word, [](char c) { return !stays(c); }, '-');
  return word.empty() ? "-" : word;
}

std::string PhaseWords::shown(std::string_view name) {
  std::string text(name.substr(0, longest));
  std::ranges::replace_if(
      text, [](char c) { return c < ' ' || c > '~'; }, '?');
  return name.size() > longest ? text + "..." : text;
}

PhaseWords::Word PhaseWords::word_of(const std::string& name) {
  if (const auto known = words_.find(name); known != words_.end()) return {known->second};
  const std::string usual = phase_word(name);
  const bool reserved = usual == "run" || usual == "program";
  const std::string wanted = reserved ? "phase-" + usual : usual;
  std::string word = wanted;
  for (int n = 2; names_.contains(word); ++n) word = wanted + "." + std::to_string(n);
  words_[name] = word;
  names_[word] = name;
  if (word == usual) return {word};
  const std::string why = word == wanted ? "measured.csv has a row '" + usual + "' of its own"
                                         : "'" + wanted + "' is '" + shown(names_[wanted]) + "'";
  return {word, "phase called '" + shown(name) + "': written as '" + word + "', since " + why};
}

void Phases::enter(std::string word, bool used, double now_s) {
  if (used) times_[name_].push_back(now_s - since_s_);
  named_ = named_ || !word.empty();
  name_ = std::move(word);
  since_s_ = now_s;
}

}  // namespace orrery::record
