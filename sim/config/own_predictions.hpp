/// Times of the points in a CSV: a researcher's own predictions, as a model of the scenario next to those of the
/// catalogue, or measurements.
///
///   models: [taulop, {name: mine, predictions: my.csv}]
///   measured: measured.csv                                  # as orrery-mpi writes it (validation/mpi)
///
///   network,kernel.blocks,phase,time
///   infiniband,128,communication,85.2ms
///   infiniband,128,run,1.3s
///   ethernet,*,communication,0.4s
///
///   <path>   a value of the points by its path, as in `sweep`, also with the unit of its numbers at the end
///            (value_columns.hpp); every axis of the sweep that has several values needs its column ('kernel.name' and
///            'kernel.blocks' will do for the axis 'kernel'). Empty or '*': whatever it is
///   phase    the compared phase (also where the column is missing or the cell is empty), or 'run': the whole run; of
///            measured times any phase of the run
///   time     with a unit; or time_s, time_ms, time_us, time_ns
///   low_s, high_s, repetitions   how sure a measured time is (also in ms, us, ns): checked, and for who reads the file
///   # note: ...                  stands under the tables, as that of orrery-mpi on ranks that ran elsewhere
///
/// Every point has one row for each phase in the file; with measured times, points may have none. Rows that match no
/// point are counted, with the reason for the first; measured times without any matching row are refused. Wrong input
/// is an InputError "file:line: ...".
///
/// Checked  tests/unit/study/own_predictions_test.cpp, measured_rows_test.cpp
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/config/value_columns.hpp"
#include "sim/core/data_table.hpp"
#include "sim/core/refusal.hpp"
#include "sim/core/units.hpp"

namespace orrery {

class OwnPredictions {
 public:
  enum class Covers : std::uint8_t { every_point, some_points };

  /// A time of the compared phase, or of the run.
  struct Time {
    Seconds time;
    std::string phase;  ///< as in the file; "" for the compared phase
    std::string where;

    bool of_run() const;
  };

  /// Throws InputError for columns of no point, for axes without a column, for invalid times, for duplicate rows, for
  /// points without a row, and if no row matches a point.
  OwnPredictions(DataTable table, const EachPoint& points, Covers covers = Covers::every_point);

  /// In order of first appearance of their phases in the file.
  std::vector<Time> times(const PointValues& point) const;

  /// Throws InputError at a row with a phase other than the compared one and `others`.
  void require_phase(const std::string& compared, const std::vector<std::string>& others = {}) const;

  /// "file: ..." of each of the file's notes.
  const std::vector<std::string>& notes() const { return notes_; }
  /// Rows that match no point: their number, the first, and the reason. Empty: every row matches one.
  const std::string& unused() const { return unused_; }
  /// The first row of the compared phase without a phase name; empty if all rows name their phase.
  std::optional<std::string> without_phase() const;

 private:
  struct Row {
    Time time;
    std::vector<std::string> cells;  ///< [columns_] as written; empty for any
  };
  using Key = std::vector<std::string>;

  void require_columns(const DataTable& table) const;
  void read_rows(const DataTable& table);
  std::vector<const Row*> rows_of(const PointValues& point) const;
  void require_one_row_each(const EachPoint& points, Covers covers);
  void see_unused(const std::set<const Row*>& met);
  Refusal why_unused(const Row& row) const;
  std::string point_text(const PointValues& point) const;

  std::string file_;
  std::vector<std::string> notes_;
  ValueColumns columns_;             ///< columns with values of points
  std::vector<std::string> phases_;  ///< in order of first appearance
  std::vector<Row> rows_;
  /// Rows by the set of cells that are not empty, then by these cells: one look-up per set, for any number of rows.
  std::map<std::vector<bool>, std::map<Key, std::vector<std::size_t>>> by_cells_;
  std::string unused_;
};

}  // namespace orrery
