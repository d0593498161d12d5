/// A setting that is a quantity, as a number: tables have a column for it with the unit at the end of its name,
/// "kernel.message_B", and such columns can be read again.
///
/// Checked  tests/unit/study/measured_rows_test.cpp
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace orrery {

/// A value in the unit of its column, and that unit: 65536 and "_B" for "64KiB".
struct SettingQuantity {
  double si = 0.0;
  std::string_view suffix;
};
/// Empty if the text is no number with a unit.
std::optional<SettingQuantity> setting_quantity(const std::string& value);
/// "_s", "_B" ...: the units that may end the name of a column.
std::span<const std::string_view> setting_suffixes();
/// "B/s" of "_B_per_s".
std::string unit_of_suffix(std::string_view suffix);

/// "64KiB" as 65536, "2us" as 2e-06, "5%" as 0.05; empty if the text is no number with a unit.
std::optional<double> quantity_of(const std::string& value);

}  // namespace orrery
