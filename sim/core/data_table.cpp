#include "sim/core/bound_text.hpp"
#include "sim/core/data_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

bool DataTable::has(std::string_view column) const {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

std::optional<std::string> DataTable::text(const Row& row, std::string_view column) const {
  const auto found = std::find(columns.begin(), columns.end(), column);
  if (found == columns.end()) return std::nullopt;
  const std::string& cell = row.cells[static_cast<std::size_t>(found - columns.begin())];
  if (cell.empty() || cell == "*") return std::nullopt;
  return cell;
}

std::optional<double> DataTable::number(const Row& row, std::string_view column, double minimum, double maximum) const {
  const auto cell = text(row, column);
  if (!cell) return std::nullopt;
  double value = 0.0;
  const auto [rest, status] = std::from_chars(cell->data(), cell->data() + cell->size(), value);
  if (status != std::errc() || rest != cell->data() + cell->size() || !std::isfinite(value) || value < minimum ||
      value > maximum)
    throw InputError("{}: '{}' is '{}' (a number from {} to {}). Correct it?", row.where, column, *cell,
                     bound_text(minimum), bound_text(maximum));
  return value;
}

double DataTable::required(const Row& row, std::string_view column, double minimum, double maximum) const {
  const auto value = number(row, column, minimum, maximum);
  if (!value)
    throw InputError("{}: no '{}' (a number from {} to {}). Add it?", row.where, column, bound_text(minimum),
                     bound_text(maximum));
  return *value;
}

std::optional<unsigned> DataTable::whole(const Row& row, std::string_view column, unsigned maximum) const {
  const auto value = number(row, column, 0.0, maximum);
  if (!value) return std::nullopt;
  if (*value != std::floor(*value))
    throw InputError("{}: '{}' is '{}' (a whole number). Write '{:.0f}'?", row.where, column, *text(row, column),
                     *value);
  return static_cast<unsigned>(*value);
}

void DataTable::require_known(const std::vector<std::string>& known) const {
  for (const auto& column : columns)
    if (std::find(known.begin(), known.end(), column) == known.end())
      throw InputError("{}: unknown column '{}'{}", name, column, known_names(column, known));
}

}  // namespace orrery
