#include "sim/config/taulop_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

#include "sim/config/files.hpp"
#include "sim/config/formats/known_formats.hpp"
#include "sim/core/bound_text.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery::config {

namespace {

constexpr std::string_view blanks = " \t\r";
constexpr std::size_t counts_max = 100000;
constexpr double seconds_max = 1000.0;

struct Cell {
  std::string_view text;
  std::size_t column = 1;  ///< one-based
};

std::vector<Cell> cells_in(std::string_view line) {
  std::vector<Cell> cells;
  for (std::size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
    const auto end = line.find_first_of(blanks, at);
    cells.push_back({line.substr(at, end == std::string_view::npos ? end : end - at), at + 1});
    at = end == std::string_view::npos ? end : line.find_first_not_of(blanks, end);
  }
  return cells;
}

class Reader {
 public:
  explicit Reader(const std::string& file) { table_.file = file; }

  TauLopTable read(const std::string& text) {
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line); ++line_) {
      const auto cells = cells_in(line);
      if (cells.empty()) continue;
      if (!rows_)
        header(cells, "#m", rows_);
      else if (!concurrency_)
        header(cells, "#tau", concurrency_);
      else if (!cells.front().text.starts_with('#'))
        row(cells);
    }
    if (!rows_ || !concurrency_)
      throw InputError(
          "{}: the table is empty (the first lines are '#m <rows>' and '#tau <K>'). "
          "Write them, then a row 'm o L(m,1) ... L(m,K)' for each size?",
          table_.file);
    if (table_.message_B.size() != *rows_)
      throw InputError("{}: {} rows, but '#m' says {}. Write '#m {}'?", table_.file, table_.message_B.size(), *rows_,
                       table_.message_B.size());
    return std::move(table_);
  }

 private:
  [[noreturn]] void fail(std::size_t column, const Refusal& problem) const {
    throw InputError("{}:{}:{}: {}", table_.file, line_, column, problem);
  }

  void header(const std::vector<Cell>& cells, std::string_view key, std::optional<std::size_t>& into) {
    std::size_t count = 0;
    if (cells.size() == 2 && cells[0].text == key) {
      const auto word = cells[1].text;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
      if (error != std::errc() || end != word.data() + word.size()) count = 0;
    }
    if (count == 0 || count > counts_max)
      fail(1, Refusal("'{}' and a count from 1 to {} belong here (a table begins with '#m <rows>' and '#tau <K>'). "
                      "Write '{} 2'?",
                      key, counts_max, key));
    into = count;
    if (key == "#tau") table_.transfer_s.resize(count);
  }

  double number(const Cell& cell, const char* what, double most, const char* unit) const {
    double value = 0.0;
    const auto [end, error] = std::from_chars(cell.text.data(), cell.text.data() + cell.text.size(), value);
    if (error != std::errc() || end != cell.text.data() + cell.text.size() || !(value >= 0.0 && value <= most))
      fail(cell.column, Refusal("{} is '{}' (a number from 0 to {} {}). Correct it?", what,
                                shown(std::string(cell.text)), bound_text(most), unit));
    return value;
  }

  void row(const std::vector<Cell>& cells) {
    const std::size_t expected = *concurrency_ + 2;
    if (cells.size() != expected)
      fail(1, Refusal("{} values in a row of m, o and L(m,1)...L(m,{}) ({} are needed). Write '#tau {}', or {}?",
                      cells.size(), *concurrency_, expected, std::max<std::size_t>(cells.size(), 3) - 2,
                      cells.size() < expected ? "complete the row" : "shorten the row"));
    const double message = number(cells[0], "the size m", 1e18, "B");
    if (message <= (table_.message_B.empty() ? 0.0 : table_.message_B.back()))
      fail(cells[0].column,
           Refusal("message size {} is not larger than the one before it (sizes are positive and increase). "
                   "Order the rows by size?",
                   cells[0].text));
    table_.message_B.push_back(message);
    table_.overhead_s.push_back(number(cells[1], "the overhead o", seconds_max, "s"));
    for (std::size_t tau = 0; tau < *concurrency_; ++tau)
      table_.transfer_s[tau].push_back(number(cells[tau + 2], "a transfer time L", seconds_max, "s"));
  }

  TauLopTable table_;
  std::size_t line_ = 1;
  std::optional<std::size_t> rows_, concurrency_;
};

}  // namespace

TauLopTable parse_taulop_table(const std::string& text, const std::string& file) { return Reader(file).read(text); }

TauLopTable read_taulop_table(const std::string& file) {
  const std::string text = read_file(file);
  refuse_other_format(text, file, "a table of tau-Lop's parameters", {"taulop-table"});
  return parse_taulop_table(text, file);
}

void require_same_sizes(const TauLopTable& a, const TauLopTable& b) {
  if (a.message_B != b.message_B)
    throw InputError(
        "{}: message sizes differ from those of {} (the tables of a folder share one column m). "
        "Measure both at the same sizes?",
        b.file, a.file);
}

}  // namespace orrery::config
