/// What a file may say, and what a kernel, a compute model or a model lets one choose, declared once: readers take
/// ranges, defaults and words from here, pages their rows.
///
///   {.name = "latency", .kind = KeyKind::time, .most = 10.0, .example = "0.2us", .about = "of the cable"}
///   count_key("blocks", 256, "N: the matrices are N x N blocks", 1, 1e6)      // of a kernel
///
/// Keys with members of a struct are in sim/config/fields.hpp, a kernel's with their values in parameters.hpp.
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
  std::string fallback = {};  ///< the value where the key is missing, as a file would write it
  std::map<std::string, std::string> fallback_of = {};  ///< another in a mode of a model
  std::string absent = {};           ///< in words what holds then, where that is no fixed value; neither: required
  std::vector<std::string> of = {};  ///< words of the section's `kind` that have the key; none: all
  const Mapping* inside = nullptr;   ///< of a section, or of each section of a list
  std::string example = {};
  std::string about = {};  ///< what it means
  bool aside = false;      ///< it tells, and decides no result

  bool required() const { return fallback.empty() && absent.empty() && !any_name(); }
  bool any_name() const { return name.starts_with('<'); }
  /// Whether it says what a thing is called or which kind it is of, and no parameter of it.
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
/// One of `choices`; of none: any text.
Key word_key(std::string name, std::string fallback, std::string about, std::vector<std::string> choices = {});

/// In which a value of this kind is written; scalar where it has no unit.
Dimension dimension_of(KeyKind kind);
/// "true", "yes", "false" or "no"; nothing for another word.
std::optional<bool> truth_of(std::string_view text);

/// Throws InputError "where: <what> 'name' (known: ...). Did you mean ...?": `what` as in "unknown parameter".
[[noreturn]] void refuse_unknown(const std::string& where, const std::string& what, std::string_view name,
                                 const std::vector<std::string>& known);

}  // namespace orrery
