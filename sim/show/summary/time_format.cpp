#include "sim/show/summary/time_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace orrery::show {

std::string TimeFormat::operator()(double t_s) const {
  if (!std::isfinite(t_s)) return "-";
  const double value = t_s / unit_s;
  // Values far below the unit would print as zeros: they keep three significant digits instead.
  return value != 0.0 && std::abs(value) < 10.0 * std::pow(10.0, -decimals) ? fmt::format("{:.2e}", value)
                                                                            : fmt::format("{:.{}f}", value, decimals);
}

TimeFormat time_format(std::vector<double> times_s) {
  std::erase_if(times_s, [](double t) { return !std::isfinite(t) || t <= 0.0; });
  if (times_s.empty()) return {};
  std::sort(times_s.begin(), times_s.end());
  const double median = times_s[times_s.size() / 2];
  constexpr std::array<std::pair<double, const char*>, 4> units{{{1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}}};
  TimeFormat format{1e-9, "ns", 3};
  for (const auto& [si, name] : units)
    if (median >= si) {
      format = {si, name, 3};
      break;
    }
  const int digits = static_cast<int>(std::floor(std::log10(median / format.unit_s)));
  format.decimals = std::clamp(3 - digits, 1, 3);
  return format;
}

}  // namespace orrery::show
