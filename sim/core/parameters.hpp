/// Named, typed parameters of a kernel or compute model: their keys are data, and help, checks and docs are derived.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/core/keys.hpp"
#include "sim/core/units.hpp"

namespace orrery {

/// Values for a schema; defaults fill the missing ones.
class Parameters {
 public:
  Parameters() = default;
  explicit Parameters(const std::vector<Key>& schema);

  /// Parses `text` as the described parameter and stores it ("256", "8B", "32KiB", "1Gflop/s", "true").
  /// Throws InputError that begins with `where` for an unknown name, a missing unit or a value out of range.
  void set(std::string_view name, std::string_view text, const std::string& where);

  // Throw InputError for a name that is not in the schema, and for a value of another type.
  std::int64_t integer(std::string_view name) const;
  double number(std::string_view name) const;
  Bytes bytes(std::string_view name) const;
  Seconds seconds(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  bool boolean(std::string_view name) const;

  /// A number in SI units, whatever its unit; nothing for texts, booleans and names outside the schema.
  std::optional<double> parameter(std::string_view name) const;

  /// Every value as text with its unit, in schema order.
  std::vector<std::pair<std::string, std::string>> rendered() const;

 private:
  using Held = std::variant<std::int64_t, double, std::string, bool>;  ///< with a unit: double, in SI
  const Held& at(std::string_view name) const;
  template <class T>
  const T& held(std::string_view name) const;
  std::vector<Key> schema_;
  std::map<std::string, Held, std::less<>> values_;
};

}  // namespace orrery
