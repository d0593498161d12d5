#include "sim/core/setting_quantity.hpp"

#include <array>
#include <utility>
#include <vector>

#include "sim/core/quantity_text.hpp"

namespace orrery {

namespace {

constexpr std::array setting_dimensions{std::pair{Dimension::time, "_s"},
                                        std::pair{Dimension::data, "_B"},
                                        std::pair{Dimension::bandwidth, "_B_per_s"},
                                        std::pair{Dimension::speed, "_flop_per_s"},
                                        std::pair{Dimension::work, "_flop"},
                                        std::pair{Dimension::frequency, "_Hz"},
                                        std::pair{Dimension::time_per_byte, "_s_per_B"},
                                        std::pair{Dimension::rate, "_per_s"},
                                        std::pair{Dimension::power, "_W"}};

constexpr std::string_view fraction = "_fraction";

}  // namespace

/// No two dimensions share a unit, so at most one of them reads the text.
std::optional<SettingQuantity> setting_quantity(const std::string& value) {
  if (value.ends_with('%')) {
    const auto percent = parse_quantity(value.substr(0, value.size() - 1), Dimension::scalar);
    return percent.si ? std::optional(SettingQuantity{*percent.si / 100.0, fraction}) : std::nullopt;
  }
  for (const auto& [dimension, suffix] : setting_dimensions)
    if (const auto parsed = parse_quantity(value, dimension); parsed.si) return SettingQuantity{*parsed.si, suffix};
  return std::nullopt;
}

std::span<const std::string_view> setting_suffixes() {
  static const auto suffixes = [] {
    std::vector<std::string_view> all{fraction};
    for (const auto& [dimension, suffix] : setting_dimensions) all.emplace_back(suffix);
    return all;
  }();
  return suffixes;
}

std::string unit_of_suffix(std::string_view suffix) {
  std::string unit(suffix.substr(1));
  if (const auto per = unit.find("_per_"); per != std::string::npos) unit.replace(per, 5, "/");
  return unit.starts_with("per_") ? "1/" + unit.substr(4) : unit;
}

std::optional<double> quantity_of(const std::string& value) {
  const auto parsed = setting_quantity(value);
  return parsed ? std::optional(parsed->si) : std::nullopt;
}

}  // namespace orrery
