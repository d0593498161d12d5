#include "sim/config/reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "sim/config/yaml_tree.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery::config {

namespace {

using Kind = YamlNode::Kind;

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
    value.refuse(fmt::format("outside {}..{}. Choose a value in that range?", to_text(min), to_text(max)));
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
  if (value < min || value > max) refuse(fmt::format("outside {:g}..{:g}. Choose a value in that range?", min, max));
  return value;
}

std::int64_t Value::integer(std::int64_t min, std::int64_t max) const {
  const double value = quantity(Dimension::scalar);
  if (value < static_cast<double>(min) || value > static_cast<double>(max))
    refuse(fmt::format("outside {}..{}. Choose a value in that range?", min, max));
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

}  // namespace orrery::config
