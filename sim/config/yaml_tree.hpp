/// The parsed YAML file as our own tree: read by reader.cpp, changed by document.cpp, built by yaml_tree.cpp. Private
/// to sim/config.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace orrery::config {

/// File name and position of a node; `line` 0: only the name (a flag of the command line).
struct YamlPlace {
  std::shared_ptr<const std::string> file;
  int line = 1, column = 1;

  std::string text() const;
};

struct YamlNode {
  enum class Kind : unsigned char { null, scalar, list, map };
  struct Entry {
    std::string key;
    YamlPlace key_place;
    std::shared_ptr<const YamlNode> value;
  };

  Kind kind = Kind::null;
  YamlPlace place;
  std::string scalar;
  std::vector<std::shared_ptr<const YamlNode>> items;  ///< of a list
  std::vector<Entry> entries;                          ///< of a map, in the order of the file

  const Entry* find(std::string_view key) const;
};

/// The root of the only document in `text`. Throws InputError.
std::shared_ptr<const YamlNode> parse_tree(const std::string& text, const std::string& file);

/// "empty", "a value", "a list" or "a section".
const char* kind_name(YamlNode::Kind kind);

}  // namespace orrery::config
