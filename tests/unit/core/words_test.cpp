#include "sim/core/words.hpp"

#include <doctest/doctest.h>

using namespace orrery;

namespace {

enum class Matter { glass, copper, air };
constexpr Word<Matter> words[] = {{"copper", Matter::copper}, {"glass", Matter::glass}, {"air", Matter::air}};

}  // namespace

TEST_SUITE("core/words") {
  TEST_CASE("A word means what its line says whatever the order of the lines and of the enumeration") {
    CHECK(meaning_of(words, "copper") == Matter::copper);
    CHECK(meaning_of(words, "glass") == Matter::glass);
    CHECK_FALSE(meaning_of(words, "Glass").has_value());
    for (const auto& [word, value] : words) CHECK(word_of(words, value) == std::string(word));
    CHECK(words_of(words) == std::vector<std::string>{"copper", "glass", "air"});
  }
}
