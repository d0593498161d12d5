/// Every suggestion that a refusal makes is taken, and must then be accepted.
///
/// For every key of the tables a correct file is made. The key and its value are spoilt in some thirty ways, and what the
/// refusal suggests is put where it points to. The refusal must be gone. Another one, of another place, may follow.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/keys.hpp"
#include "sim/cli/pages/reference_page.hpp"
#include "sim/config/keys.hpp"
#include "sim/core/error.hpp"
#include "sim/study/lab/lab.hpp"
#include "sim/study/read/keys.hpp"
#include "tests/support/suggestion.hpp"
#include "tests/unit/cli/key_files.hpp"

using namespace orrery;
using namespace orrery::cli;
using config::Key;
using config::Mapping;

namespace {

/// A key or a value of a text in braces: "{name: a, ranks: [1, 2]}".
struct Token {
  std::size_t begin, length;
  bool is_key;
};

/// Of the entry that begins at `at`: its key and every word of its value.
std::vector<Token> tokens_of(const std::string& text, std::size_t at) {
  std::vector<Token> tokens;
  const std::size_t colon = text.find(": ", at);
  tokens.push_back({at, colon - at, true});
  const std::size_t end = test::end_of_value(text, colon + 2);
  for (std::size_t i = colon + 2; i < end;) {
    if (text[i] == '"') {
      i = text.find('"', i + 1) + 1;
      continue;
    }
    if (std::string_view("{}[], :").find(text[i]) != std::string_view::npos) {
      ++i;
      continue;
    }
    const std::size_t stop = std::min(text.find_first_of("{}[],", i), text.size());
    const std::size_t inner = text.find(": ", i);
    const bool key = inner != std::string::npos && inner < stop;
    tokens.push_back({i, (key ? inner : stop) - i, key});
    i = key ? inner : stop;
  }
  return tokens;
}

std::vector<std::string> spoilt(const std::string& word, bool key) {
  std::vector<std::string> all;
  if (word.size() > 2) {
    all.push_back(word.substr(0, word.size() - 1));
    std::string swapped = word;
    std::swap(swapped[1], swapped[2]);
    all.push_back(swapped);
  }
  std::string upper = word;
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  all.push_back(upper);
  if (key) return all;
  const std::size_t unit = word.find_first_not_of("0123456789.");
  if (unit != std::string::npos && unit > 0) all.push_back(word.substr(0, unit));  // its unit forgotten
  for (const char* wrong : {"x",    "0x4",     "1.5",     "-3",    "1e30",   "400",  "20",   "5%",    "0.2",
                            "1G",   "64 KB",   "2us",     "3GB/s", "10Gbit", "0.5B", "0",    "1e-30", "yes",
                            "TRUE", "1000000", "0.0001%", "500%",  "3ns/B",  "2GB",  "4Ghz", "007"})
    all.emplace_back(wrong);
  return all;
}

std::optional<Refusal> refusal_of(const std::string& kind, const std::string& text) {
  try {
    test::read_file_of(kind, text);
  } catch (const Error& error) {
    return error.refusal();
  }
  return std::nullopt;
}

struct Found {
  int tried = 0, taken = 0;
  std::set<std::string> wrong;  ///< each kind once
};

/// Whether the second is what the first was refused for: the same rule, or the range of the key. Another key may bound
/// the value further.
bool same(const Refusal& first, const Refusal& second) {
  return file_place(first.place).column == file_place(second.place).column && first.subject == second.subject &&
         (second.remedy.starts_with("Choose a value in") ||
          (first.rule == second.rule && (!first.rule.empty() || first.remedy == second.remedy)));
}

/// Takes each suggestion where the refusal points to; keeps those that are not accepted there.
void take(const std::string& kind, const std::string& text, const Refusal& refusal, Found& found) {
  const FilePlace place = file_place(refusal.place);
  if (place.line != 1 || place.column == 0 || place.column > text.size()) return;
  for (const test::Suggestion& suggestion : test::suggestions_of(refusal)) {
    const auto changed = test::with_suggestion(text, test::place_of(text, place.column - 1, refusal.value), suggestion);
    if (!changed) continue;
    ++found.taken;
    const auto after = refusal_of(kind, *changed);
    if (after && same(refusal, *after))
      found.wrong.insert(refusal.text() + "\n      in: " + text + "\n      taken: " + suggestion.text +
                         "\n      then: " + after->text());
  }
}

/// Where the entry of this key begins: the last one of that name, as the others are what it needs beside it.
std::size_t entry_of(const std::string& text, const std::string& name) {
  std::size_t found = std::string::npos;
  for (auto at = text.find(name + ": "); at != std::string::npos; at = text.find(name + ": ", at + 1))
    if (at > 0 && (text[at - 1] == '{' || text[at - 1] == ' ')) found = at;
  return found;
}

void spoil(const std::string& kind, const std::string& text, const std::string& name, Found& found) {
  const std::size_t entry = entry_of(text, name);
  if (entry == std::string::npos) return;
  for (const Token& token : tokens_of(text, entry))
    for (const std::string& wrong : spoilt(text.substr(token.begin, token.length), token.is_key)) {
      std::string changed = text;
      changed.replace(token.begin, token.length, wrong);
      ++found.tried;
      if (const auto refusal = refusal_of(kind, changed)) take(kind, changed, *refusal, found);
    }
}

void spoil_keys(const std::string& kind, const Mapping& root, const Mapping& mapping, std::vector<const Key*> path,
                std::set<std::string>& seen, Found& found) {
  std::vector<const Key*> keys;
  for (const Key& key : mapping.keys) keys.push_back(&key);
  if (mapping.shared != nullptr)
    for (const Key& key : mapping.shared->keys) keys.push_back(&key);
  for (const Key* key : keys) {
    path.push_back(key);
    if (seen.insert(mapping.name + "/" + key->name).second)
      spoil(kind, "{" + test::body_of(root, path) + "}", key->name, found);
    if (key->inside != nullptr && key->inside != &config::anything())
      spoil_keys(kind, root, *key->inside, path, seen, found);
    path.pop_back();
  }
}

}  // namespace

TEST_SUITE("app/suggestions") {
  TEST_CASE("Every suggestion about a key or a value of a file is accepted when taken") {
    for (const auto& file : file_references()) {
      CAPTURE(file.kind);
      Found found;
      std::set<std::string> seen;
      spoil_keys(file.kind, *file.root, *file.root, {}, seen, found);
      for (const std::string& wrong : found.wrong) FAIL_CHECK(wrong);
      MESSAGE(file.kind << ": " << found.tried << " spoilt, " << found.taken << " suggestions taken");
      CHECK(found.taken > found.tried / 20);
    }
  }
}
