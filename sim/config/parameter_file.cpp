#include "sim/config/parameter_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <optional>

#include "sim/config/fields.hpp"
#include "sim/config/files.hpp"
#include "sim/config/formats/known_formats.hpp"
#include "sim/core/bound_text.hpp"
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

/// Its range is that of its column or matrix, not of the key.
double any_number(const Value& cell) {
  return cell.number(std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max());
}

/// Throws InputError where a number is outside its range, or sizes of messages do not ascend down the rows.
void check_number(const std::string& model, const ParameterTable& table, std::size_t column, double number,
                  const std::string& where) {
  const std::string& name = table.columns[column];
  const auto refuse = [&](const std::string& rule) {
    throw InputError("{}: {}, table '{}': '{}' is {} ({}). Correct it?", where, model, table.name, name,
                     bound_text(number), rule);
  };
  const Range range = range_of(table, name);
  if (!(number >= range.least && number <= range.most))
    refuse(fmt::format("{}..{} {}", bound_text(range.least), bound_text(range.most), range.unit));
  if (name == "message_B" && !table.rows.empty() && !(number > table.rows.back()[column]))
    refuse(fmt::format("more than {} of the row before", bound_text(table.rows.back()[column])));
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
    throw InputError("{}: {}, table '{}': 'message_min_B' is {:g} (at most 'message_max_B', {:g}). Exchange the two?",
                     where, model, table.name, *least, *largest);
}

const Fields<ParameterTable>& table_fields() {
  static const Mapping labels{
      .name = "labels", .about = "", .keys = {{.name = "<label>", .example = "network", .about = "what it says"}}};
  static const Fields<ParameterTable> fields{
      {.name = "models.<model>.tables[]", .about = "A table of numbers."},
      {{&ParameterTable::name, {.name = "name", .example = "channel", .about = "as the model calls it"}},
       Key{.name = "labels",
           .kind = KeyKind::section,
           .absent = "none",
           .inside = &labels,
           .example = "{channel: network}",
           .about = "of what it is"},
       Key{.name = "columns", .shape = Shape::list, .example = "[message_B, latency_s]", .about = "each with its unit"},
       Key{.name = "rows", .kind = KeyKind::any, .shape = Shape::list, .example = "[[1, 2e-6]]", .about = "numbers"}}};
  return fields;
}

/// Units of matrices, with the greatest number that each may hold.
struct MatrixUnit {
  const char* name;
  double most;
};
constexpr std::array matrix_units{MatrixUnit{"s", 1000.0}, MatrixUnit{"s/B", 1.0},  MatrixUnit{"B", 1e18},
                                  MatrixUnit{"B/s", 1e18}, MatrixUnit{"1/s", 1e18}, MatrixUnit{"1", 1e18}};

const Fields<ParameterMatrix>& matrix_fields() {
  const auto words_of = [](const auto& named, auto word) {
    std::vector<std::string> words;
    words.reserve(std::size(named));
    for (const auto& one : named) words.emplace_back(word(one));
    return words;
  };
  static const Fields<ParameterMatrix> fields{
      {.name = "models.<model>.matrices[]", .about = "A number for each pair."},
      {{&ParameterMatrix::name, {.name = "name", .example = "alpha", .about = "as the model calls it"}},
       Key{.name = "unit",
           .kind = KeyKind::word,
           .choices = words_of(matrix_units, [](const MatrixUnit& unit) { return unit.name; }),
           .example = "s",
           .about = "of every number"},
       {&ParameterMatrix::rows,
        {{"nodes", MatrixRows::nodes}, {"hosts", MatrixRows::hosts}, {"cores", MatrixRows::cores}},
        {.name = "rows", .example = "nodes", .about = "what rows and columns count"}},
       Key{.name = "values", .kind = KeyKind::any, .shape = Shape::list, .example = "[[0]]", .about = "[from][to]"}}};
  return fields;
}

const Mapping& parameter_file_keys() {
  static const Mapping model{.name = "models.<model>",
                             .about = "The parameters of a model.",
                             .keys = {{.name = "origin",
                                       .fallback = "unknown",
                                       .example = "\"simgrid 3.32\"",
                                       .about = "who measured them, or the file they were fitted from"},
                                      {.name = "tables",
                                       .kind = KeyKind::section,
                                       .shape = Shape::list,
                                       .absent = "none",
                                       .inside = &table_fields().mapping(),
                                       .example = "",
                                       .about = "tables"},
                                      {.name = "matrices",
                                       .kind = KeyKind::section,
                                       .shape = Shape::list,
                                       .absent = "none",
                                       .inside = &matrix_fields().mapping(),
                                       .example = "",
                                       .about = "matrices"}}};
  static const Mapping models{
      .name = "models",
      .about = "Each by its name.",
      .keys = {{.name = "<model>", .kind = KeyKind::section, .inside = &model, .example = "", .about = "a model"}}};
  static const Mapping file{
      .name = "",
      .about = "Parameters of models on a network ('orrery calibrate').",
      .keys = {{.name = "platform", .example = "fermi", .about = "of 'orrery list platforms'"},
               {.name = "network", .example = "infiniband", .about = "one of its networks"},
               {.name = "models", .kind = KeyKind::section, .inside = &models, .example = "", .about = "the models"}}};
  return file;
}

ParameterTable read_table(const std::string& model, const Value& value) {
  const Section section = value.section();
  ParameterTable table{.name = {}, .labels = {}, .columns = {}, .rows = {}, .where = section.where()};
  read_fields(section, table_fields(), table);
  if (const auto labels = section.optional_section("labels"))
    for (const auto& [name, label] : labels->items()) table.labels[name] = label.text();
  for (const auto& column : section.list("columns")) {
    table.columns.push_back(column.text());
    if (!names_a_unit(table.columns.back()))
      column.refuse(Refusal("without a unit at its end (_s, _B, _s_per_B, _B_per_s, _per_s, _flop). Write '{}_s'?",
                            table.columns.back()));
  }
  for (const auto& row : section.list("rows")) {
    std::vector<double> numbers;
    const auto cells = row.list();
    numbers.reserve(cells.size());
    for (const auto& cell : cells) numbers.push_back(any_number(cell));
    if (numbers.size() != table.columns.size())
      throw InputError("{}: the row has {} numbers for {} columns ({}). Complete it?", row.where(), numbers.size(),
                       table.columns.size(), fmt::join(table.columns, ", "));
    for (std::size_t column = 0; column < numbers.size(); ++column)
      check_number(model, table, column, numbers[column], cells[column].where());
    check_sizes(model, table, numbers, row.where());
    table.rows.push_back(std::move(numbers));
  }
  section.finish();
  return table;
}

ParameterMatrix read_matrix(const std::string& model, const Value& value) {
  const Section section = value.section();
  ParameterMatrix matrix{.name = {}, .unit = {}, .values = {}, .where = section.where()};
  read_fields(section, matrix_fields(), matrix);
  const MatrixUnit& unit = matrix_units[section.choice("unit")];
  matrix.unit = unit.name;
  const auto rows = section.list("values");
  for (const auto& row : rows) {
    const auto cells = row.list();
    if (cells.size() != rows.size())
      throw InputError("{}: {}, matrix '{}': row {} of {} has {} numbers (square: {}). Complete it?", row.where(),
                       model, matrix.name, matrix.values.size(), rows.size(), cells.size(), rows.size());
    auto& numbers = matrix.values.emplace_back();
    matrix.row_where.push_back(row.where());
    for (const auto& cell : cells) {
      numbers.push_back(any_number(cell));
      if (!(numbers.back() >= 0.0 && numbers.back() <= unit.most))
        throw InputError("{}: {}, matrix '{}': from {} to {} it is {:g} (0..{:g} {}). Correct it?", cell.where(), model,
                         matrix.name, matrix.values.size() - 1, numbers.size() - 1, numbers.back(), unit.most,
                         unit.name);
    }
  }
  if (matrix.values.empty())
    section.refuse("values", "the matrix has no rows (one for each node, host or core). Add them?");
  section.finish();
  return matrix;
}

std::vector<ModelParameters> read(const Document& document) {
  const Section file = document.root(parameter_file_keys());
  const std::string platform = file.text("platform"), network = file.text("network");
  std::vector<ModelParameters> sets;
  for (const auto& [model, value] : file.section("models").items()) {
    const Section section = value.section();
    ModelParameters parameters{
        .model = model, .platform = platform, .network = network, .origin = section.text("origin"), .tables = {}};
    for (const auto& table : section.optional_list("tables")) parameters.tables.push_back(read_table(model, table));
    for (const auto& matrix : section.optional_list("matrices"))
      parameters.matrices.push_back(read_matrix(model, matrix));
    if (parameters.tables.empty() && parameters.matrices.empty())
      section.refuse("tables", Refusal("model '{}' has neither tables nor matrices. Calibrate it again?", model));
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

std::vector<ModelParameters> read_parameter_file(const std::string& path) {
  refuse_other_format(read_file(path), path, "a file of a model's parameters", {"parameters", "yaml"});
  return read(read_yaml(path));
}

std::vector<ModelParameters> parse_parameter_file(const std::string& text, const std::string& name) {
  return read(parse_yaml(text, name));
}

}  // namespace orrery::config
