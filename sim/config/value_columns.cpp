#include "sim/config/value_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "sim/core/quantity_text.hpp"
#include "sim/core/setting_quantity.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

std::optional<double> number_of(const std::string& value) { return parse_quantity(value, Dimension::scalar).si; }

std::string key_of(double value, std::string_view unit) { return fmt::format("{:.15g}{}", value, unit); }

/// The value of a path: a scalar of the point, or the label of an axis whose values are sections.
const std::string* value_at(const PointValues& point, const std::string& path) {
  for (const auto& [key, value] : point.settings)
    if (key == path) return &value;
  const auto found = point.flat.find(path);
  return found == point.flat.end() ? nullptr : &found->second;
}

/// Axes of the sweep and their values.
class SweptAxes {
 public:
  void see(const PointValues& point) {
    for (const auto& [key, value] : point.settings) {
      if (!values_.contains(key)) axes_.push_back(key);
      values_[key].insert(value);
    }
  }
  std::vector<std::string> several() const {
    std::vector<std::string> axes = axes_;
    std::erase_if(axes, [&](const std::string& axis) { return values_.at(axis).size() < 2; });
    return axes;
  }
  const std::set<std::string>& values(const std::string& axis) const { return values_.at(axis); }

 private:
  std::vector<std::string> axes_;
  std::map<std::string, std::set<std::string>> values_;
};

/// Of values that all are quantities of one kind; else empty.
std::string common_unit(const std::set<std::string>& values) {
  std::string_view unit;
  for (const std::string& value : values) {
    const auto quantity = setting_quantity(value);
    if (!quantity || (!unit.empty() && quantity->suffix != unit)) return {};
    unit = quantity->suffix;
  }
  return std::string(unit);
}

}  // namespace

std::string comparable(const std::string& value) {
  if (const auto quantity = setting_quantity(value)) return key_of(quantity->si, quantity->suffix);
  const auto number = number_of(value);
  return number ? key_of(*number, "") : value;
}

ValueColumns::ValueColumns(const std::vector<std::string>& headers, const EachPoint& points) {
  std::map<std::string, std::set<std::string>> values;  // by path: of what heads a column, whole or without its unit
  for (const std::string& header : headers) {
    columns_.push_back({header, header});
    values[header];
    for (const std::string_view unit : setting_suffixes())
      if (header.size() > unit.size() && header.ends_with(unit)) values[header.substr(0, header.size() - unit.size())];
  }
  SweptAxes swept;
  points([&](const PointValues& point) {
    swept.see(point);
    for (auto& [path, of_path] : values)
      if (const std::string* value = value_at(point, path)) of_path.insert(*value);
  });
  axes_ = swept.several();
  for (const std::string& axis : axes_)
    if (std::string unit = common_unit(swept.values(axis)); !unit.empty()) unit_of_axis_[axis] = std::move(unit);
  for (Column& column : columns_) {
    column.unit = common_unit(values[column.path]);
    column.known = !values[column.path].empty();
    for (const std::string_view unit : setting_suffixes()) {
      if (column.known || !column.header.ends_with(unit)) continue;
      const std::string path = column.header.substr(0, column.header.size() - unit.size());
      if (common_unit(values[path]) == unit)
        column = {.header = column.header, .path = path, .unit = std::string(unit), .known = true};
    }
  }
  points([&](const PointValues& point) {
    for (Column& column : columns_) see(column, point);
  });
}

void ValueColumns::see(Column& column, const PointValues& point) {
  const std::string* value = value_at(point, column.path);
  if (value != nullptr && column.keys.insert(comparable(*value)).second) column.values.push_back(*value);
}

std::vector<std::string> ValueColumns::unknown() const {
  std::vector<std::string> unknown;
  for (const Column& column : columns_)
    if (!column.known) unknown.push_back(column.header);
  return unknown;
}

std::vector<std::string> ValueColumns::missing() const {
  std::vector<std::string> missing = axes_;
  std::erase_if(missing, [&](const std::string& axis) {
    return std::ranges::any_of(
        columns_, [&](const Column& column) { return column.path == axis || column.path.starts_with(axis + "."); });
  });
  return missing;
}

std::vector<std::string> ValueColumns::known() const {
  std::vector<std::string> known = axes_;
  for (const auto& [axis, unit] : unit_of_axis_) known.push_back(axis + unit);
  return known;
}

std::string ValueColumns::written(std::size_t column, const PointValues& point) const {
  const std::string* value = value_at(point, columns_[column].path);
  return value == nullptr ? std::string() : *value;
}

std::string ValueColumns::of_point(std::size_t column, const PointValues& point) const {
  return comparable(written(column, point));
}

std::string ValueColumns::of_cell(std::size_t column, const std::string& cell) const {
  const std::string& unit = columns_[column].unit;
  const auto bare = unit.empty() ? std::nullopt : number_of(cell);
  return bare ? key_of(*bare, unit) : comparable(cell);
}

Refusal ValueColumns::why_unmet(std::size_t column, const std::string& cell) const {
  constexpr std::size_t listed_max = 8;
  const Column& own = columns_[column];
  const bool words = std::ranges::none_of(
      own.values, [](const std::string& value) { return setting_quantity(value) || number_of(value); });
  if (words)
    return Refusal("'{}' is '{}', which no point has{}", own.header, shown(cell), known_names(cell, own.values));
  const std::string meant = !own.unit.empty() && number_of(cell)
                                ? fmt::format(" ({} {}, as it has no unit)", shown(cell), unit_of_suffix(own.unit))
                                : "";
  const std::string have = own.values.size() <= listed_max ? fmt::format("{}", fmt::join(own.values, ", "))
                                                           : fmt::format("{} values, {} to {}", own.values.size(),
                                                                         own.values.front(), own.values.back());
  return Refusal("'{}' is '{}'{}, which no point has (points have {}). Correct it, or add it to the sweep?", own.header,
                 shown(cell), meant, have);
}

}  // namespace orrery
