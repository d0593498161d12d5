/// The keys of a file, and the parameters of a kernel, a compute model or a model, declared once: readers take ranges,
/// defaults and words from here, and documentation pages take their rows.
///
///   {.name = "latency", .kind = KeyKind::time, .most = 10.0, .example = "0.2us", .about = "of the cable"}
///   count_key("blocks", 256, "N: the matrices are N x N blocks", 1, 1e6)      // of a kernel
///
/// Keys for members of a struct are in sim/config/fields.hpp, a kernel's keys with their values in parameters.hpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/quantity_text.hpp"

namespace orrery {

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
  work,
  time_per_byte,
  rate,
  power,
  section,
  any
};

/// Whether a key takes one value, a list of values, or either.
enum class Shape : std::uint8_t { one, list, either };

struct Mapping;

struct Key {
  std::string name;  ///< "<type>": any name that the user chooses
  KeyKind kind = KeyKind::text;
  Shape shape = Shape::one;
  static constexpr double usual_least = 0.0, usual_most = 1e18;
  double least = usual_least, most = usual_most;  ///< for numbers, in SI units
  std::vector<std::string> choices = {};
  std::string fallback = {};  ///< the value where the key is missing, as a file would write it
  std::map<std::string, std::string> fallback_of = {};  ///< other values, by mode of a model
  std::string absent = {};           ///< in words, the default if it is no fixed value; both empty: required
  std::vector<std::string> of = {};  ///< values of the section's `kind` for which the key exists; empty: all
  const Mapping* inside = nullptr;   ///< keys of a section, or of each section of a list
  std::string example = {};
  std::string about = {};  ///< what it means
  bool aside = false;      ///< it does not affect a run

  bool required() const { return fallback.empty() && absent.empty() && !any_name(); }
  bool any_name() const { return name.starts_with('<'); }
  /// Whether it is the name or the kind of a thing, and no parameter of it.
  bool names_thing() const { return kind == KeyKind::text || (kind == KeyKind::word && required()); }
};

struct Mapping {
  std::string name;   ///< its path in the file: "networks.<name>.protocol"
  std::string about;  ///< one line
  std::vector<Key> keys = {};
  const Mapping* shared = nullptr;  ///< keys that several mappings have

  /// The key of this name, else the one for any name; null if there is none.
  const Key* find(std::string_view key) const;
  /// Its own names and the shared ones, without those that the user chooses.
  std::vector<std::string> names() const;
  /// The key at "networks.fabric.bandwidth"; null if none is declared.
  const Key* at(std::string_view path) const;
};

// A parameter of a kernel or compute model; ranges in SI.
Key count_key(std::string name, std::int64_t fallback, std::string about, double least = Key::usual_least,
              double most = Key::usual_most);
Key number_key(std::string name, double fallback, std::string about, double least = Key::usual_least,
               double most = Key::usual_most);
Key bytes_key(std::string name, double fallback, std::string about, double least = Key::usual_least,
              double most = Key::usual_most);
Key speed_key(std::string name, double fallback, std::string about);
Key work_key(std::string name, double fallback, std::string about);
Key flag_key(std::string name, bool fallback, std::string about);
/// One of `choices`; if `choices` is empty, any text.
Key word_key(std::string name, std::string fallback, std::string about, std::vector<std::string> choices = {});

/// Dimension of the unit of such values; scalar if they have no unit.
Dimension dimension_of(KeyKind kind);
/// "true", "yes", "false" or "no"; nothing for another word.
std::optional<bool> truth_of(std::string_view text);

/// Throws InputError "where: <what> 'name' (known: ...). Did you mean ...?": `what` as in "unknown parameter".
[[noreturn]] void refuse_unknown(const std::string& where, const std::string& what, std::string_view name,
                                 const std::vector<std::string>& known);

}  // namespace orrery
