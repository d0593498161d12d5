#include "sim/show/summary/short_labels.hpp"

#include <algorithm>
#include <set>

namespace orrery::show {

namespace {

/// What is in braces is one word.
std::vector<std::string> words_of(const std::string& label) {
  std::vector<std::string> words{""};
  int depth = 0;
  for (const char c : label) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (c != ' ' || depth > 0)
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// "rail=" of "rail=3"; empty without one.
std::string key_of(const std::string& word) { return word.substr(0, word.find('=') + 1); }
std::string value_of(const std::string& word) { return word.substr(word.find('=') + 1); }

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// Keys go that all labels have; of others "rail 3".
std::string with_own_keys(const std::vector<std::string>& own, const std::vector<std::vector<std::string>>& all) {
  std::vector<std::string> shorter;
  for (const auto& word : own) {
    const std::string key = key_of(word);
    const bool of_all = std::ranges::all_of(all, [&](const auto& words) {
      return std::ranges::any_of(words, [&](const auto& w) { return key_of(w) == key; });
    });
    shorter.push_back(of_all || key.empty() ? value_of(word) : key.substr(0, key.size() - 1) + " " + value_of(word));
  }
  return joined(shorter);
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
  std::vector<std::vector<std::string>> words, left;
  for (const auto& label : labels) words.push_back(words_of(label));
  for (const auto& own : words) {
    auto& of_label = left.emplace_back();
    for (const auto& word : own)
      if (labels.size() < 2 || !std::ranges::all_of(words, [&](const auto& all) { return has(all, word); }))
        of_label.push_back(word);
  }
  std::vector<std::string> result;
  for (const auto& own : left) {
    result.push_back(with_own_keys(own, left));
    if (result.back().size() <= longest + longest / 3) continue;
    std::vector<std::string> values(own.size());
    std::ranges::transform(own, values.begin(), value_of);
    result.back() = without_middle(joined(values), longest);
  }
  const bool distinct = std::set<std::string>(result.begin(), result.end()).size() == labels.size();
  return distinct && std::ranges::find(result, "") == result.end() ? result : labels;
}

}  // namespace orrery::show
