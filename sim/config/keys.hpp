/// What a file may say, declared once: readers take ranges, defaults and words from here, the reference page its rows.
///
///   const Mapping& link_keys() {
///     static const Mapping mapping{.name = "links[]", .about = "a cable between two switches", .keys = {
///       {.name = "latency", .kind = KeyKind::time, .most = 10.0, .example = "0.2us", .about = "of the cable"},
///       {.name = "lanes", .kind = KeyKind::integer, .least = 1, .most = 64, .fallback = "1", ...}}};
///     return mapping;
///   }
///   const Section file = document.root(link_keys());
///   file.seconds("latency");           // within 0 s..10 s
///   file.value("lanes").integer();     // 1 where the file says nothing
///   file.text("colour");               // std::logic_error: nothing is read that is not declared
///
/// A mapping is a tree: `inside` declares the keys of a section, or of each section of a list. What is read below a
/// declared root is therefore declared, too. The other way round, tests/unit/cli/reference_page_test.cpp puts the
/// example of every key into a file and reads it: nothing is declared that a reader refuses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::config {

/// What a value is. `word`: one of `choices`; `share`: "5%"; `any`: whatever the key's name stands for.
enum class KeyKind : std::uint8_t {
  text,
  word,
  boolean,
  integer,
  number,
  share,
  time,
  data,
  bandwidth,
  speed,
  time_per_byte,
  rate,
  power,
  section,
  any
};

/// Whether a key takes one value, a list of such, or either.
enum class Shape : std::uint8_t { one, list, either };

struct Mapping;

struct Key {
  std::string name;  ///< "<type>": every name the user chooses
  KeyKind kind = KeyKind::text;
  Shape shape = Shape::one;
  static constexpr double usual_least = 0.0, usual_most = 1e18;
  double least = usual_least, most = usual_most;  ///< of numbers, in SI
  std::vector<std::string> choices = {};
  std::string fallback = {};         ///< the value where the key is missing, as a file would write it
  std::string absent = {};           ///< in words what holds then, where that is no fixed value; neither: required
  std::vector<std::string> of = {};  ///< words of the section's `kind` that have the key; none: all
  const Mapping* inside = nullptr;   ///< of a section, or of each section of a list
  std::string example;
  std::string about;  ///< what it means

  bool required() const { return fallback.empty() && absent.empty() && !any_name(); }
  bool any_name() const { return name.starts_with('<'); }
  /// Whether it says what a thing is called or which kind it is of, and no figure of it.
  bool names_thing() const { return kind == KeyKind::text || (kind == KeyKind::word && required()); }
};

struct Mapping {
  std::string name;   ///< its path in the file: "networks.<name>.protocol"
  std::string about;  ///< one line
  std::vector<Key> keys = {};
  const Mapping* shared = nullptr;  ///< keys that several mappings have

  /// The key of this name, else the one for any name; null when there is none.
  const Key* find(std::string_view key) const;
  /// Names, its own and shared ones, but those the user chooses.
  std::vector<std::string> names() const;
  /// The key at "networks.fabric.bandwidth"; null where nothing is declared.
  const Key* at(std::string_view path) const;
};

/// A section of whatever names and values.
const Mapping& anything();

}  // namespace orrery::config
