#include "platforms/simgrid_units.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

using UnitScale = std::pair<std::string_view, double>;
constexpr double binary_kilo = 1024.0;
constexpr UnitScale unit_scales[] = {
    {"", 1.0},
    {"k", 1e3},
    {"K", 1e3},
    {"M", 1e6},
    {"G", 1e9},
    {"T", 1e12},
    {"P", 1e15},
    {"E", 1e18},
    {"Z", 1e21},
    {"Y", 1e24},
    {"Ki", binary_kilo},
    {"Mi", binary_kilo* binary_kilo},
    {"Gi", binary_kilo* binary_kilo* binary_kilo},
    {"Ti", binary_kilo* binary_kilo* binary_kilo* binary_kilo},
    {"Pi", binary_kilo* binary_kilo* binary_kilo* binary_kilo* binary_kilo},
    {"Ei", binary_kilo* binary_kilo* binary_kilo* binary_kilo* binary_kilo* binary_kilo}};
constexpr UnitScale speed_words[] = {{"kilo", 1e3},  {"mega", 1e6}, {"giga", 1e9},   {"tera", 1e12},
                                     {"peta", 1e15}, {"exa", 1e18}, {"zetta", 1e21}, {"yotta", 1e24}};

double unit_scale_of(std::string_view prefix, bool& known) {
  for (const auto& [name, scale] : unit_scales)
    if (name == prefix) return scale;
  known = false;
  return 1.0;
}

/// A number and the unit behind it.
std::pair<double, std::string_view> split_number(std::string_view text, const std::string& where, const char* what) {
  double value = 0.0;
  while (text.starts_with(' ')) text.remove_prefix(1);
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || !std::isfinite(value) || value < 0.0)
    throw InputError("{}: {} is '{}' (a number of at least 0 with its unit). Correct it?", where, what,
                     shown(std::string(text)));
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  while (unit.ends_with(' ')) unit.remove_suffix(1);
  return {value, unit};
}

void require_positive_number(double value, const std::string& where, const char* what, const std::string& text) {
  if (!(value > 0.0)) throw InputError("{}: {} is '{}' (more than 0). Correct it?", where, what, shown(text));
}

[[noreturn]] void refuse_unit(const std::string& where, const char* what, const std::string& text, const char* known) {
  throw InputError("{}: {} is '{}', of an unknown unit (known: {}). Correct it?", where, what, shown(text), known);
}

double simgrid_one_speed(const std::string& text, const std::string& where) {
  auto [value, unit] = split_number(text, where, "the speed");
  require_positive_number(value, where, "the speed", text);
  for (const auto& [word, scale] : speed_words)
    if (unit.ends_with("flops") && unit.substr(0, unit.size() - 5) == word) return value * scale;
  bool known = unit.empty() || unit.ends_with('f') || unit.ends_with("flops");
  if (unit.ends_with("flops"))
    unit.remove_suffix(5);
  else if (unit.ends_with('f'))
    unit.remove_suffix(1);
  const double scale = unit_scale_of(unit, known);
  if (!known) refuse_unit(where, "the speed", text, "f, kf, Mf, Gf, Tf, Pf, Ef");
  return value * scale;
}

}  // namespace

std::vector<double> simgrid_speeds(const std::string& text, const std::string& where) {
  std::vector<double> speeds;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    speeds.push_back(simgrid_one_speed(text.substr(begin, end - begin), where));
    begin = end + 1;
  }
  return speeds;
}

double simgrid_bandwidth(const std::string& text, const std::string& where) {
  auto [value, unit] = split_number(text, where, "the bandwidth");
  const bool bits = unit.ends_with("bps");
  bool known = unit.empty() || bits || unit.ends_with("Bps");
  if (!unit.empty() && known) unit.remove_suffix(3);
  const double scale = unit_scale_of(unit, known);
  if (!known) refuse_unit(where, "the bandwidth", text, "Bps, kBps, MBps, GBps, bps, kbps, Mbps, Gbps, KiBps ...");
  require_positive_number(value, where, "the bandwidth", text);
  return value * scale / (bits ? 8.0 : 1.0);
}

double simgrid_time(const std::string& text, const std::string& where) {
  const auto [value, unit] = split_number(text, where, "the latency");
  constexpr UnitScale units[] = {{"", 1.0},     {"s", 1.0},  {"ms", 1e-3},  {"us", 1e-6},   {"ns", 1e-9},
                                 {"ps", 1e-12}, {"m", 60.0}, {"h", 3600.0}, {"d", 86400.0}, {"w", 604800.0}};
  for (const auto& [name, scale] : units)
    if (name == unit) return value * scale;
  refuse_unit(where, "the latency", text, "s, ms, us, ns, ps");
}

double simgrid_number(const std::string& text, const std::string& where, const char* what) {
  const auto [value, unit] = split_number(text, where, what);
  if (!unit.empty())
    throw InputError("{}: {} is '{}' (a number without a unit). Correct it?", where, what, shown(text));
  return value;
}

}  // namespace orrery
