/// Takes what a refusal suggests: the text with the suggestion where the refusal points to.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/refusal.hpp"

namespace orrery::test {

struct Suggestion {
  std::string text;
  enum class Kind { instead, entry, remove } kind = Kind::instead;  ///< of the word; of "key: word"; nothing
};

/// The texts that a refusal offers, but forms such as "layout: ...".
inline std::vector<Suggestion> suggestions_of(const Refusal& refusal) {
  std::vector<Suggestion> all;
  if (refusal.remedy == "Remove it?" || refusal.remedy == "Leave it out?") return {{"", Suggestion::Kind::remove}};
  bool offered = false;
  for (const std::string_view opening : {"Write ", "Did you mean ", "Use '", "Choose '"})
    offered =
        offered || (refusal.remedy.starts_with(opening) && (opening.back() == ' ' || refusal.instead.size() == 1));
  for (const std::string& text : refusal.instead)
    if (offered && text.find("...") == std::string::npos)
      all.push_back({text, text.find(": ") != std::string::npos && !text.starts_with('{') && !text.starts_with('[')
                               ? Suggestion::Kind::entry
                               : Suggestion::Kind::instead});
  return all;
}

/// Where the value that begins at `at` ends, brackets included.
inline std::size_t end_of_value(std::string_view text, std::size_t at) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = at; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (quoted) continue;
    if (depth == 0 && (text[i] == ',' || text[i] == '}' || text[i] == ']')) return i;
    if (text[i] == '{' || text[i] == '[') ++depth;
    if ((text[i] == '}' || text[i] == ']') && --depth == 0) return i + 1;
  }
  return text.size();
}

/// Where the wrong word is: at the place, or before it, where the place of a key is that of its value.
inline std::size_t place_of(std::string_view text, std::size_t at, std::string_view wrong) {
  if (wrong.empty() || text.substr(at).starts_with(wrong)) return at;
  const auto key = text.rfind(wrong, at);
  return key == std::string_view::npos || text.find_first_of("{,", key) < at ? at : key;
}

/// The text with the suggestion instead of the word at `at`, a key or a value of a section in braces.
inline std::optional<std::string> with_suggestion(std::string text, std::size_t at, const Suggestion& suggestion) {
  if (at >= text.size()) return std::nullopt;
  const std::size_t end = end_of_value(text, at);
  const auto colon = text.find(": ", at);
  const bool at_key = colon != std::string::npos && colon < end && text[at] != '{' && text[at] != '[';
  if (suggestion.kind == Suggestion::Kind::instead)
    return text.replace(at, (at_key ? colon : end) - at, suggestion.text);
  const std::size_t key = at_key || at == 0 ? at : text.find_last_of("{,", at - 1) + 1;
  if (suggestion.kind == Suggestion::Kind::entry) return text.replace(key, end - key, " " + suggestion.text);
  const std::size_t after = end < text.size() && text[end] == ',' ? end + 1 : end;
  return text.replace(key, after - key, "");
}

}  // namespace orrery::test
