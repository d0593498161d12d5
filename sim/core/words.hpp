/// The words of files and results with their meanings, in one table each, so that no two places depend on one order.
///
///   inline constexpr Word<Medium> medium_words[] = {{"copper", Medium::copper}, {"glass", Medium::glass}};
///   word_of(medium_words, Medium::glass)           // "glass"
///   meaning_of(medium_words, "copper")             // Medium::copper; empty for an unknown word
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

template <class E>
struct Word {
  const char* word;
  E value;
};

template <class E, std::size_t count>
const char* word_of(const Word<E> (&words)[count], E value) {
  return std::ranges::find(words, value, &Word<E>::value)->word;
}

template <class E, std::size_t count>
std::optional<E> meaning_of(const Word<E> (&words)[count], std::string_view text) {
  const auto found = std::ranges::find(words, text, &Word<E>::word);
  return found == std::end(words) ? std::nullopt : std::optional(found->value);
}

template <class E, std::size_t count>
std::vector<std::string> words_of(const Word<E> (&words)[count]) {
  std::vector<std::string> all;
  for (const auto& [word, value] : words) all.emplace_back(word);
  return all;
}

}  // namespace orrery
