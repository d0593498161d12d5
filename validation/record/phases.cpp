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

void Phases::enter(std::string word, bool used, double now_s) {
  if (used) times_[name_].push_back(now_s - since_s_);
  named_ = named_ || !word.empty();
  name_ = std::move(word);
  since_s_ = now_s;
}

}  // namespace orrery::record
