#include "sim/config/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "sim/config/files.hpp"
#include "sim/config/formats/known_formats.hpp"
#include "sim/core/error.hpp"

namespace orrery::config {

namespace {

std::string trimmed(const std::string& cell) {
  const auto first = cell.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return cell.substr(first, cell.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string> cells_of(const std::string& line, const std::string& where) {
  std::vector<std::string> cells;
  std::string cell;
  bool quoted = false, was_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quoted) {
      if (line[i] != '"')
        cell += line[i];
      else if (i + 1 < line.size() && line[i + 1] == '"')
        cell += line[i++];
      else
        quoted = false;
    } else if (line[i] == '"' && trimmed(cell).empty()) {
      cell.clear();
      quoted = was_quoted = true;
    } else if (line[i] == ',') {
      cells.push_back(was_quoted ? cell : trimmed(cell));
      cell.clear();
      was_quoted = false;
    } else if (!was_quoted || (line[i] != ' ' && line[i] != '\t')) {
      cell += line[i];
    }
  }
  if (quoted) throw InputError("{}: a quote is never closed (quotes come in pairs). Close it?", where);
  cells.push_back(was_quoted ? cell : trimmed(cell));
  return cells;
}

void require_unique(const std::vector<std::string>& columns, const std::string& where) {
  for (auto column = columns.begin(); column != columns.end(); ++column) {
    if (column->empty())
      throw InputError("{}: column {} has no name (the header names every column). Name it?", where,
                       column - columns.begin() + 1);
    if (std::find(columns.begin(), column, *column) != column)
      throw InputError("{}: column '{}' appears twice (names are unique). Remove one?", where, *column);
  }
}

}  // namespace

DataTable parse_csv(const std::string& text, const std::string& file) {
  constexpr std::string_view note = "# note:";
  DataTable table{.name = file, .columns = {}, .rows = {}};
  std::istringstream lines(text);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    const std::string where = fmt::format("{}:{}", file, number);
    if (line.ends_with('\r')) line.pop_back();
    if (line.starts_with(note)) table.notes.push_back(trimmed(line.substr(note.size())));
    if (trimmed(line).empty() || line.starts_with('#')) continue;
    auto cells = cells_of(line, where);
    if (table.columns.empty()) {
      if (cells.size() == 1 && line.find(';') != std::string::npos)
        throw InputError(
            "{}: columns are separated by ';' (by ',' here, and decimals by '.'). Save it with "
            "commas?",
            where);
      require_unique(cells, where);
      table.columns = std::move(cells);
      continue;
    }
    if (cells.size() != table.columns.size())
      throw InputError("{}: {} cells, but the header names {} columns. Complete the line?", where, cells.size(),
                       table.columns.size());
    table.rows.push_back({where, std::move(cells)});
  }
  if (table.rows.empty())
    throw InputError("{}: no rows (a header and at least one row are needed). Is the file cut off?", file);
  return table;
}

DataTable rows_of(const Value& list) {
  DataTable table{.name = list.where(), .columns = {}, .rows = {}};
  for (const auto& item : list.list()) {
    std::vector<std::string> cells(table.columns.size());
    for (const auto& [key, value] : item.section().items()) {
      const auto found = std::find(table.columns.begin(), table.columns.end(), key);
      const auto column = static_cast<std::size_t>(found - table.columns.begin());
      if (found == table.columns.end()) {
        table.columns.push_back(key);
        cells.emplace_back();
      }
      cells[column] = value.text();
    }
    table.rows.push_back({item.where(), std::move(cells)});
  }
  for (auto& row : table.rows) row.cells.resize(table.columns.size());
  if (table.rows.empty()) list.refuse("without rows (at least one). Add one?");
  return table;
}

DataTable read_csv(const std::string& file) {
  const std::string text = read_file(file);
  refuse_other_format(text, file, "a table of comma-separated values", {"csv"});
  return parse_csv(text, file);
}

}  // namespace orrery::config
