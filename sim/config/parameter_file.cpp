#include "sim/config/parameter_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>

#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"

namespace orrery::config {

namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

void append_table(std::string& text, const ParameterTable& table) {
  text += fmt::format("      - name: {}\n", table.name);
  if (!table.labels.empty()) {
    std::vector<std::string> labels;
    for (const auto& [name, value] : table.labels) labels.push_back(name + ": " + quoted(value));
    text += fmt::format("        labels: {{{}}}\n", fmt::join(labels, ", "));
  }
  text += fmt::format("        columns: [{}]\n        rows:\n", fmt::join(table.columns, ", "));
  for (const auto& row : table.rows) text += fmt::format("          - [{}]\n", fmt::join(row, ", "));
}

void append_matrix(std::string& text, const ParameterMatrix& matrix) {
  text += fmt::format("      - name: {}\n        unit: {}\n        rows: {}\n        values:\n", matrix.name,
                      matrix.unit, matrix_rows_word(matrix.rows));
  for (const auto& row : matrix.values) text += fmt::format("          - [{}]\n", fmt::join(row, ", "));
}

/// Suffixes of the units that a column may end in.
bool names_a_unit(const std::string& column) {
  return std::ranges::any_of(std::initializer_list<const char*>{"_s", "_B", "_s_per_B", "_B_per_s", "_per_s", "_flop"},
                             [&](const char* unit) { return column.ends_with(unit); });
}

/// What a number of a column may be, by its unit.
struct Range {
  double least, most;
  const char* unit;
};

Range range_of(const ParameterTable& table, const std::string& column) {
  if (column.ends_with("_s_per_B")) return {0.0, 1.0, "s/B"};
  if (column.ends_with("_B_per_s")) return {0.0, 1e18, "B/s"};
  if (column.ends_with("_per_s")) return {0.0, 1e18, "1/s"};
  if (column.ends_with("_flop")) return {0.0, 1e18, "flop"};
  if (column.ends_with("_B")) return {0.0, 1e18, "B"};
  // tau-Lop's L through a network is what copies at the ends leave of a measured time, and may fall below zero.
  const auto channel = table.labels.find("channel");
  const bool remainder = column.starts_with("L") && channel != table.labels.end() && channel->second == "network";
  return {remainder ? -1000.0 : 0.0, 1000.0, "s"};
}

/// Throws InputError where a number is outside its range, or sizes of messages do not ascend down the rows.
void check_number(const std::string& model, const ParameterTable& table, std::size_t column, double number,
                  const std::string& where) {
  const std::string& name = table.columns[column];
  const auto refuse = [&](const std::string& rule) {
    throw InputError(fmt::format("{}: {}, table '{}': '{}' is {:g} ({}). Correct it?", where, model, table.name, name,
                                 number, rule));
  };
  const Range range = range_of(table, name);
  if (!(number >= range.least && number <= range.most))
    refuse(fmt::format("{:g}..{:g} {}", range.least, range.most, range.unit));
  if (name == "message_B" && !table.rows.empty() && !(number > table.rows.back()[column]))
    refuse(fmt::format("more than {:g} of the row before", table.rows.back()[column]));
}

/// Throws InputError unless the least size of a table that has one is at most its largest.
void check_sizes(const std::string& model, const ParameterTable& table, const std::vector<double>& row,
                 const std::string& where) {
  const auto at = [&](const char* column) {
    const auto found = std::ranges::find(table.columns, column);
    return found == table.columns.end() ? std::nullopt
                                        : std::optional(row[static_cast<std::size_t>(found - table.columns.begin())]);
  };
  const auto least = at("message_min_B"), largest = at("message_max_B");
  if (least && largest && *least > *largest)
    throw InputError(
        fmt::format("{}: {}, table '{}': 'message_min_B' is {:g} (at most 'message_max_B', {:g}). Exchange the two?",
                    where, model, table.name, *least, *largest));
}

ParameterTable read_table(const std::string& model, const Value& value) {
  Section section = value.section();
  ParameterTable table{.name = section.text("name"), .labels = {}, .columns = {}, .rows = {}, .where = section.where()};
  if (const auto labels = section.optional_section("labels"))
    for (const auto& [name, label] : labels->items()) table.labels[name] = label.text();
  for (const auto& column : section.list("columns")) {
    table.columns.push_back(column.text());
    if (!names_a_unit(table.columns.back()))
      column.refuse(fmt::format("without a unit at its end (_s, _B, _s_per_B, _B_per_s, _per_s, _flop). Write '{}_s'?",
                                table.columns.back()));
  }
  for (const auto& row : section.list("rows")) {
    std::vector<double> numbers;
    const auto cells = row.list();
    numbers.reserve(cells.size());
    for (const auto& cell : cells) numbers.push_back(cell.number());
    if (numbers.size() != table.columns.size())
      throw InputError(fmt::format("{}: the row has {} numbers for {} columns ({}). Complete it?", row.where(),
                                   numbers.size(), table.columns.size(), fmt::join(table.columns, ", ")));
    for (std::size_t column = 0; column < numbers.size(); ++column)
      check_number(model, table, column, numbers[column], cells[column].where());
    check_sizes(model, table, numbers, row.where());
    table.rows.push_back(std::move(numbers));
  }
  section.finish();
  return table;
}

/// Units of matrices, with the greatest number that each may hold.
struct MatrixUnit {
  const char* name;
  double most;
};
constexpr std::array matrix_units{MatrixUnit{"s", 1000.0}, MatrixUnit{"s/B", 1.0},  MatrixUnit{"B", 1e18},
                                  MatrixUnit{"B/s", 1e18}, MatrixUnit{"1/s", 1e18}, MatrixUnit{"1", 1e18}};

ParameterMatrix read_matrix(const std::string& model, const Value& value) {
  const Section section = value.section();
  ParameterMatrix matrix{.name = section.text("name"), .unit = {}, .values = {}, .where = section.where()};
  std::vector<std::string> units;
  units.reserve(matrix_units.size());
  for (const auto& unit : matrix_units) units.emplace_back(unit.name);
  const MatrixUnit& unit = matrix_units[section.value("unit").choice(units)];
  matrix.unit = unit.name;
  matrix.rows =
      static_cast<MatrixRows>(section.value("rows").choice({matrix_rows_words.begin(), matrix_rows_words.end()}));
  const auto rows = section.list("values");
  for (const auto& row : rows) {
    const auto cells = row.list();
    if (cells.size() != rows.size())
      throw InputError(fmt::format("{}: {}, matrix '{}': row {} of {} has {} numbers (square: {}). Complete it?",
                                   row.where(), model, matrix.name, matrix.values.size(), rows.size(), cells.size(),
                                   rows.size()));
    auto& numbers = matrix.values.emplace_back();
    matrix.row_where.push_back(row.where());
    for (const auto& cell : cells) {
      numbers.push_back(cell.number());
      if (!(numbers.back() >= 0.0 && numbers.back() <= unit.most))
        throw InputError(fmt::format("{}: {}, matrix '{}': from {} to {} it is {:g} (0..{:g} {}). Correct it?",
                                     cell.where(), model, matrix.name, matrix.values.size() - 1, numbers.size() - 1,
                                     numbers.back(), unit.most, unit.name));
    }
  }
  if (matrix.values.empty())
    section.refuse("values", "the matrix has no rows (one for each node, host or core). Add them?");
  section.finish();
  return matrix;
}

std::vector<ModelParameters> read(const Document& document) {
  Section file = document.root();
  const std::string platform = file.text("platform"), network = file.text("network");
  std::vector<ModelParameters> sets;
  for (const auto& [model, value] : file.section("models").items()) {
    Section section = value.section();
    ModelParameters parameters{.model = model,
                               .platform = platform,
                               .network = network,
                               .origin = section.optional_text("origin").value_or("unknown"),
                               .tables = {}};
    for (const auto& table : section.optional_list("tables")) parameters.tables.push_back(read_table(model, table));
    for (const auto& matrix : section.optional_list("matrices"))
      parameters.matrices.push_back(read_matrix(model, matrix));
    if (parameters.tables.empty() && parameters.matrices.empty())
      section.refuse("tables", fmt::format("model '{}' has neither tables nor matrices. Calibrate it again?", model));
    section.finish();
    sets.push_back(std::move(parameters));
  }
  file.finish();
  return sets;
}

}  // namespace

std::string parameter_file_text(const std::vector<ModelParameters>& sets, const std::vector<std::string>& comment) {
  assert(!sets.empty() && "a parameter file holds at least one model");
  std::string text;
  for (const auto& line : comment) text += line.empty() ? "#\n" : "# " + line + "\n";
  text +=
      fmt::format("platform: {}\nnetwork: {}\nmodels:\n", quoted(sets.front().platform), quoted(sets.front().network));
  for (const auto& set : sets) {
    assert(set.platform == sets.front().platform && set.network == sets.front().network);
    text += fmt::format("  {}:\n    origin: {}\n", set.model, quoted(set.origin));
    if (!set.tables.empty()) text += "    tables:\n";
    for (const auto& table : set.tables) append_table(text, table);
    if (!set.matrices.empty()) text += "    matrices:\n";
    for (const auto& matrix : set.matrices) append_matrix(text, matrix);
  }
  return text;
}

std::vector<ModelParameters> read_parameter_file(const std::string& path) { return read(read_yaml(path)); }

std::vector<ModelParameters> parse_parameter_file(const std::string& text, const std::string& name) {
  return read(parse_yaml(text, name));
}

}  // namespace orrery::config
