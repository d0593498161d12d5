#include "sim/config/reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "sim/config/keys.hpp"
#include "sim/config/yaml_tree.hpp"
#include "sim/core/bound_text.hpp"
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
    case Dimension::rate:
      return "10M/s";
    case Dimension::power:
      return "300W";
    case Dimension::scalar:
      return "16";
  }
  return "";
}

/// The number that was written where it is in the range; of one up to 1 the share that it is, as "0.2" is 20 %.
double meant_percent(const std::optional<double>& number, double least, double most) {
  if (number && *number > 0.0 && *number <= 1.0 && 100.0 * *number >= least && 100.0 * *number <= most)
    return 100.0 * *number;
  if (number && *number >= least && *number <= most) return *number;
  return std::clamp(5.0, least, most);
}

std::string to_text(SecondsPerByte gap) { return fmt::format("{:g} s/B", gap.si()); }

/// Thrown in a release, too: its test suite must notice.
[[noreturn]] void disagree(const std::string& name, const std::string& what) {
  throw std::logic_error(fmt::format("the reader of '{}' {}, against its declaration", name, what));
}

}  // namespace

std::string Value::where() const { return node_->place.text(); }
bool Value::is_scalar() const { return node_->kind == Kind::scalar; }
bool Value::is_list() const { return node_->kind == Kind::list; }
bool Value::is_section() const { return node_->kind == Kind::map; }

void Value::refuse(const Refusal& problem) const {
  if (is_scalar()) throw InputError("{}: '{}' is '{}' {}", where(), name_, shown(node_->scalar), problem);
  throw InputError("{}: '{}' is {} {}", where(), name_, kind_name(node_->kind), problem);
}

const std::string& Value::scalar(const char* wanted, const char* example) const {
  if (!is_scalar()) refuse(Refusal("({} expected). Write for example '{}'?", wanted, example));
  return node_->scalar;
}

std::string Value::text() const {
  if (key_ != nullptr && key_->kind != KeyKind::word) require_kind(KeyKind::text);
  return written();
}

std::string Value::written() const { return scalar("text", "word"); }

double Value::quantity(Dimension dimension, const ValueRange& range) const {
  const bool bare = dimension == Dimension::scalar;
  const auto parsed =
      parse_quantity(scalar(bare ? "a number" : "a number with a unit", example_of(dimension)), dimension, range);
  if (!parsed.si) refuse(parsed.problem);
  return *parsed.si;
}

void Value::require_kind(KeyKind kind) const {
  if (key_ != nullptr && key_->kind != kind && key_->kind != KeyKind::any) disagree(name_, "takes it for another kind");
}

template <class Q>
Q Value::within(KeyKind kind, Q least, Q most) const {
  require_kind(kind);
  if (key_ != nullptr) least = Q(key_->least), most = Q(key_->most);
  const double si = quantity(dimension_of(kind), {least.si(), most.si()});
  if (si < least.si() || si > most.si())
    refuse(Refusal("outside {}..{}. Choose a value in that range?", to_text(least), to_text(most)));
  return Q(si);
}

Seconds Value::seconds() const { return within(KeyKind::time, Seconds(0.0), Seconds(1e9)); }
Bytes Value::bytes() const { return within(KeyKind::data, Bytes(0.0), Bytes(1e18)); }
BytesPerSecond Value::bandwidth() const {
  return within(KeyKind::bandwidth, BytesPerSecond(1.0), BytesPerSecond(1e18));
}
FlopsPerSecond Value::speed() const { return within(KeyKind::speed, FlopsPerSecond(1.0), FlopsPerSecond(1e21)); }
PerSecond Value::rate() const { return within(KeyKind::rate, PerSecond(1e-6), PerSecond(1e18)); }

Watts Value::watts() const { return within(KeyKind::power, Watts(0.0), Watts(1e9)); }

SecondsPerByte Value::time_per_byte() const {
  return within(KeyKind::time_per_byte, SecondsPerByte(0.0), SecondsPerByte(1.0));
}

double Value::number() const {
  if (key_ != nullptr && key_->kind == KeyKind::share) return share();
  if (key_ != nullptr && key_->kind == KeyKind::time) return seconds().si();
  require_kind(KeyKind::number);
  return key_ == nullptr ? quantity(Dimension::scalar) : number(key_->least, key_->most);
}

double Value::number(double min, double max) const {
  const double value = quantity(Dimension::scalar, {min, max});
  if (value < min || value > max)
    refuse(Refusal("outside {}..{}. Choose a value in that range?", bound_text(min), bound_text(max)));
  return value;
}

double Value::share() const {
  require_kind(KeyKind::share);
  const std::string text = scalar("a share in percent", "5%");
  const bool percent = text.ends_with('%');
  const auto parsed = parse_quantity(percent ? text.substr(0, text.size() - 1) : text, Dimension::scalar);
  const double least = key_ == nullptr ? 0.0 : key_->least, most = key_ == nullptr ? 10.0 : key_->most;
  if (!parsed.si || !percent)
    refuse(
        Refusal("(a share in percent expected). Write '{}%'?", meant_percent(parsed.si, 100.0 * least, 100.0 * most)));
  if (!(*parsed.si >= 100.0 * least && *parsed.si <= 100.0 * most))
    refuse(Refusal("outside {:g}%..{:g}%. Choose a value inside?", 100.0 * least, 100.0 * most));
  return *parsed.si / 100.0;
}

std::int64_t Value::integer() const {
  require_kind(KeyKind::integer);
  if (key_ == nullptr) disagree(name_, "wants a range");
  return integer(static_cast<std::int64_t>(key_->least), static_cast<std::int64_t>(key_->most));
}

std::int64_t Value::integer(std::int64_t min, std::int64_t max) const {
  const double value = quantity(Dimension::scalar, {static_cast<double>(min), static_cast<double>(max), true});
  if (value < static_cast<double>(min) || value > static_cast<double>(max))
    refuse(Refusal("outside {}..{}. Choose a value in that range?", min, max));
  if (value != std::floor(value))
    refuse(Refusal("(a whole number expected). Write '{:.0f}'?",
                   std::clamp(std::nearbyint(value), static_cast<double>(min), static_cast<double>(max))));
  return static_cast<std::int64_t>(value);
}

bool Value::boolean() const {
  require_kind(KeyKind::boolean);
  if (const auto truth = truth_of(scalar("true or false", "true"))) return *truth;
  refuse("(true or false). Write 'true'?");
}

std::size_t Value::choice() const {
  require_kind(KeyKind::word);
  if (key_ == nullptr || key_->choices.empty()) disagree(name_, "wants its words");
  return choice(key_->choices);
}

std::size_t Value::choice(const std::vector<std::string>& choices) const {
  const std::string& word = scalar("a word", choices.front().c_str());
  const auto found = std::ranges::find(choices, word);
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  throw InputError("{}: '{}' is '{}'{}", where(), name_, shown(word), known_names(word, choices));
}

Section Value::section() const {
  if (!is_section())
    refuse(key_ != nullptr && key_->example.starts_with('{')
               ? Refusal("(keys and values expected). Write for example '{}'?", key_->example)
               : Refusal("(keys and values expected). Indent them below it?"));
  if (key_ == nullptr) return Section(node_, name_);
  if (key_->kind == KeyKind::any) return Section(node_, name_, &anything());
  if (key_->inside == nullptr) refuse(Refusal("(a single value expected). Write for example '{}'?", key_->example));
  return Section(node_, name_, key_->inside);
}

Section Value::section(const Mapping& mapping) const {
  Value(node_, name_).section();  // refuses what is none
  return Section(node_, name_, &mapping);
}

std::vector<Value> Value::list() const {
  if (!is_list()) refuse(Refusal("(a list expected). Write '{}: [...]'?", name_));
  std::vector<Value> values;
  for (std::size_t i = 0; i < node_->items.size(); ++i)
    values.emplace_back(node_->items[i], fmt::format("{}[{}]", name_, i + 1), key_);
  return values;
}

std::string Section::where() const { return node_->place.text(); }

std::string Section::where(std::string_view key) const {
  const auto* entry = node_->find(key);
  return entry == nullptr ? where() : entry->value->place.text();
}

const Key* Section::declared(std::string_view key) const {
  if (mapping_ == nullptr) return nullptr;
  const Key* found = mapping_->find(key);
  if (found == nullptr) disagree(mapping_->name, fmt::format("asks for '{}'", key));
  return found;
}

bool Section::has(std::string_view key) const {
  declared(key);
  return node_->find(key) != nullptr;
}

std::optional<Value> Section::optional(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  return Value(node_->find(key)->value, std::string(key), declared(key));
}

Value Section::value(std::string_view key) const {
  if (auto found = optional(key)) return *found;
  if (const Key* usual = declared(key); usual != nullptr && !usual->fallback.empty()) {
    auto node = std::make_shared<YamlNode>();
    node->kind = Kind::scalar;
    node->place = node_->place;
    node->scalar = usual->fallback;
    return Value(std::move(node), std::string(key), usual);
  }
  // A misspelt key explains the missing one better than its absence does.
  const std::vector<std::string> wanted{std::string(key)};
  for (const auto& entry : node_->entries)
    if ((mapping_ == nullptr || mapping_->find(entry.key) == nullptr) && nearest_name(entry.key, wanted))
      refuse_unknown(entry.key, entry.key_place.text(), mapping_ == nullptr ? wanted : mapping_->names());
  throw InputError("{}: {} has no '{}' (required). Add '{}: ...'?", where(), name_of(*this), key, key);
}

std::vector<std::pair<std::string, Value>> Section::items() const {
  std::vector<std::pair<std::string, Value>> result;
  for (const auto& entry : node_->entries) {
    const Key* key = mapping_ == nullptr ? nullptr : mapping_->find(entry.key);
    result.emplace_back(entry.key, Value(entry.value, entry.key, key));
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
std::optional<std::int64_t> Section::optional_integer(std::string_view key) const {
  return if_present(optional(key), [](const Value& value) { return value.integer(); });
}
std::optional<Section> Section::optional_section(std::string_view key) const {
  return if_present(optional(key), [](const Value& value) { return value.section(); });
}
std::vector<Value> Section::optional_list(std::string_view key) const {
  const auto value = optional(key);
  return value ? value->list() : std::vector<Value>{};
}

void Section::refuse_unknown(const std::string& key, const std::string& place, std::vector<std::string> known) const {
  std::ranges::sort(known);
  orrery::refuse_unknown(place, name_of(*this) + " has an unknown key", shown(key), known);
}

void Section::finish() const {
  if (mapping_ == nullptr) disagree(name_, "ends it without one");
  const auto kind = node_->find("kind");
  const auto of_kind = [&](const Key& key) {
    return key.of.empty() || kind == nullptr || std::ranges::find(key.of, kind->value->scalar) != key.of.end();
  };
  for (const auto& [key, place, value] : node_->entries) {
    const Key* found = mapping_->find(key);
    if (found == nullptr) refuse_unknown(key, place.text(), mapping_->names());
    if (!of_kind(*found))
      throw KeyOfOtherKind("{}: '{}' is of kind {}, and 'kind' is {}. Remove it?", place.text(), key,
                           fmt::join(found->of, ", "), kind->value->scalar);
  }
}

void Section::refuse(std::string_view key, const Refusal& problem) const {
  throw InputError("{}: {}", where(key), problem);
}

}  // namespace orrery::config
