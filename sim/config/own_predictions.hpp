/// Times of the points in a CSV: a researcher's own predictions, as a model of the scenario beside those of the
/// catalogue, or what was measured.
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
/// Every point has one row for each phase that the file names; of measured times points may have none. Rows that no
/// point meets are counted, and the first says why; measured times of which no row meets a point are refused. Wrong
/// input is an InputError "file:line: ...".
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

  /// A time for the compared phase, or for the run.
  struct Time {
    Seconds time;
    std::string phase;  ///< as the file has it; "" for the compared phase
    std::string where;

    bool of_run() const;
  };

  /// Throws InputError for columns that no point knows, for axes without one, for times that are none, for rows that
  /// say the same twice, for points without a row, and where no row meets a point.
  OwnPredictions(DataTable table, const EachPoint& points, Covers covers = Covers::every_point);

  /// In order of first appearance of their phases in the file.
  std::vector<Time> times(const PointValues& point) const;

  /// Throws InputError at a row about another phase than the compared one and these others.
  void require_phase(const std::string& compared, const std::vector<std::string>& others = {}) const;

  /// "file: ..." of each of the file's notes.
  const std::vector<std::string>& notes() const { return notes_; }
  /// Rows that no point meets: how many, the first, and why. Empty: every row meets one.
  const std::string& unused() const { return unused_; }
  /// The first row about the compared phase that does not say so; nothing where all name their phase.
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
  ValueColumns columns_;             ///< those that are values of points
  std::vector<std::string> phases_;  ///< in order of first appearance
  std::vector<Row> rows_;
  /// Rows by which of their cells say something, then by these: a look-up for each such set, however many the rows.
  std::map<std::vector<bool>, std::map<Key, std::vector<std::size_t>>> by_cells_;
  std::string unused_;
};

}  // namespace orrery
