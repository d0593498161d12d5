/// Settings that have a unit, as numbers for calculations with a table: "8KiB" of kernel.message is 8192 in
/// kernel.message_B. Settings that are plain numbers need no second column, words have none.
#pragma once

#include <string>
#include <vector>

#include "sim/show/summary/summary.hpp"

namespace orrery::show {

struct NumericSetting {
  std::string key;     ///< "kernel.message"
  std::string column;  ///< "kernel.message_B"
};

/// The settings whose values are all quantities of one dimension, in the order of `settings`.
std::vector<NumericSetting> numeric_settings(const std::vector<SettingValues>& settings);

}  // namespace orrery::show
