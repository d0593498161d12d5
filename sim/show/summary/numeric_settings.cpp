#include "sim/show/summary/numeric_settings.hpp"

#include <algorithm>
#include <string_view>

#include "sim/core/setting_quantity.hpp"

namespace orrery::show {

std::vector<NumericSetting> numeric_settings(const std::vector<SettingValues>& settings) {
  std::vector<NumericSetting> numeric;
  for (const auto& setting : settings) {
    std::string_view suffix;
    const bool all = std::ranges::all_of(setting.values, [&](const std::string& value) {
      if (value.empty()) return true;  // a point without this setting
      const auto parsed = setting_quantity(value);
      if (!parsed || (!suffix.empty() && parsed->suffix != suffix)) return false;
      suffix = parsed->suffix;
      return true;
    });
    if (all && !suffix.empty()) numeric.push_back({setting.key, setting.key + std::string(suffix)});
  }
  return numeric;
}

}  // namespace orrery::show
