#include "sim/study/judge/measured_factor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/portable_math.hpp"

namespace orrery::study {

namespace {

constexpr double near_factor = 1.25;  // least and most of the points around 2, 1/2 or the iterations
constexpr double near_unit = 10.0;    // around a power of 1000

std::string range_text(const std::vector<double>& ratios) {
  const auto [least, most] = std::ranges::minmax_element(ratios);
  const std::string low = fmt::format("{:.3g}", *least), high = fmt::format("{:.3g}", *most);
  return low == high ? low : low + " to " + high;
}

bool all_near(const std::vector<double>& ratios, double factor, double within) {
  return std::ranges::all_of(ratios, [&](double ratio) { return ratio < factor * within && ratio > factor / within; });
}

/// Simulated times are twice the measured ones, or half of them.
std::string half_note(const ComparedAs& as, bool twice) {
  if (!twice)
    return as.metric.empty() ? "Are the measured ones of both directions, or of two operations?"
                             : fmt::format(
                                   "Are the measured ones whole round trips? Without 'metric: {}' they are "
                                   "compared with the phase",
                                   as.metric);
  if (!as.printed.empty() && as.metric.empty())
    return fmt::format(
        "Are the measured ones half a round trip, as osu_latency and IMB PingPong print it? Then write 'measured: "
        "{{file: {}, metric: {}}}'",
        as.file, as.printed);
  return "Are the measured ones half a round trip, or of one direction, as benchmarks of latency print them?";
}

std::string unit_note(int thousands) {
  constexpr const char* columns[] = {"time_ns", "time_us", "time_ms"};
  if (thousands < 0)
    return fmt::format("Are the file's times in {}? Then their column is '{}'",
                       std::string(columns[3 + thousands]).substr(5), columns[3 + thousands]);
  return "Are the file's times in a larger unit than their column says?";
}

}  // namespace

std::string factor_note(const std::vector<TimePair>& pairs, const ComparedAs& as) {
  std::vector<double> ratios;
  std::uint64_t iterations = 0;
  for (const TimePair& pair : pairs) {
    if (pair.simulated <= Seconds{} || pair.measured <= Seconds{}) continue;
    ratios.push_back(pair.simulated / pair.measured);
    iterations = iterations == 0 || iterations == pair.iterations ? pair.iterations : 1;
  }
  if (ratios.size() < 2) return {};
  const auto said = [&](const std::string& why) {
    return fmt::format("{}: the simulated times are {} times the measured ones at all {} points. {}", as.file,
                       range_text(ratios), ratios.size(), why);
  };
  if (iterations > 2 && all_near(ratios, static_cast<double>(iterations), near_factor))
    return said(
        fmt::format("The compared phase is the sum of {} iterations: are the measured times of one?", iterations));
  if (all_near(ratios, 2.0, near_factor)) return said(half_note(as, true));
  if (all_near(ratios, 0.5, near_factor)) return said(half_note(as, false));
  for (const int thousands : {-3, -2, -1, 1, 2, 3})
    if (all_near(ratios, portable::pow(1000.0, thousands), near_unit)) return said(unit_note(thousands));
  return {};
}

}  // namespace orrery::study
