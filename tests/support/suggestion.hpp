/// What a message suggests, as a text that can be put where the message points to.
#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::test {

struct Suggestion {
  std::string text;
  enum class Kind { instead, entry, remove } kind = Kind::instead;  ///< of the word; of "key: word"; nothing
};

/// The texts in quotes behind one of the words that tell what to write, in the last sentence.
inline std::vector<Suggestion> quoted_after(std::string_view sentence, std::string_view opening) {
  std::vector<Suggestion> all;
  if (!sentence.starts_with(opening)) return all;
  sentence.remove_prefix(opening.size());
  while (sentence.starts_with('\'')) {
    std::size_t close = 1;  // a quote inside has a letter behind it
    while (close < sentence.size() &&
           !(sentence[close] == '\'' && (close + 1 == sentence.size() || std::string_view(" ?,").find(sentence[close + 1]) !=
                                                                            std::string_view::npos)))
      ++close;
    std::string text(sentence.substr(1, close - 1));
    if (text.find("...") == std::string::npos)
      all.push_back({text, text.find(": ") != std::string::npos ? Suggestion::Kind::entry : Suggestion::Kind::instead});
    sentence.remove_prefix(std::min(close + 1, sentence.size()));
    if (!sentence.starts_with(" or ")) break;
    sentence.remove_prefix(4);
  }
  return all;
}

/// Both ends of "outside A..B", which must be inside.
inline std::vector<Suggestion> range_of(std::string_view problem) {
  constexpr std::string_view word = "outside ";
  const auto begin = problem.find(word);
  if (begin == std::string_view::npos) return {};
  std::string_view range = problem.substr(begin + word.size());
  const auto dots = range.find("..");
  const auto end = range.find(". ");
  if (dots == std::string_view::npos || end == std::string_view::npos || end < dots) return {};
  return {{std::string(range.substr(0, dots))}, {std::string(range.substr(dots + 2, end - dots - 2))}};
}

inline std::vector<Suggestion> suggestions_of(std::string_view problem) {
  if (!problem.ends_with('?')) return {};
  std::size_t begin = 0;
  for (const std::string_view end : {". ", "). "})
    if (const auto at = problem.rfind(end); at != std::string_view::npos) begin = std::max(begin, at + end.size());
  const std::string_view sentence = problem.substr(begin, problem.size() - begin - 1);
  auto all = range_of(problem);
  for (const std::string_view opening : {"Write ", "Write for example ", "Did you mean ", "Use ", "Choose "})
    for (Suggestion& one : quoted_after(sentence, opening)) all.push_back(std::move(one));
  if (sentence == "Remove it" || sentence == "Leave it out") all.push_back({"", Suggestion::Kind::remove});
  return all;
}

/// The column behind "file:1:".
inline std::optional<std::size_t> column_of(std::string_view problem, std::string_view opening) {
  if (!problem.starts_with(opening)) return std::nullopt;
  problem.remove_prefix(opening.size());
  std::size_t column = 0;
  const auto [end, status] = std::from_chars(problem.data(), problem.data() + problem.size(), column);
  if (status != std::errc() || column == 0) return std::nullopt;
  return column;
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
    if (text[i] == '}' || text[i] == ']') {
      if (--depth == 0) return i + 1;
    }
  }
  return text.size();
}

/// The text with the suggestion instead of the word at `at`, a key or a value of a section in braces.
inline std::optional<std::string> with_suggestion(std::string text, std::size_t at, const Suggestion& suggestion) {
  if (at >= text.size()) return std::nullopt;
  const std::size_t end = end_of_value(text, at);
  const auto colon = text.find(": ", at);
  const bool at_key = colon != std::string::npos && colon < end && text[at] != '{' && text[at] != '[';
  if (suggestion.kind == Suggestion::Kind::instead)
    return text.replace(at, (at_key ? colon : end) - at, suggestion.text);
  const std::size_t key = at_key ? at : text.find_last_of("{,", at - 1) + 1;
  if (suggestion.kind == Suggestion::Kind::entry) return text.replace(key, end - key, " " + suggestion.text);
  std::size_t after = end;
  if (after < text.size() && text[after] == ',') ++after;
  return text.replace(key, after - key, "");
}

/// Whether two messages are of one place and name: what stands before the first value.
inline bool same_problem(std::string_view a, std::string_view b) {
  const auto head = [](std::string_view message) {
    const auto quote = message.find('\'');
    const auto close = quote == std::string_view::npos ? quote : message.find('\'', quote + 1);
    return message.substr(0, close);
  };
  return head(a) == head(b);
}

}  // namespace orrery::test
