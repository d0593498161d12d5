// Ranges and ticks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/show/charts/chart.hpp"
#include "sim/show/charts/svg.hpp"

namespace orrery::show::paper {

namespace {

constexpr double log_span = 30.0;   // from this factor on an axis is logarithmic
constexpr double ratio_span = 4.0;  // and one of ratios
constexpr std::size_t data_ticks_max = 10;

struct Extent {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  bool positive = true;

  void add(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
    positive = positive && value > 0.0;
  }
};

std::string superscript(int exponent) {
  static const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(exponent))) text += digits[c - '0'];
  return text;
}

std::vector<Tick> ticks_of(const ChartAxis& axis) {
  return axis_ticks(axis.least, axis.most, axis.log, axis.log ? 6 : 7, number_label);
}

/// At the numbers themselves when they are few: a reader wants to know which ranks were run.
std::vector<Tick> data_ticks(const std::vector<double>& values, const ChartAxis& axis) {
  if (values.size() > data_ticks_max) return ticks_of(axis);
  std::vector<Tick> ticks;
  for (const double value : values) ticks.push_back({value, number_label(value)});
  return ticks;
}

void scale_y(std::vector<Chart>& charts, const Extent& extent, const ScaleWish& wish) {
  constexpr double margin = 1.25;
  ChartAxis axis;
  axis.log =
      extent.positive && wish.log_y.value_or(extent.most > (wish.least_y > 0.0 ? ratio_span : log_span) * extent.least);
  if (axis.log) {
    axis.least = wish.least_y > 0.0 ? wish.least_y : extent.least / margin;
    axis.most = extent.most * margin;
    if (axis.most / axis.least < 2.0 && wish.least_y <= 0.0) axis.least /= 1.5, axis.most *= 1.5;
  } else {
    axis.least = std::min(wish.least_y, extent.least);
    axis.most = extent.most > axis.least ? extent.most + 0.04 * (extent.most - axis.least) : axis.least + 1.0;
  }
  axis.ticks = ticks_of(axis);
  for (auto& chart : charts) {
    axis.title = chart.y.title;
    chart.y = axis;
  }
}

/// Unevenly spaced numbers that span a decade: message sizes, ranks that double.
bool looks_logarithmic(const std::vector<double>& values) {
  if (values.size() < 3 || values.front() <= 0.0 || values.back() < 8.0 * values.front()) return false;
  double least = std::numeric_limits<double>::infinity(), most = 0.0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    least = std::min(least, values[i] - values[i - 1]);
    most = std::max(most, values[i] - values[i - 1]);
  }
  return most > 3.5 * least;
}

void scale_x(std::vector<Chart>& charts, std::optional<bool> wish) {
  std::vector<double> values;
  for (const auto& chart : charts)
    for (const auto& series : chart.series)
      for (const auto& point : series.points) values.push_back(point.x);
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (values.empty()) return;
  ChartAxis axis;
  axis.log = values.front() > 0.0 && wish.value_or(looks_logarithmic(values));
  const double factor = axis.log ? std::pow(values.back() / values.front(), 0.04) : 1.0;
  const double margin = axis.log ? 0.0 : 0.04 * (values.back() - values.front());
  axis.least = axis.log ? values.front() / factor : values.front() - margin;
  axis.most = axis.log ? values.back() * factor : values.back() + margin;
  if (!(axis.most > axis.least))
    axis.least = values.front() - (axis.log ? values.front() / 2 : 0.5),
    axis.most = values.front() * (axis.log ? 2 : 1) + (axis.log ? 0 : 0.5);
  axis.ticks = data_ticks(values, axis);
  for (auto& chart : charts) {
    axis.title = chart.x.title;
    chart.x = axis;
  }
}

}  // namespace

std::string number_label(double value) {
  const double size = std::abs(value);
  if (size >= 1e6 || (size > 0.0 && size < 1e-3)) {
    const int exponent = static_cast<int>(std::floor(std::log10(size) + 1e-9));
    const double digits = value / std::pow(10.0, exponent);
    const std::string power = "10" + superscript(exponent);
    return std::abs(digits - 1.0) < 1e-6 ? power : fmt::format("{:.3g}×{}", digits, power);
  }
  std::string text = fmt::format("{:.6g}", value == 0.0 ? 0.0 : value);
  if (size >= 1e4)
    if (const auto dot = text.find('.'); dot == std::string::npos) text.insert(text.size() - 3, " ");
  return text;
}

void scale_together(std::vector<Chart>& charts, const ScaleWish& wish) {
  Extent extent;
  bool numbers = true;
  for (const auto& chart : charts) {
    numbers = numbers && chart.categories.empty();
    for (const auto& series : chart.series)
      for (const auto& point : series.points) {
        extent.add(point.y);
        if (point.bar) extent.add(point.bar->least), extent.add(point.bar->most);
      }
  }
  if (!(extent.most >= extent.least)) return;
  scale_y(charts, extent, wish);
  if (numbers) scale_x(charts, wish.log_x);
}

}  // namespace orrery::show::paper
