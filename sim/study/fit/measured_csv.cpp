#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <sstream>

#include "sim/config/formats/known_formats.hpp"
#include "sim/core/bound_text.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"
#include "sim/study/fit/calibrate.hpp"

namespace orrery::study {

namespace {

std::vector<std::string> fields_of(std::string line) {
  if (line.ends_with('\r')) line.pop_back();
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == ',')
      fields.emplace_back();
    else if (c != '"' && c != ' ')
      fields.back() += c;
  }
  return fields;
}

constexpr std::array wanted{"id", "message_B", "time_s"};

/// Positions of the three columns in the header.
std::array<std::size_t, 3> columns_of(const std::vector<std::string>& header, const std::string& where) {
  std::array<std::size_t, 3> positions{};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto found = std::ranges::find(header, wanted[i]);
    if (found == header.end())
      throw InputError("{}: no column '{}'{}", where, wanted[i], present_names(wanted[i], header));
    positions[i] = static_cast<std::size_t>(found - header.begin());
  }
  return positions;
}

/// 0 or a number in this range: lines are fitted by the squares of what is left relative to a time, and the square of
/// 1e-300 is none.
double number_of(const std::string& text, const char* column, double least, double most, const std::string& where) {
  double value = 0.0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = status == std::errc() && rest == text.data() + text.size();
  if (!good || !(value == 0.0 || (value >= least && value <= most)))
    throw InputError("{}: '{}' is '{}' (0 or a number from {} to {}). Correct it?", where, column, text,
                     bound_text(least), bound_text(most));
  return value;
}

}  // namespace

std::string measured_csv(const Measured& measured) {
  std::string text = "id,message_B,time_s\n";
  for (const auto& series : measured.series)
    for (const auto& [message, time] : series.times)
      text += fmt::format("{},{:.0f},{}\n", series.id, message.si(), time.si());
  return text;
}

Measured parse_measured_csv(const std::string& text, const std::string& file) {
  config::refuse_other_format(text, file, "a table of measured times (a CSV with id, message_B and time_s)", {"csv"});
  Measured measured{.origin = file, .series = {}};
  std::istringstream lines(text);
  std::string line;
  std::optional<std::array<std::size_t, 3>> columns;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    const std::string where = fmt::format("{}:{}", file, number);
    if (line.empty() || line == "\r" || line.starts_with('#')) continue;
    const auto fields = fields_of(line);
    if (!columns) {
      columns = columns_of(fields, where);
      continue;
    }
    if (fields.size() <= std::ranges::max(*columns))
      throw InputError("{}: {} fields, but the header names more. Complete the line?", where, fields.size());
    const std::string& id = fields[(*columns)[0]];
    auto series = std::ranges::find(measured.series, id, &Measurement::id);
    if (series == measured.series.end()) series = measured.series.insert(series, {id, {}});
    series->times.emplace_back(Bytes(number_of(fields[(*columns)[1]], wanted[1], 1.0, 1e18, where)),
                               Seconds(number_of(fields[(*columns)[2]], wanted[2], 1e-12, 1e9, where)));
  }
  if (measured.series.empty())
    throw InputError("{}: no measurements (a header 'id,message_B,time_s' and one line each). Is the file cut off?",
                     file);
  return measured;
}

}  // namespace orrery::study
