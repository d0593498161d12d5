#include "sim/config/taulop_tables.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

#include "sim/config/files.hpp"
#include "sim/core/error.hpp"

namespace orrery::config {

namespace {

constexpr std::string_view blanks = " \t\r";
constexpr std::size_t counts_max = 100000;

struct Field {
  std::string_view text;
  std::size_t column = 1;  ///< one-based
};

std::vector<Field> fields_of(std::string_view line) {
  std::vector<Field> fields;
  for (std::size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
    const auto end = line.find_first_of(blanks, at);
    fields.push_back({line.substr(at, end == std::string_view::npos ? end : end - at), at + 1});
    at = end == std::string_view::npos ? end : line.find_first_not_of(blanks, end);
  }
  return fields;
}

class Reader {
 public:
  explicit Reader(const std::string& file) { table_.file = file; }

  TauLopTable read(const std::string& text) {
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line); ++line_) {
      const auto fields = fields_of(line);
      if (fields.empty()) continue;
      if (!rows_)
        header(fields, "#m", rows_);
      else if (!concurrency_)
        header(fields, "#tau", concurrency_);
      else if (!fields.front().text.starts_with('#'))
        row(fields);
    }
    if (!rows_ || !concurrency_)
      throw InputError(
          fmt::format("{}: the table is empty (the first lines are '#m <rows>' and '#tau <K>')", table_.file));
    if (table_.message_B.size() != *rows_)
      throw InputError(fmt::format("{}: {} rows, but '#m' says {}", table_.file, table_.message_B.size(), *rows_));
    return std::move(table_);
  }

 private:
  [[noreturn]] void fail(std::size_t column, const std::string& problem) const {
    throw InputError(fmt::format("{}:{}:{}: {}", table_.file, line_, column, problem));
  }

  void header(const std::vector<Field>& fields, std::string_view key, std::optional<std::size_t>& into) {
    std::size_t count = 0;
    if (fields.size() == 2 && fields[0].text == key) {
      const auto word = fields[1].text;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
      if (error != std::errc() || end != word.data() + word.size()) count = 0;
    }
    if (count == 0 || count > counts_max)
      fail(1, fmt::format("'{}' and a count from 1 to {} belong here (a table begins with '#m <rows>' and '#tau <K>')",
                          key, counts_max));
    into = count;
    if (key == "#tau") table_.transfer_s.resize(count);
  }

  double number(const Field& field) const {
    double value = 0.0;
    const auto [end, error] = std::from_chars(field.text.data(), field.text.data() + field.text.size(), value);
    if (error != std::errc() || end != field.text.data() + field.text.size() || !std::isfinite(value))
      fail(field.column, fmt::format("'{}' is not a number", field.text));
    return value;
  }

  void row(const std::vector<Field>& fields) {
    const std::size_t expected = *concurrency_ + 2;
    if (fields.size() != expected)
      fail(1, fmt::format("{} values in a row of m, o and L(m,1)...L(m,{}) ({} are needed)", fields.size(),
                          *concurrency_, expected));
    const double message = number(fields[0]);
    if (message <= (table_.message_B.empty() ? 0.0 : table_.message_B.back()))
      fail(fields[0].column,
           fmt::format("message size {} is not larger than the one before it (sizes are positive and increase)",
                       fields[0].text));
    table_.message_B.push_back(message);
    table_.overhead_s.push_back(number(fields[1]));
    for (std::size_t tau = 0; tau < *concurrency_; ++tau) table_.transfer_s[tau].push_back(number(fields[tau + 2]));
  }

  TauLopTable table_;
  std::size_t line_ = 1;
  std::optional<std::size_t> rows_, concurrency_;
};

}  // namespace

TauLopTable parse_taulop_table(const std::string& text, const std::string& file) { return Reader(file).read(text); }

TauLopTable read_taulop_table(const std::string& file) { return parse_taulop_table(read_file(file), file); }

void require_same_sizes(const TauLopTable& a, const TauLopTable& b) {
  if (a.message_B != b.message_B)
    throw InputError(fmt::format(
        "{}: message sizes differ from those of {} (the tables of a folder share one column m)", b.file, a.file));
}

}  // namespace orrery::config
