#include "sim/core/quantity_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

struct Unit {
  std::string_view name;
  double si;
};

constexpr std::array time_units{Unit{"ns", 1e-9}, Unit{"us", 1e-6},  Unit{"ms", 1e-3},
                                Unit{"s", 1.0},   Unit{"min", 60.0}, Unit{"h", 3600.0}};
constexpr std::array data_units{Unit{"B", 1.0},
                                Unit{"KiB", 1024.0},
                                Unit{"MiB", 1048576.0},
                                Unit{"GiB", 1073741824.0},
                                Unit{"TiB", 1099511627776.0},
                                Unit{"kB", 1e3},
                                Unit{"MB", 1e6},
                                Unit{"GB", 1e9},
                                Unit{"TB", 1e12},
                                Unit{"PB", 1e15},
                                Unit{"EB", 1e18}};
constexpr std::array decimal_data_units{Unit{"B", 1.0},   Unit{"kB", 1e3},  Unit{"MB", 1e6}, Unit{"GB", 1e9},
                                        Unit{"TB", 1e12}, Unit{"PB", 1e15}, Unit{"EB", 1e18}};
constexpr std::array bandwidth_units{Unit{"B/s", 1.0},         Unit{"kB/s", 1e3},           Unit{"MB/s", 1e6},
                                     Unit{"GB/s", 1e9},        Unit{"TB/s", 1e12},          Unit{"KiB/s", 1024.0},
                                     Unit{"MiB/s", 1048576.0}, Unit{"GiB/s", 1073741824.0}, Unit{"bps", 0.125},
                                     Unit{"kbps", 125.0},      Unit{"Mbps", 1.25e5},        Unit{"Gbps", 1.25e8},
                                     Unit{"Tbps", 1.25e11}};
constexpr std::array speed_units{Unit{"flop/s", 1.0}, Unit{"Mflop/s", 1e6}, Unit{"Gflop/s", 1e9}, Unit{"Tflop/s", 1e12},
                                 Unit{"Pflop/s", 1e15}};
constexpr std::array work_units{Unit{"flop", 1.0}, Unit{"Mflop", 1e6}, Unit{"Gflop", 1e9}, Unit{"Tflop", 1e12}};
constexpr std::array frequency_units{Unit{"Hz", 1.0}, Unit{"MHz", 1e6}, Unit{"GHz", 1e9}};
constexpr std::array rate_units{Unit{"/s", 1.0}, Unit{"k/s", 1e3}, Unit{"M/s", 1e6}, Unit{"G/s", 1e9}};
constexpr std::array power_units{Unit{"W", 1.0}, Unit{"kW", 1e3}, Unit{"MW", 1e6}};
constexpr std::array time_per_byte_units{Unit{"s/B", 1.0}, Unit{"us/B", 1e-6}, Unit{"ns/B", 1e-9}, Unit{"ps/B", 1e-12}};

std::span<const Unit> units_of(Dimension dimension) {
  switch (dimension) {
    case Dimension::time:
      return time_units;
    case Dimension::data:
      return data_units;
    case Dimension::bandwidth:
      return bandwidth_units;
    case Dimension::speed:
      return speed_units;
    case Dimension::work:
      return work_units;
    case Dimension::frequency:
      return frequency_units;
    case Dimension::time_per_byte:
      return time_per_byte_units;
    case Dimension::rate:
      return rate_units;
    case Dimension::power:
      return power_units;
    case Dimension::scalar:
      return {};
  }
  return {};
}

/// The unit a bare number most likely meant, for the remedy.
std::string_view usual_unit(Dimension dimension) {
  switch (dimension) {
    case Dimension::time:
      return "us";
    case Dimension::data:
      return "B";
    case Dimension::bandwidth:
      return "GB/s";
    case Dimension::speed:
      return "Gflop/s";
    case Dimension::work:
      return "flop";
    case Dimension::frequency:
      return "GHz";
    case Dimension::time_per_byte:
      return "ns/B";
    case Dimension::rate:
      return "M/s";
    case Dimension::power:
      return "W";
    case Dimension::scalar:
      return "";
  }
  return "";
}

/// The same of this number: "1e9" flop/s and "2e-6" s were written without a multiple.
std::string_view usual_unit(double number, Dimension dimension) {
  const bool small = dimension == Dimension::time || dimension == Dimension::time_per_byte;
  const bool plain = small ? number > 0.0 && number < 1e-2 : number >= 1e5;
  for (const Unit& unit : units_of(dimension))
    if (plain && unit.si == 1.0) return unit.name;
  return usual_unit(dimension);
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
bool same_but_for_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char one, char other) { return lower(one) == lower(other); });
}

/// The units that one we do not know may stand for: "US" is us, "Gbit" Gbps, "G" GB or GiB, "Gb/s" bits or bytes. Empty
/// when it is none.
std::vector<std::string> meanings_of(std::string_view unit, Dimension dimension) {
  if (unit.empty()) return {};
  const char scale = lower(unit[0]) == 'k' ? 'k' : upper(unit[0]);
  const std::string_view rest = unit.substr(1);
  if (dimension == Dimension::bandwidth && (rest == "bit" || rest == "bit/s")) return {fmt::format("{}bps", scale)};
  if (dimension == Dimension::bandwidth && rest == "b/s")
    return {fmt::format("{}bps", scale), fmt::format("{}B/s", scale)};
  std::vector<std::string> meanings;
  for (const auto& candidate : units_of(dimension))
    if (same_but_for_case(candidate.name, unit)) meanings.emplace_back(candidate.name);
  if (!meanings.empty()) return meanings;
  if (unit.size() != 1 || lower(unit[0]) == 'b') return {};
  for (const auto& candidate : units_of(dimension))
    if (candidate.name.size() > 1 && lower(candidate.name[0]) == lower(unit[0])) meanings.emplace_back(candidate.name);
  return meanings;
}

/// What may be written instead of a unit that we do not know. A unit with another first letter is another power of ten.
std::vector<std::string> instead_of_unit(double number, std::string_view unit, Dimension dimension) {
  std::vector<std::string> texts;
  for (const auto& meaning : meanings_of(unit, dimension)) texts.push_back(fmt::format("{}{}", number, meaning));
  if (!texts.empty()) return texts;
  if (dimension == Dimension::time_per_byte)
    for (const Unit& bandwidth : bandwidth_units)
      if (bandwidth.name == unit && number > 0.0) return {fmt::format("{:.4g}ns/B", 1e9 / (number * bandwidth.si))};
  std::vector<std::string> known;
  for (const auto& candidate : units_of(dimension)) known.emplace_back(candidate.name);
  if (const auto nearest = nearest_name(unit, known); nearest && lower(nearest->front()) == lower(unit.front()))
    return {fmt::format("{}{}", number, *nearest)};
  return {};
}

/// What a unit multiplies a number by; 1 where it is none that we know.
double plain_value_of(std::string_view unit) {
  if (unit == "%") return 0.01;
  for (const auto dimension :
       {Dimension::time, Dimension::data, Dimension::bandwidth, Dimension::speed, Dimension::work, Dimension::frequency,
        Dimension::time_per_byte, Dimension::rate, Dimension::power})
    for (const Unit& known : units_of(dimension))
      if (known.name == unit) return known.si;
  return 1.0;
}

/// Digits in groups, a decimal comma or base 16, as plain numbers with their unit: "1,5KiB" is 1.5KiB, "1,000" 1000 or
/// 1.000, "0x4" 4. Empty where a text is none of these.
std::vector<std::string> plain_numbers(std::string_view text) {
  constexpr std::string_view digits = "0123456789", groups = ",_' ";
  if (text.starts_with("0x") || text.starts_with("0X")) {
    std::uint32_t value = 0;
    const auto [end, status] = std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
    if (status == std::errc() && end == text.data() + text.size()) return {std::to_string(value)};
    return {};
  }
  std::string joined, pointed;
  bool grouped = true, comma = false;
  std::size_t i = 0, since = 0;  // digits since the last separator
  for (; i < text.size() && (digits.find(text[i]) != std::string_view::npos || text[i] == '.' ||
                             (groups.find(text[i]) != std::string_view::npos && i + 1 < text.size() &&
                              digits.find(text[i + 1]) != std::string_view::npos));
       ++i) {
    if (groups.find(text[i]) == std::string_view::npos) {
      joined += text[i], pointed += text[i], ++since;
      continue;
    }
    grouped = grouped && (joined.size() <= 3 || since == 3);
    comma = comma || text[i] == ',';
    pointed += text[i] == ',' ? "." : "";
    since = 0;
  }
  if (joined.empty() || joined.size() == i) return {};
  const std::string unit(text.substr(i));
  std::vector<std::string> all;
  if (grouped && since == 3) all.push_back(joined + unit);
  if (comma && std::ranges::count(pointed, '.') == 1) all.push_back(pointed + unit);
  return all;
}

bool is_accepted(const std::string& text, Dimension dimension, const ValueRange& range) {
  const auto parsed = parse_quantity(text, dimension);
  return parsed.si && range.holds(*parsed.si);
}

/// A value inside the range: a usual one, else the bound that is the shortest to write.
std::string example_in(const ValueRange& range, Dimension dimension) {
  const auto units = units_of(dimension);
  const std::string usual(usual_unit(dimension));
  const std::vector<std::string> usual_texts = dimension == Dimension::scalar
                                                   ? std::vector<std::string>{"1", "2", "0.5"}
                                                   : std::vector<std::string>{"1.5" + usual, "2" + usual};
  for (const std::string& text : usual_texts)
    if (is_accepted(text, dimension, range)) return text;
  std::string shortest;
  const auto offer = [&](const std::string& text) {
    if ((shortest.empty() || text.size() < shortest.size()) && is_accepted(text, dimension, range)) shortest = text;
  };
  for (const double bound : {range.least, range.most}) {
    if (units.empty()) offer(fmt::format("{}", bound));
    for (const Unit& unit : units) offer(fmt::format("{}{}", bound / unit.si, unit.name));
  }
  return shortest.empty() ? usual_texts.front() : shortest;
}

/// "Write 'a' or 'b'?" of the texts that are accepted; where none is, an example that is.
Advice write(const std::vector<std::string>& texts, std::string rule, Dimension dimension, const ValueRange& range) {
  Advice advice{std::move(rule), "", {}};
  for (const std::string& text : texts)
    if (is_accepted(text, dimension, range)) advice.instead.push_back(text);
  const bool example = advice.instead.empty();
  if (example) advice.instead.push_back(example_in(range, dimension));
  advice.remedy = fmt::format("Write {}'{}'?", example ? "for example " : "", fmt::join(advice.instead, "' or '"));
  return advice;
}

std::string scaled(double si, std::span<const Unit> units) {
  const Unit* best = &units.front();
  for (const auto& unit : units)
    if (std::abs(si) >= unit.si) best = &unit;
  return fmt::format("{:.4g} {}", si / best->si, best->name);
}

}  // namespace

std::string unit_names(Dimension dimension) {
  std::string names;
  for (const auto& unit : units_of(dimension)) names += (names.empty() ? "" : ", ") + std::string(unit.name);
  return names;
}

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "01" and "-007us": in YAML 1.1, C and Python octal numbers, or refused.
bool has_leading_zero(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return text.size() > 1 && text[0] == '0' && is_digit(text[1]);
}

}  // namespace

ParsedQuantity parse_quantity(std::string_view text, Dimension dimension, const ValueRange& range) {
  const auto refused = [&](const char* problem, const std::vector<std::string>& texts, std::string rule) {
    return ParsedQuantity{std::nullopt, Refusal("{}{}", problem, write(texts, std::move(rule), dimension, range))};
  };
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (has_leading_zero(text)) {
    const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
    std::size_t first = 0;
    while (first + 1 < digits.size() && digits[first] == '0' && is_digit(digits[first + 1])) ++first;
    return refused("with a leading zero", {fmt::format("{}{}", text.starts_with('-') ? "-" : "", digits.substr(first))},
                   "some programs take such a number for an octal one");
  }
  double number = 0.0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool bare = dimension == Dimension::scalar;
  if (status != std::errc() || !std::isfinite(number))
    return bare ? refused("which is not a number", {}, "")
                : refused("which is not a number with a unit", {}, unit_names(dimension));
  if (const auto plain = plain_numbers(text);
      std::ranges::any_of(plain, [&](const std::string& one) { return parse_quantity(one, dimension).si.has_value(); }))
    return refused("which is not a plain number", plain, "digits without gaps, '.' before decimals");
  std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  if (bare && unit.empty()) return {number, {}};
  if (bare)
    return {std::nullopt, Refusal("with unit '{}', but it takes a plain number{}", unit,
                                  write({fmt::format("{}", number * plain_value_of(unit))}, "", dimension, range))};
  if (unit.empty()) {
    const std::string_view usual = usual_unit(number, dimension);
    std::vector<std::string> texts{fmt::format("{}{}", text, usual)};
    // A data sheet has bits as often as bytes.
    if (dimension == Dimension::bandwidth && usual == "GB/s") texts.insert(texts.begin(), fmt::format("{}Gbps", text));
    return refused("without a unit", texts, unit_names(dimension));
  }
  std::string plain(unit);
  for (const std::string_view micro : {"\u00b5", "\u03bc"})  // both letters that are written for it
    if (plain.starts_with(micro)) plain.replace(0, micro.size(), "u");
  for (const auto& candidate : units_of(dimension)) {
    if (candidate.name == plain && std::isfinite(number * candidate.si)) return {number * candidate.si, {}};
    if (candidate.name == plain) return {std::nullopt, "which is more than a number can hold. Write fewer digits?"};
  }
  return {std::nullopt,
          Refusal("with unknown unit '{}'{}", unit,
                  write(instead_of_unit(number, plain, dimension), unit_names(dimension), dimension, range))};
}

std::string to_text(Seconds t) {
  if (t.si() == 0.0) return "0 s";
  return scaled(t.si(), std::span(time_units).first(4));
}

std::string to_text(Bytes m) {
  const std::string binary = scaled(m.si(), std::span(data_units).first(5));
  const auto said = parse_quantity(binary, Dimension::data);
  return said.si && *said.si == m.si() ? binary : decimal_text(m);
}
std::string decimal_text(Bytes m) { return scaled(m.si(), decimal_data_units); }
std::string to_text(BytesPerSecond b) { return scaled(b.si(), std::span(bandwidth_units).first(5)); }
std::string to_text(PerSecond r) { return scaled(r.si(), rate_units); }
std::string to_text(Watts w) { return scaled(w.si(), power_units); }
std::string to_text(FlopsPerSecond s) { return scaled(s.si(), speed_units); }

}  // namespace orrery
