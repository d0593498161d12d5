/// A YAML file as sections, lists and values that have their place in the file and refuse unknown keys.
///
///   const Document document = read_yaml("platforms/fermi.yaml");
///   const Section file = document.root(platform_keys());            // keys.hpp
///   const std::string name = file.text("name");
///   const Seconds latency = file.seconds("latency");                 // "1.3us"; a bare number is refused
///   const auto ranks = file.optional_integer("ranks");                // std::optional
///   for (const Value& item : file.list("networks")) { Section network = item.section(); ... network.finish(); }
///   file.finish();                                                   // refuses keys that are not declared
///
/// Every problem is an InputError "file:line:column: ...". Below a root with declared keys only these can be read, with
/// the declared ranges, defaults and words; a root without them is for reading a few values. Reading changes nothing.
/// Aliases, tabs in the indentation, control characters, several documents in one file, files over 16 MiB and nesting
/// deeper than 32 are refused.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config/keys.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/refusal.hpp"
#include "sim/core/units.hpp"

namespace orrery::config {

struct YamlNode;
class Section;

/// One value of the file: a scalar, a list or a section. `name` is its name in messages: a key, "networks[2]".
class Value {
 public:
  Value(std::shared_ptr<const YamlNode> node, std::string name, const Key* key = nullptr)
      : node_(std::move(node)), name_(std::move(name)), key_(key) {}

  const std::string& name() const { return name_; }
  /// The same value with the name and declaration of another key.
  Value as(const Value& other) const { return Value(node_, other.name_, other.key_); }
  std::string where() const;  ///< "file:line:column"
  bool is_scalar() const;
  bool is_list() const;
  bool is_section() const;

  std::string text() const;
  std::string written() const;  ///< any scalar as in the file, without quotes
  double quantity(Dimension dimension, const ValueRange& range = {}) const;
  // Within the declared range; for an undeclared value within a wide one.
  Seconds seconds() const;
  Bytes bytes() const;
  BytesPerSecond bandwidth() const;
  FlopsPerSecond speed() const;
  SecondsPerByte time_per_byte() const;
  Watts watts() const;
  PerSecond rate() const;  ///< "10M/s": events per second
  double number() const;   ///< for a time in seconds, for a share its fraction
  double share() const;    ///< "5%" is 0.05
  std::int64_t integer() const;
  std::size_t choice() const;  ///< the index of the declared word
  // For an undeclared value.
  double number(double min, double max) const;
  std::int64_t integer(std::int64_t min, std::int64_t max) const;
  std::size_t choice(const std::vector<std::string>& choices) const;
  bool boolean() const;
  Section section() const;
  /// With its own keys, whatever is declared for the value.
  Section section(const Mapping& mapping) const;
  std::vector<Value> list() const;

  /// Throws InputError "where: 'name' is 'text' <problem>"; the problem ends with rule and suggestion.
  [[noreturn]] void refuse(const Refusal& problem) const;

 private:
  const std::string& scalar(const char* wanted, const char* example) const;
  void require_kind(KeyKind kind) const;
  template <class Q>
  Q within(KeyKind kind, Q least, Q most) const;
  friend class Document;
  std::shared_ptr<const YamlNode> node_;
  std::string name_;
  const Key* key_;  ///< null: not declared
};

/// A map of the file.
class Section {
 public:
  Section(std::shared_ptr<const YamlNode> node, std::string name, const Mapping* mapping = nullptr)
      : node_(std::move(node)), name_(std::move(name)), mapping_(mapping) {}

  const std::string& name() const { return name_; }
  std::string where() const;
  std::string where(std::string_view key) const;  ///< of the key's value; of the section if the key is missing

  bool has(std::string_view key) const;
  Value value(std::string_view key) const;  ///< the declared default if missing; throws if there is none
  std::optional<Value> optional(std::string_view key) const;
  /// Every key and its value in the order of the file.
  std::vector<std::pair<std::string, Value>> items() const;

  std::string text(std::string_view key) const { return value(key).text(); }
  Seconds seconds(std::string_view key) const { return value(key).seconds(); }
  double number(std::string_view key) const { return value(key).number(); }
  std::int64_t integer(std::string_view key) const { return value(key).integer(); }
  std::int64_t integer(std::string_view key, std::int64_t min, std::int64_t max) const {
    return value(key).integer(min, max);
  }
  bool boolean(std::string_view key) const { return value(key).boolean(); }
  std::size_t choice(std::string_view key) const { return value(key).choice(); }
  Section section(std::string_view key) const { return value(key).section(); }
  std::vector<Value> list(std::string_view key) const { return value(key).list(); }

  std::optional<std::string> optional_text(std::string_view key) const;
  std::optional<std::int64_t> optional_integer(std::string_view key) const;
  std::optional<Section> optional_section(std::string_view key) const;
  std::vector<Value> optional_list(std::string_view key) const;  ///< empty if missing

  /// Refuses the first key that is not declared, with the declared ones and a suggestion, and one of another `kind`.
  void finish() const;
  /// Throws InputError "where(key): <problem>".
  [[noreturn]] void refuse(std::string_view key, const Refusal& problem) const;

 private:
  [[noreturn]] void refuse_unknown(const std::string& key, const std::string& place,
                                   std::vector<std::string> known) const;
  const Key* declared(std::string_view key) const;
  std::shared_ptr<const YamlNode> node_;
  std::string name_;
  const Mapping* mapping_;  ///< null: not declared
};

/// A key of another kind than that in 'kind'. Changes of a platform have their own remedy for it.
struct KeyOfOtherKind : InputError {
  using InputError::InputError;
};

class Document {
 public:
  explicit Document(std::shared_ptr<const YamlNode> root) : root_(std::move(root)) {}

  Section root() const;                        ///< throws if the file does not hold keys and values
  Section root(const Mapping& mapping) const;  ///< with declared keys
  /// A copy in which the value at `path` ("kernel.blocks"; "jobs.a.start" in a list of sections with names) is `yaml`
  /// ("256", "[1, 2]"), added if missing; messages about it begin with `origin` ("--set kernel.blocks").
  Document with(const std::string& path, const std::string& yaml, const std::string& origin) const;
  /// The same with a value of a file, which keeps its place in messages.
  Document with(const std::string& path, const Value& value) const;
  /// Every scalar by its path ("kernel.blocks" -> "256", "models[1]" -> "taulop").
  std::map<std::string, std::string> scalars() const;

 private:
  std::shared_ptr<const YamlNode> root_;
};

Document read_yaml(const std::string& path);
/// The same for text; `name` stands for the file in messages.
Document parse_yaml(const std::string& text, const std::string& name);

}  // namespace orrery::config
