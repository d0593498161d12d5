/// A table of parameters as a user wrote it, in a CSV or YAML file, with the place of each row for messages.
///
///   for (const auto& row : table.rows) speed = table.number(row, "speed_flop_per_s", 0.0, 1e21);
///
/// Cells stay text until a function reads them. An empty cell, or '*', has no value: the fallback applies.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

struct DataTable {
  struct Row {
    std::string where;  ///< "dahu.csv:12", "file.yaml:7:5"
    std::vector<std::string> cells;
  };
  std::string name;  ///< the file
  std::vector<std::string> columns;
  std::vector<Row> rows;
  std::vector<std::string> notes = {};  ///< from lines "# note: ...", for users of the file

  bool has(std::string_view column) const;
  /// Nothing where the table has no such column or the cell is empty.
  std::optional<std::string> text(const Row& row, std::string_view column) const;
  /// Throws InputError "where: 'column' is 'x' (a number from a to b). Correct it?"; `required` when the cell is empty.
  std::optional<double> number(const Row& row, std::string_view column, double minimum, double maximum) const;
  double required(const Row& row, std::string_view column, double minimum, double maximum) const;
  std::optional<unsigned> whole(const Row& row, std::string_view column, unsigned maximum) const;

  /// Throws InputError at the first column that is not one of `known`.
  void require_known(const std::vector<std::string>& known) const;
};

}  // namespace orrery
