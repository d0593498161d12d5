#include "sim/cli/pages/reference_page.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "platforms/keys.hpp"
#include "sim/config/files.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/version.hpp"
#include "sim/study/read/keys.hpp"
#include "tests/unit/cli/key_files.hpp"

using namespace orrery;
using namespace orrery::cli;
using config::Key;
using config::KeyKind;
using config::Mapping;

namespace {

/// Reads a file with each key of the mapping and below it.
std::size_t read_each(const std::string& kind, const Mapping& root, const Mapping& mapping,
                      std::vector<const Key*> path) {
  std::size_t read_keys = 0;
  std::vector<const Key*> keys;
  for (const Key& key : mapping.keys) keys.push_back(&key);
  if (mapping.shared != nullptr)
    for (const Key& key : mapping.shared->keys) keys.push_back(&key);
  for (const Key* key : keys) {
    path.push_back(key);
    const std::string text = "{" + test::body_of(root, path) + "}";
    CAPTURE(text);
    CHECK_NOTHROW(test::read_file_of(kind, text));
    ++read_keys;
    if (key->inside != nullptr && key->inside != &config::anything())
      read_keys += read_each(kind, root, *key->inside, path);
    path.pop_back();
  }
  return read_keys;
}

}  // namespace

TEST_SUITE("app/reference") {
  TEST_CASE("Every key of the reference is read in a file that has its example") {
    for (const auto& file : file_references()) {
      CAPTURE(file.kind);
      CHECK(read_each(file.kind, *file.root, *file.root, {}) > 15);
    }
  }
  TEST_CASE("A reader that asks for a key which the reference lacks is stopped") {
    const auto file = config::parse_yaml("name: A\ncolour: red\n", "f.yaml").root(layout_keys());
    CHECK(file.text("name") == "A");
    CHECK_THROWS_AS(file.has("colour"), std::logic_error);
    CHECK_THROWS_AS(file.boolean("name"), std::logic_error);
  }
  TEST_CASE("Every key of the reference says what it means and every value it names has a range") {
    for (const auto& file : file_references())
      for (const Mapping* mapping : mappings_of(*file.root)) {
        CAPTURE(mapping->name);
        CHECK_FALSE(mapping->about.empty());
        for (const Key& key : mapping->keys) {
          CAPTURE(key.name);
          CHECK_FALSE(key.about.empty());
          CHECK(key.about.find('|') == std::string::npos);  // would end a cell of the table
          CHECK((key.kind == KeyKind::word) == !key.choices.empty());
          CHECK(key.least < key.most);
          CHECK((!key.example.empty() || key.inside != nullptr || key.any_name()));
        }
      }
  }
  TEST_CASE("The reference among the documents is that of the readers") {
    if (!with_simgrid) return;  // the committed one names both engines
    CHECK_MESSAGE(config::read_file(ORRERY_SOURCE_DIR "/docs/reference.md") == reference_markdown(),
                  "orrery show reference --markdown >docs/reference.md");
  }
  TEST_CASE("The reference on a terminal keeps to its width") {
    for (const auto& file : file_references()) {
      const std::string text = reference_text(file, 80);
      std::size_t begin = 0;
      for (auto end = text.find('\n'); end != std::string::npos; begin = end + 1, end = text.find('\n', begin)) {
        CAPTURE(text.substr(begin, end - begin));
        CHECK(end - begin <= 80);
      }
    }
  }
}
