#include "sim/show/summary/short_labels.hpp"

#include <algorithm>
#include <set>
#include <sstream>

namespace orrery::report {

namespace {

std::vector<std::string> words_of(const std::string& label) {
  std::istringstream stream(label);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

/// Characters are not cut in two: a byte that goes on with one goes with it.
std::string without_middle(const std::string& text, std::size_t longest) {
  if (text.size() <= longest) return text;
  const auto goes_on = [&](std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
  };
  std::size_t head = longest / 2, tail = text.size() - (longest - head - 1);
  while (head > 0 && goes_on(head)) --head;
  while (goes_on(tail)) ++tail;
  return text.substr(0, head) + "…" + text.substr(tail);
}

}  // namespace

std::vector<std::string> short_labels(const std::vector<std::string>& labels, std::size_t longest) {
  std::vector<std::vector<std::string>> words;
  for (const auto& label : labels) words.push_back(words_of(label));
  std::vector<std::string> result;
  for (const auto& own : words) {
    std::string text;
    for (const auto& word : own) {
      const bool common =
          labels.size() > 1 && std::ranges::all_of(words, [&](const auto& all) { return has(all, word); });
      if (!common) text += (text.empty() ? "" : " ") + word.substr(word.find('=') + 1);
    }
    result.push_back(without_middle(text, longest));
  }
  const bool distinct = std::set<std::string>(result.begin(), result.end()).size() == labels.size();
  return distinct && std::ranges::find(result, "") == result.end() ? result : labels;
}

}  // namespace orrery::report
