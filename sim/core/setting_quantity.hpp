/// A setting that is a quantity, as a number: tables have it in a column with its unit at the end, "kernel.message_B", and
/// read such columns again.
///
/// Checked  tests/unit/study/measured_rows_test.cpp
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace orrery {

/// A value in the unit that its column would have at its end: 65536 and "_B" of "64KiB".
struct SettingQuantity {
  double si = 0.0;
  std::string_view suffix;
};
/// Nothing for what is no number with a unit.
std::optional<SettingQuantity> setting_quantity(const std::string& value);
/// "_s", "_B" ...: the units that a column may have at its end.
std::span<const std::string_view> setting_suffixes();
/// "B/s" of "_B_per_s".
std::string unit_of_suffix(std::string_view suffix);

/// "64KiB" as 65536, "2us" as 2e-06, "5%" as 0.05; nothing for what is no number with a unit.
std::optional<double> quantity_of(const std::string& value);

}  // namespace orrery
