/// Columns of a table with values of the points of a sweep: the path of each, and the meaning of a cell.
///
///   kernel.message     64KiB, 65536B or 65536: a bare number is in the unit of the points' values, B, s, B/s, flop/s ...
///   kernel.message_B   the same, as table.csv and Python write it: the path, and the unit of its numbers
///
/// Values are compared as quantities if both are (64KiB and 65536B, 128 and 128.0), else as words.
///
/// Checked  tests/unit/study/own_predictions_test.cpp, measured_rows_test.cpp
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/core/refusal.hpp"
#include "sim/core/scenario_result.hpp"

namespace orrery {

/// The identity of a point: its values by path, and its settings within the sweep.
struct PointValues {
  const std::map<std::string, std::string>& flat;
  const Settings& settings;
};

/// Calls its argument once for every point.
using EachPoint = std::function<void(const std::function<void(const PointValues&)>&)>;

/// "128.0" and "128" become one text, "64KiB" and "65536B" too; words are unchanged.
std::string comparable(const std::string& value);

class ValueColumns {
 public:
  ValueColumns(const std::vector<std::string>& headers, const EachPoint& points);

  std::size_t size() const { return columns_.size(); }
  const std::string& header(std::size_t column) const { return columns_[column].header; }
  /// Columns that match no path of the points.
  std::vector<std::string> unknown() const;
  /// Axes of the sweep with several values; those of them without a column.
  const std::vector<std::string>& axes() const { return axes_; }
  std::vector<std::string> missing() const;
  /// Valid headings of a column: the axes, and those of quantities also with their unit.
  std::vector<std::string> known() const;

  /// The value of a point, and the content of a cell, in comparable form.
  std::string of_point(std::size_t column, const PointValues& point) const;
  std::string of_cell(std::size_t column, const std::string& cell) const;
  /// The value as written in the point.
  std::string written(std::size_t column, const PointValues& point) const;

  bool met(std::size_t column, const std::string& key) const { return columns_[column].keys.contains(key); }
  /// Why no point matches a cell: "'kernel.message' is '3KiB', which no point has (points have 1KiB, 2KiB)".
  Refusal why_unmet(std::size_t column, const std::string& cell) const;

 private:
  struct Column {
    std::string header, path;
    std::string unit = {};                 ///< "_B": unit of all values of the points; empty: no quantities
    std::set<std::string> keys = {};       ///< comparable values of the points
    std::vector<std::string> values = {};  ///< as written in the points, in their order
    bool known = false;
  };
  void see(Column& column, const PointValues& point);

  std::vector<Column> columns_;
  std::vector<std::string> axes_;
  std::map<std::string, std::string> unit_of_axis_;  ///< for axes of quantities
};

}  // namespace orrery
