#include "sim/config/reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "sim/config/files.hpp"
#include "sim/config/yaml_tree.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery::config {

namespace {

using Kind = YamlNode::Kind;

const char* kind_name(Kind kind) {
  constexpr const char* names[] = {"empty", "a value", "a list", "a section"};
  return names[static_cast<std::size_t>(kind)];
}

std::string name_of(const Section& section) { return section.name().empty() ? "the file" : "'" + section.name() + "'"; }

const char* example_of(Dimension dimension) {
  switch (dimension) {
    case Dimension::time:
      return "1.5us";
    case Dimension::data:
      return "64KiB";
    case Dimension::bandwidth:
      return "12.5GB/s";
    case Dimension::speed:
      return "10Gflop/s";
    case Dimension::work:
      return "1Gflop";
    case Dimension::frequency:
      return "2.5GHz";
    case Dimension::time_per_byte:
      return "0.1ns/B";
    case Dimension::scalar:
      return "16";
  }
  return "";
}

template <class Q>
Q in_range(const Value& value, double si, Q min, Q max) {
  if (si < min.si() || si > max.si())
    value.refuse(fmt::format("outside {}..{}. Choose a value inside?", to_text(min), to_text(max)));
  return Q(si);
}

}  // namespace

std::string Value::where() const { return node_->place.text(); }
bool Value::is_scalar() const { return node_->kind == Kind::scalar; }
bool Value::is_list() const { return node_->kind == Kind::list; }
bool Value::is_section() const { return node_->kind == Kind::map; }

void Value::refuse(const std::string& problem) const {
  const std::string what = is_scalar() ? "'" + shown(node_->scalar) + "'" : kind_name(node_->kind);
  throw InputError(fmt::format("{}: '{}' is {} {}", where(), name_, what, problem));
}

const std::string& Value::scalar(const char* wanted, const char* example) const {
  if (!is_scalar()) refuse(fmt::format("({} expected). Write for example '{}'?", wanted, example));
  return node_->scalar;
}

std::string Value::text() const { return scalar("text", "word"); }

double Value::quantity(Dimension dimension) const {
  const bool bare = dimension == Dimension::scalar;
  const auto parsed =
      parse_quantity(scalar(bare ? "a number" : "a number with a unit", example_of(dimension)), dimension);
  if (!parsed.si) refuse(parsed.problem);
  return *parsed.si;
}

Seconds Value::seconds(Seconds min, Seconds max) const { return in_range(*this, quantity(Dimension::time), min, max); }
Bytes Value::bytes(Bytes min, Bytes max) const { return in_range(*this, quantity(Dimension::data), min, max); }
BytesPerSecond Value::bandwidth(BytesPerSecond min, BytesPerSecond max) const {
  return in_range(*this, quantity(Dimension::bandwidth), min, max);
}
FlopsPerSecond Value::speed(FlopsPerSecond min, FlopsPerSecond max) const {
  return in_range(*this, quantity(Dimension::speed), min, max);
}

double Value::number(double min, double max) const {
  const double value = quantity(Dimension::scalar);
  if (value < min || value > max) refuse(fmt::format("outside {:g}..{:g}. Choose a value inside?", min, max));
  return value;
}

std::int64_t Value::integer(std::int64_t min, std::int64_t max) const {
  const double value = quantity(Dimension::scalar);
  if (value < static_cast<double>(min) || value > static_cast<double>(max))
    refuse(fmt::format("outside {}..{}. Choose a value inside?", min, max));
  if (value != std::floor(value)) refuse(fmt::format("(a whole number expected). Write '{:.0f}'?", value));
  return static_cast<std::int64_t>(value);
}

bool Value::boolean() const {
  const std::string& word = scalar("true or false", "true");
  if (word == "true" || word == "yes") return true;
  if (word == "false" || word == "no") return false;
  refuse("(true or false). Write 'true'?");
}

std::size_t Value::choice(const std::vector<std::string>& choices) const {
  const std::string& word = scalar("a word", choices.front().c_str());
  const auto found = std::ranges::find(choices, word);
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  std::string tail = known_names(word, choices);
  throw InputError(fmt::format("{}: '{}' is '{}'{}", where(), name_, shown(word), tail));
}

Section Value::section() const {
  if (!is_section()) refuse("(keys and values expected). Indent them below it?");
  return Section(node_, name_);
}

std::vector<Value> Value::list() const {
  if (!is_list()) refuse(fmt::format("(a list expected). Write '{}: [...]'?", name_));
  std::vector<Value> values;
  for (std::size_t i = 0; i < node_->items.size(); ++i)
    values.emplace_back(node_->items[i], fmt::format("{}[{}]", name_, i + 1));
  return values;
}

std::string Section::where() const { return node_->place.text(); }

std::string Section::where(std::string_view key) const {
  const auto* entry = node_->find(key);
  return entry == nullptr ? where() : entry->value->place.text();
}

bool Section::has(std::string_view key) const {
  if (!node_->asked.contains(key)) node_->asked.emplace(key);
  return node_->find(key) != nullptr;
}

std::optional<Value> Section::optional(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  return Value(node_->find(key)->value, std::string(key));
}

Value Section::value(std::string_view key) const {
  if (auto found = optional(key)) return *found;
  // A misspelt key explains the missing one better than its absence does.
  std::vector<std::string> wanted{std::string(key)};
  for (std::size_t i = 0; i < node_->entries.size(); ++i)
    if (!node_->asked.contains(node_->entries[i].key) && nearest_name(node_->entries[i].key, wanted)) refuse_unknown(i);
  throw InputError(fmt::format("{}: {} has no '{}' (required). Add '{}: ...'?", where(), name_of(*this), key, key));
}

std::vector<std::pair<std::string, Value>> Section::items() const {
  std::vector<std::pair<std::string, Value>> result;
  for (const auto& entry : node_->entries) {
    node_->asked.insert(entry.key);
    result.emplace_back(entry.key, Value(entry.value, entry.key));
  }
  return result;
}

namespace {

template <class Read>
auto if_present(const std::optional<Value>& value, Read read) -> std::optional<decltype(read(*value))> {
  if (!value) return std::nullopt;
  return read(*value);
}

}  // namespace

std::optional<std::string> Section::optional_text(std::string_view key) const {
  return if_present(optional(key), [](const Value& value) { return value.text(); });
}
std::optional<double> Section::optional_number(std::string_view key, double min, double max) const {
  return if_present(optional(key), [&](const Value& value) { return value.number(min, max); });
}
std::optional<std::int64_t> Section::optional_integer(std::string_view key, std::int64_t min, std::int64_t max) const {
  return if_present(optional(key), [&](const Value& value) { return value.integer(min, max); });
}
std::optional<Seconds> Section::optional_seconds(std::string_view key) const {
  return if_present(optional(key), [](const Value& value) { return value.seconds(); });
}
std::optional<Bytes> Section::optional_bytes(std::string_view key) const {
  return if_present(optional(key), [](const Value& value) { return value.bytes(); });
}
std::optional<bool> Section::optional_boolean(std::string_view key) const {
  return if_present(optional(key), [](const Value& value) { return value.boolean(); });
}
std::optional<Section> Section::optional_section(std::string_view key) const {
  return if_present(optional(key), [](const Value& value) { return value.section(); });
}
std::vector<Value> Section::optional_list(std::string_view key) const {
  const auto value = optional(key);
  return value ? value->list() : std::vector<Value>{};
}

void Section::refuse_unknown(std::size_t entry) const {
  const auto& [key, place, value] = node_->entries[entry];
  const std::vector<std::string> known(node_->asked.begin(), node_->asked.end());
  throw InputError(fmt::format("{}: {} has an unknown key '{}'{}", place.text(), name_of(*this), shown(key),
                               known_names(key, known)));
}

void Section::finish() const {
  for (std::size_t i = 0; i < node_->entries.size(); ++i)
    if (!node_->asked.contains(node_->entries[i].key)) refuse_unknown(i);
}

void Section::refuse(std::string_view key, const std::string& problem) const {
  throw InputError(where(key) + ": " + problem);
}

Section Document::root() const {
  if (root_->kind != Kind::map)
    throw InputError(fmt::format("{}: the file is {} (keys and values expected). Is this the right file?",
                                 root_->place.text(), kind_name(root_->kind)));
  return Section(root_, "");
}

namespace {

/// A copy of the tree without its memory of what was asked.
std::shared_ptr<YamlNode> copy_of(const YamlNode& node) {
  auto copy = std::make_shared<YamlNode>(node);
  copy->asked.clear();
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

/// `map` with `value` at the path, whose first key is `key`.
void set_at(YamlNode& map, std::string_view path, std::shared_ptr<const YamlNode> value, const YamlPlace& origin) {
  if (map.kind != Kind::map)
    throw InputError(fmt::format("{}: '{}' would go into {}, not a section (keys and values). Check the path?",
                                 origin.text(), path, kind_name(map.kind)));
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

Document read_yaml(const std::string& path) { return parse_yaml(read_file(path), path); }

}  // namespace orrery::config
