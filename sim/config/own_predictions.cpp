#include "sim/config/own_predictions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <iterator>
#include <set>

#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

const std::string run_word = "run";
constexpr const char *phase_column = "phase", *time_column = "time", *low_column = "low", *high_column = "high",
                     *repetitions_column = "repetitions";
constexpr double time_most = 1e9;

/// What a column of times may have at its end.
struct TimeUnit {
  const char* suffix;
  double si;
};
constexpr TimeUnit time_units[] = {{"_s", 1.0}, {"_ms", 1e-3}, {"_us", 1e-6}, {"_ns", 1e-9}};

/// The column "time_us" of a table's times, and its unit.
struct TimeColumn {
  std::string name;
  double si = 1.0;

  std::optional<double> of(const DataTable& table, const DataTable::Row& row) const {
    const auto value = table.number(row, name, 0.0, time_most / si);
    return value ? std::optional(*value * si) : std::nullopt;
  }
};

/// Those that the table has.
std::vector<TimeColumn> time_columns(const DataTable& table, const std::string& of) {
  std::vector<TimeColumn> found;
  for (const auto& [suffix, si] : time_units)
    if (table.has(of + suffix)) found.push_back({of + suffix, si});
  return found;
}

bool is_own(const std::string& column) {
  if (column == phase_column || column == time_column || column == repetitions_column) return true;
  return std::ranges::any_of(time_units, [&](const TimeUnit& unit) {
    return column == std::string(time_column) + unit.suffix || column == std::string(low_column) + unit.suffix ||
           column == std::string(high_column) + unit.suffix;
  });
}

std::vector<std::string> headers_of_values(const DataTable& table) {
  std::vector<std::string> headers;
  std::ranges::copy_if(table.columns, std::back_inserter(headers), std::not_fn(is_own));
  return headers;
}

constexpr const char* known_times = "'time', with units, or one of 'time_s', 'time_ms', 'time_us', 'time_ns'";

Seconds time_of(const DataTable& table, const DataTable::Row& row) {
  if (const auto columns = time_columns(table, time_column); !columns.empty()) {
    table.required(row, columns.front().name, 0.0, time_most / columns.front().si);
    return Seconds(*columns.front().of(table, row));
  }
  const std::string text = table.text(row, time_column).value_or("");
  const auto parsed = parse_quantity(text, Dimension::time);
  if (!parsed.si && parse_quantity(text, Dimension::scalar).si)
    throw InputError(
        "{}: 'time' is '{}' without a unit ({}). Call the column 'time_s', 'time_ms', 'time_us' or "
        "'time_ns'?",
        row.where, text, unit_names(Dimension::time));
  if (!parsed.si) throw InputError("{}: 'time' is '{}' {}", row.where, text, parsed.problem);
  if (!(*parsed.si >= 0.0 && *parsed.si <= time_most))
    throw InputError("{}: 'time' is '{}', outside 0s..1e9s. Correct it?", row.where, text);
  return Seconds(*parsed.si);
}

/// The interval has the time in it; what is rounded as it is written down may lie at its edge.
void check_interval(const DataTable& table, const DataTable::Row& row, Seconds time) {
  constexpr double rounding = 1e-3;
  for (const TimeColumn& low : time_columns(table, low_column))
    if (const auto value = low.of(table, row); value && *value > time.si() * (1.0 + rounding))
      throw InputError("{}: '{}' is {:g}, above the time of {:g} (low <= time <= high). Correct it?", row.where,
                       low.name, *value / low.si, time.si() / low.si);
  for (const TimeColumn& high : time_columns(table, high_column))
    if (const auto value = high.of(table, row); value && *value < time.si() * (1.0 - rounding))
      throw InputError("{}: '{}' is {:g}, below the time of {:g} (low <= time <= high). Correct it?", row.where,
                       high.name, *value / high.si, time.si() / high.si);
  if (const auto count = table.whole(row, repetitions_column, 1'000'000'000); count && *count == 0)
    throw InputError("{}: '{}' is 0 (at least 1). Correct it?", row.where, repetitions_column);
}

/// A column that nobody knows, and that may be meant as one of times: a guess of its unit would be wrong by a thousand.
bool seems_of_times(const std::string& column) {
  std::string lower = column;
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::any_of(std::array{"time", "latency", "usec", "sec", "t_", "t("}, [&](const char* word) {
    return lower.starts_with(word) || (lower.find(word) != std::string::npos && std::string_view(word).size() > 3);
  });
}

}  // namespace

bool OwnPredictions::Time::of_run() const { return phase == run_word; }

OwnPredictions::OwnPredictions(DataTable table, const EachPoint& points, Covers covers)
    : file_(table.name), columns_(headers_of_values(table), points) {
  for (const auto& note : table.notes) notes_.push_back(file_ + ": " + note);
  require_columns(table);
  read_rows(table);
  require_one_row_each(points, covers);
}

void OwnPredictions::require_columns(const DataTable& table) const {
  auto times = time_columns(table, time_column);
  if (table.has(time_column)) times.insert(times.begin(), {time_column, 1.0});
  for (const auto& column : columns_.unknown()) {
    if (times.empty() && seems_of_times(column))
      throw InputError("{}: '{}' is no column of times ({}). Rename it?", file_, column, known_times);
    std::vector<std::string> known = columns_.known();
    known.insert(known.end(), {phase_column, time_column});
    for (const TimeUnit& unit : time_units) known.push_back(std::string(time_column) + unit.suffix);
    throw InputError("{}: no point has a value '{}'{}", file_, column, known_names(column, known));
  }
  for (const auto& axis : columns_.missing())
    throw InputError("{}: no column '{}' (an axis of the sweep; '*' in its cells means whatever it is). Add it?", file_,
                     axis);
  if (times.empty()) throw InputError("{}: no column of times ({}). Add it?", file_, known_times);
  if (times.size() > 1)
    throw InputError("{}: columns '{}' and '{}' ({}). Remove one?", file_, times[0].name, times[1].name, known_times);
}

void OwnPredictions::read_rows(const DataTable& table) {
  for (const auto& row : table.rows) {
    const std::string phase = table.has(phase_column) ? table.text(row, phase_column).value_or("") : "";
    Row read{{time_of(table, row), phase, row.where}, {}};
    check_interval(table, row, read.time.time);
    std::vector<bool> said;
    Key key;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const auto cell = table.text(row, columns_.header(c));  // nothing for an empty cell and for '*'
      read.cells.push_back(cell.value_or(""));
      said.push_back(cell.has_value());
      if (cell) key.push_back(columns_.of_cell(c, *cell));
    }
    auto& alike = by_cells_[said][key];
    for (const std::size_t other : alike)
      if (rows_[other].time.phase == phase)
        throw InputError("{}: says again what {} says ({}). Remove one?", row.where, rows_[other].time.where,
                         fmt::join(row.cells, ","));
    if (std::ranges::find(phases_, phase) == phases_.end()) phases_.push_back(phase);
    alike.push_back(rows_.size());
    rows_.push_back(std::move(read));
  }
}

std::vector<const OwnPredictions::Row*> OwnPredictions::rows_of(const PointValues& point) const {
  Key values;
  for (std::size_t c = 0; c < columns_.size(); ++c) values.push_back(columns_.of_point(c, point));
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
  for (std::size_t c = 0; c < columns_.size(); ++c)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", columns_.header(c), columns_.written(c, point));
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
        throw InputError("{}: is about a point that {} is about ({}). Narrow one?", row->time.where,
                         known->second->time.where, point_text(point));
    }
    for (const auto& phase : phases_)
      if (covers == Covers::every_point && !by_phase.contains(phase))
        throw InputError("{}: no row for point {}{} (every point has one). Add it, or narrow the sweep?", file_,
                         point_text(point), phase.empty() ? "" : ", phase " + phase);
  });
  see_unused(met);
}

void OwnPredictions::see_unused(const std::set<const Row*>& met) {
  const auto first = std::ranges::find_if(rows_, [&](const Row& row) { return !met.contains(&row); });
  if (first == rows_.end()) return;
  const std::size_t unused = rows_.size() - met.size();
  if (met.empty())
    throw InputError("{}: {}{}", first->time.where, unused > 1 ? "no row is about a point. Here " : "",
                     why_unused(*first));
  unused_ = fmt::format("{}: {} of {} rows {} about no point and {} not used. {}: {}", file_, unused, rows_.size(),
                        unused == 1 ? "is" : "are", unused == 1 ? "is" : "are", first->time.where, why_unused(*first));
}

Refusal OwnPredictions::why_unused(const Row& row) const {
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (!row.cells[c].empty() && !columns_.met(c, columns_.of_cell(c, row.cells[c])))
      return columns_.why_unmet(c, row.cells[c]);
  std::string together;
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (!row.cells[c].empty())
      together += fmt::format("{}{}={}", together.empty() ? "" : ", ", columns_.header(c), row.cells[c]);
  return Refusal("no point has these values together ({}). Correct one, or add the point?", together);
}

std::optional<std::string> OwnPredictions::without_phase() const {
  const auto found = std::ranges::find_if(rows_, [](const Row& row) { return row.time.phase.empty(); });
  return found == rows_.end() ? std::nullopt : std::optional(found->time.where);
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
      throw InputError("{}: nothing is compared with phase '{}'{}", row.time.where, row.time.phase,
                       known_names(row.time.phase, known));
}

}  // namespace orrery
