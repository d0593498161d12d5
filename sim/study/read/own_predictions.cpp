#include "sim/study/read/own_predictions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

const std::string any = "*", run_word = "run";
constexpr const char *phase_column = "phase", *time_column = "time", *seconds_column = "time_s", *low_column = "low_s",
                     *high_column = "high_s", *repetitions_column = "repetitions";
constexpr double time_most = 1e9;

bool is_own(const std::string& column) {
  return column == phase_column || column == time_column || column == seconds_column || column == low_column ||
         column == high_column || column == repetitions_column;
}

/// The value of a path: a scalar of the point, or the label of an axis whose values are sections.
std::string value_of(const PointValues& point, const std::string& path) {
  for (const auto& [key, value] : point.settings)
    if (key == path) return value;
  const auto found = point.flat.find(path);
  return found == point.flat.end() ? std::string() : found->second;
}

bool knows(const PointValues& point, const std::string& path) {
  const auto is_path = [&](const auto& setting) { return setting.first == path; };
  return point.flat.contains(path) || std::ranges::any_of(point.settings, is_path);
}

/// Axes of the sweep that have several values.
class SweptAxes {
 public:
  void see(const PointValues& point) {
    for (const auto& [key, value] : point.settings) {
      if (!values_.contains(key)) axes_.push_back(key);
      values_[key].insert(value);
    }
  }
  std::vector<std::string> several() {
    std::erase_if(axes_, [&](const std::string& axis) { return values_[axis].size() < 2; });
    return axes_;
  }

 private:
  std::vector<std::string> axes_;
  std::map<std::string, std::set<std::string>> values_;
};

Seconds time_of(const DataTable& table, const DataTable::Row& row) {
  if (table.has(seconds_column)) return Seconds(table.required(row, seconds_column, 0.0, time_most));
  const std::string text = table.text(row, time_column).value_or("");
  const auto parsed = parse_quantity(text, Dimension::time);
  if (!parsed.si) throw InputError(fmt::format("{}: 'time' is '{}' {}", row.where, text, parsed.problem));
  if (!(*parsed.si >= 0.0 && *parsed.si <= 1e9))
    throw InputError(fmt::format("{}: 'time' is '{}', outside 0s..1e9s. Correct it?", row.where, text));
  return Seconds(*parsed.si);
}

/// The interval has the time in it; what is rounded as it is written down may lie at its edge.
void check_interval(const DataTable& table, const DataTable::Row& row, Seconds time) {
  constexpr double rounding = 1e-3;
  const auto low = table.number(row, low_column, 0.0, time_most), high = table.number(row, high_column, 0.0, time_most);
  if (low && *low > time.si() * (1.0 + rounding))
    throw InputError(fmt::format("{}: '{}' is {:g}, above the time of {:g} (low_s <= time <= high_s). Correct it?",
                                 row.where, low_column, *low, time.si()));
  if (high && *high < time.si() * (1.0 - rounding))
    throw InputError(fmt::format("{}: '{}' is {:g}, below the time of {:g} (low_s <= time <= high_s). Correct it?",
                                 row.where, high_column, *high, time.si()));
  if (const auto count = table.whole(row, repetitions_column, 1'000'000'000); count && *count == 0)
    throw InputError(fmt::format("{}: '{}' is 0 (at least 1). Correct it?", row.where, repetitions_column));
}

}  // namespace

std::string comparable(const std::string& value) {
  for (const auto& [dimension, unit] : {std::pair{Dimension::scalar, ""},
                                        {Dimension::data, "B"},
                                        {Dimension::time, "s"},
                                        {Dimension::bandwidth, "B/s"}})
    if (const auto parsed = parse_quantity(value, dimension); parsed.si)
      return fmt::format("{:.15g}{}", *parsed.si, unit);
  return value;
}

bool OwnPredictions::Time::of_run() const { return phase == run_word; }

OwnPredictions::OwnPredictions(DataTable table, const EachPoint& points, Covers covers) : file_(table.name) {
  for (const auto& note : table.notes) notes_.push_back(file_ + ": " + note);
  for (const auto& column : table.columns)
    if (!is_own(column)) paths_.push_back(column);
  require_columns(table, points);
  read_rows(table);
  require_one_row_each(points, covers);
}

void OwnPredictions::require_columns(const DataTable& table, const EachPoint& points) const {
  SweptAxes swept;
  std::set<std::string> unknown(paths_.begin(), paths_.end());
  points([&](const PointValues& point) {
    swept.see(point);
    std::erase_if(unknown, [&](const std::string& path) { return knows(point, path); });
  });
  const auto axes = swept.several();
  std::vector<std::string> known = axes;
  known.insert(known.end(), {phase_column, time_column, seconds_column});
  for (const auto& path : paths_)
    if (unknown.contains(path))
      throw InputError(fmt::format("{}: no point has a value '{}'{}", file_, path, known_names(path, known)));
  for (const auto& axis : axes)
    if (std::ranges::none_of(paths_, [&](const auto& p) { return p == axis || p.starts_with(axis + "."); }))
      throw InputError(fmt::format(
          "{}: no column '{}' (an axis of the sweep; '*' in its cells means whatever it is). Add it?", file_, axis));
  const bool words = table.has(time_column), seconds = table.has(seconds_column);
  if (words == seconds)
    throw InputError(fmt::format("{}: {} (one of 'time', with units, and 'time_s'). {} it?", file_,
                                 words ? "columns 'time' and 'time_s'" : "no column 'time'", words ? "Remove" : "Add"));
}

void OwnPredictions::read_rows(const DataTable& table) {
  for (const auto& row : table.rows) {
    const std::string phase = table.has(phase_column) ? table.text(row, phase_column).value_or("") : "";
    Row read{{time_of(table, row), phase, row.where}, {}};
    check_interval(table, row, read.time.time);
    std::vector<bool> said;
    Key key;
    for (const auto& path : paths_) {
      const auto cell = table.text(row, path);  // nothing for an empty cell and for '*'
      read.key.push_back(cell ? comparable(*cell) : any);
      said.push_back(cell.has_value());
      if (cell) key.push_back(read.key.back());
    }
    auto& alike = by_cells_[said][key];
    for (const std::size_t other : alike)
      if (rows_[other].time.phase == phase)
        throw InputError(fmt::format("{}: says again what {} says ({}). Remove one?", row.where,
                                     rows_[other].time.where, fmt::join(row.cells, ",")));
    if (std::ranges::find(phases_, phase) == phases_.end()) phases_.push_back(phase);
    alike.push_back(rows_.size());
    rows_.push_back(std::move(read));
  }
}

std::vector<const OwnPredictions::Row*> OwnPredictions::rows_of(const PointValues& point) const {
  Key values;
  for (const auto& path : paths_) values.push_back(comparable(value_of(point, path)));
  std::vector<const Row*> found;
  for (const auto& [said, rows] : by_cells_) {
    Key key;
    for (std::size_t i = 0; i < said.size(); ++i)
      if (said[i]) key.push_back(values[i]);
    if (const auto alike = rows.find(key); alike != rows.end())
      for (const std::size_t row : alike->second) found.push_back(&rows_[row]);
  }
  std::ranges::sort(found);  // in the order of the file
  return found;
}

std::string OwnPredictions::point_text(const PointValues& point) const {
  std::string text;
  for (const auto& path : paths_) text += fmt::format("{}{}={}", text.empty() ? "" : ", ", path, value_of(point, path));
  return text.empty() ? "the only one" : text;
}

void OwnPredictions::require_one_row_each(const EachPoint& points, Covers covers) {
  std::set<const Row*> met;
  points([&](const PointValues& point) {
    std::map<std::string, const Row*> by_phase;
    for (const Row* row : rows_of(point)) {
      met.insert(row);
      const auto [known, added] = by_phase.emplace(row->time.phase, row);
      if (!added)
        throw InputError(fmt::format("{}: is about a point that {} is about ({}). Narrow one?", row->time.where,
                                     known->second->time.where, point_text(point)));
    }
    for (const auto& phase : phases_)
      if (covers == Covers::every_point && !by_phase.contains(phase))
        throw InputError(fmt::format("{}: no row for point {}{} (every point has one). Add it, or narrow the sweep?",
                                     file_, point_text(point), phase.empty() ? "" : ", phase " + phase));
  });
  unused_ = rows_.size() - met.size();
}

std::vector<OwnPredictions::Time> OwnPredictions::times(const PointValues& point) const {
  std::vector<Time> times;
  const auto rows = rows_of(point);
  for (const auto& phase : phases_)
    for (const Row* row : rows)
      if (row->time.phase == phase) times.push_back(row->time);
  return times;
}

void OwnPredictions::require_phase(const std::string& compared, const std::vector<std::string>& others) const {
  std::vector<std::string> known{compared, run_word};
  for (const auto& other : others)
    if (std::ranges::find(known, other) == known.end()) known.push_back(other);
  for (const Row& row : rows_)
    if (!row.time.phase.empty() && std::ranges::find(known, row.time.phase) == known.end())
      throw InputError(fmt::format("{}: nothing is compared with phase '{}'{}", row.time.where, row.time.phase,
                                   known_names(row.time.phase, known)));
}

}  // namespace orrery
