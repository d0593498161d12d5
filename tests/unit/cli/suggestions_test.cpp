/// Every suggestion that a message makes is taken, and must then be accepted.
///
/// For every key of the tables a correct file is made, each of its values and keys is spoilt in a dozen ways, and what
/// the message suggests is put where the message points to. The message must be gone: another one, of another place, may
/// follow. Ranges that are printed ("outside A..B") are tried at both ends, for the same reason.
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

std::vector<Token> tokens_of(const std::string& text) {
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '"') {
      i = text.find('"', i + 1) + 1;
      continue;
    }
    if (std::string_view("{}[], :").find(text[i]) != std::string_view::npos) {
      ++i;
      continue;
    }
    const std::size_t end = std::min(text.find_first_of("{}[],", i), text.size());
    const std::size_t colon = text.find(": ", i);
    const bool key = colon != std::string::npos && colon < std::min(text.find_first_of("{}[],", i), text.size());
    const std::size_t stop = key ? colon : end;
    tokens.push_back({i, stop - i, key});
    i = stop;
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
  for (const char* wrong : {"x", "0x4", "1.5", "-3", "1e30", "400", "20", "5%", "0.2", "1G", "64 KB", "2us", "3GB/s", "10Gbit",
                            "0.5B", "0", "1e-30", "yes", "TRUE", "1000000", "0.0001%", "500%", "3ns/B", "2GB", "4Ghz"})
    all.emplace_back(wrong);
  return all;
}

std::optional<std::string> problem_of(const std::string& kind, const std::string& text) {
  try {
    test::read_file_of(kind, text);
  } catch (const Error& error) {
    return error.what();
  }
  return std::nullopt;
}

/// What a message has before its first quote: the place and the name of what is wrong there.
struct Found {
  int tried = 0, taken = 0;
  std::set<std::string> wrong;  ///< each kind once
};

/// Takes each suggestion of `problem` where it points to; says which is not accepted there.
void take(const std::string& kind, const std::string& text, const std::string& problem, Found& found) {
  const auto column = test::column_of(problem, "reference.yaml:1:");
  if (!column || *column > text.size()) return;
  const std::size_t at = *column - 1;
  for (const test::Suggestion& suggestion : test::suggestions_of(problem)) {
    const auto changed = test::with_suggestion(text, at, suggestion);
    if (!changed) continue;
    ++found.taken;
    const auto after = problem_of(kind, *changed);
    if (after && test::same_problem(*after, problem))
      found.wrong.insert(problem + "\n      taken: " + suggestion.text + "\n      then: " + *after);
  }
}

void spoil_each(const std::string& kind, const std::string& text, Found& found) {
  for (const Token& token : tokens_of(text))
    for (const std::string& wrong : spoilt(text.substr(token.begin, token.length), token.is_key)) {
      std::string changed = text;
      changed.replace(token.begin, token.length, wrong);
      ++found.tried;
      if (const auto problem = problem_of(kind, changed)) take(kind, changed, *problem, found);
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
    const std::string text = "{" + test::body_of(root, path) + "}";
    if (seen.insert(text).second) spoil_each(kind, text, found);
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
