// A file as a whole: its root, a copy with one value changed, every scalar by its path.
#include <fmt/format.h>

#include <algorithm>

#include "sim/config/files.hpp"
#include "sim/config/reader.hpp"
#include "sim/config/yaml_tree.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery::config {

namespace {

using Kind = YamlNode::Kind;

}  // namespace

Section Document::root() const {
  if (root_->kind != Kind::map)
    throw InputError("{}: the file is {} (keys and values expected). Is this the right file?", root_->place.text(),
                     kind_name(root_->kind));
  return Section(root_, "");
}

Section Document::root(const Mapping& mapping) const {
  root();
  return Section(root_, "", &mapping);
}

namespace {

std::shared_ptr<YamlNode> copy_of(const YamlNode& node) {
  auto copy = std::make_shared<YamlNode>(node);
  for (auto& item : copy->items) item = copy_of(*item);
  for (auto& entry : copy->entries) entry.value = copy_of(*entry.value);
  return copy;
}

void set_origin(YamlNode& node, const YamlPlace& origin) {
  node.place = origin;
  for (auto& item : node.items) set_origin(const_cast<YamlNode&>(*item), origin);
  for (auto& entry : node.entries) {
    entry.key_place = origin;
    set_origin(const_cast<YamlNode&>(*entry.value), origin);
  }
}

/// Of a list of sections the one that has this 'name'.
auto item_called(YamlNode& list, std::string_view name) {
  return std::ranges::find_if(list.items, [name](const auto& item) {
    const auto entry = std::ranges::find(item->entries, "name", &YamlNode::Entry::key);
    return entry != item->entries.end() && entry->value->scalar == name;
  });
}

std::vector<std::string> names_of_items(const YamlNode& list) {
  std::vector<std::string> names;
  for (const auto& item : list.items)
    for (const auto& entry : item->entries)
      if (entry.key == "name") names.push_back(entry.value->scalar);
  return names;
}

/// `map` with `value` at the path, whose first key is `key`.
void set_at(YamlNode& map, std::string_view path, std::shared_ptr<const YamlNode> value, const YamlPlace& origin) {
  if (map.kind == Kind::list && path.find('.') != std::string_view::npos && !names_of_items(map).empty()) {
    const std::string name(path.substr(0, path.find('.')));
    const auto item = item_called(map, name);
    if (item == map.items.end())
      throw InputError("{}: the list has no '{}'{}", origin.text(), name, known_names(name, names_of_items(map)));
    auto inner = copy_of(**item);
    set_at(*inner, path.substr(name.size() + 1), std::move(value), origin);
    *item = std::move(inner);
    return;
  }
  if (map.kind != Kind::map)
    throw InputError("{}: '{}' would go into {}, not a section (keys and values). Check the path?", origin.text(), path,
                     kind_name(map.kind));
  const auto dot = path.find('.');
  const std::string key(path.substr(0, dot));
  auto found = std::ranges::find(map.entries, key, &YamlNode::Entry::key);
  if (found == map.entries.end()) {
    auto fresh = std::make_shared<YamlNode>();
    fresh->kind = Kind::map;
    fresh->place = origin;
    found = map.entries.insert(map.entries.end(), {key, origin, std::move(fresh)});
  }
  if (dot == std::string_view::npos) {
    found->value = std::move(value);
    return;
  }
  auto inner = copy_of(*found->value);
  set_at(*inner, path.substr(dot + 1), std::move(value), origin);
  found->value = std::move(inner);
}

}  // namespace

Document Document::with(const std::string& path, const std::string& yaml, const std::string& origin) const {
  const YamlPlace place{std::make_shared<const std::string>(origin), 0, 0};
  auto value = copy_of(*parse_tree(yaml, origin));
  set_origin(*value, place);
  auto root = copy_of(*root_);
  set_at(*root, path, std::move(value), place);
  return Document(std::move(root));
}

Document Document::with(const std::string& path, const Value& value) const {
  auto root = copy_of(*root_);
  set_at(*root, path, copy_of(*value.node_), value.node_->place);
  return Document(std::move(root));
}

namespace {

void collect(const YamlNode& node, const std::string& path, std::map<std::string, std::string>& into) {
  if (node.kind == Kind::scalar) into[path] = node.scalar;
  for (std::size_t i = 0; i < node.items.size(); ++i) collect(*node.items[i], fmt::format("{}[{}]", path, i + 1), into);
  for (const auto& entry : node.entries) collect(*entry.value, path.empty() ? entry.key : path + "." + entry.key, into);
}

}  // namespace

std::map<std::string, std::string> Document::scalars() const {
  std::map<std::string, std::string> result;
  collect(*root_, "", result);
  return result;
}

Document parse_yaml(const std::string& text, const std::string& name) { return Document(parse_tree(text, name)); }

Document read_yaml(const std::string& path) { return parse_yaml(read_file(path, yaml_bytes_max), path); }

}  // namespace orrery::config
