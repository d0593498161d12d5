/// Settings that have a unit, as numbers for whoever computes with a table: "8KiB" of kernel.message is 8192 in
/// kernel.message_B. Settings that are plain numbers need no second column, words have none.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/show/summary/summary.hpp"

namespace orrery::show {

struct NumericSetting {
  std::string key;     ///< "kernel.message"
  std::string column;  ///< "kernel.message_B"
};

/// Of the settings those all of whose values are quantities of one dimension, in the order of `settings`.
std::vector<NumericSetting> numeric_settings(const std::vector<SettingValues>& settings);

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

}  // namespace orrery::show
