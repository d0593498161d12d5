#include "platforms/field_types.hpp"

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace orrery::config {

namespace {

double si(double value) { return value; }
double si(PerSecond value) { return value.si(); }

/// Breakpoints of a piecewise function must ascend, or looking one up means nothing.
template <class T>
void require_ascending(const std::vector<std::pair<double, T>>& points, const Value& from) {
  if (points.size() > 1 && points[points.size() - 2].first >= points.back().first)
    from.refuse("not above the breakpoint before it (breakpoints increase). Sort the list?");
}

template <class T>
std::vector<std::vector<double>> lists_of(const std::vector<std::pair<double, T>>& points) {
  std::vector<std::vector<double>> lists;
  for (const auto& [from, value] : points) lists.push_back({from, si(value)});
  return lists;
}

template <class T>
std::vector<std::pair<double, T>> steps_of(const Value& list, const char* key) {
  std::vector<std::pair<double, T>> steps;
  for (const Value& item : list.list()) {
    const Section step = item.section();
    const Value from = step.value("from");
    steps.emplace_back(from.bytes().si(), FieldType<T>::read(step.value(key)));
    require_ascending(steps, from);
    step.finish();
  }
  return steps;
}

}  // namespace

PiecewiseLinear FieldType<PiecewiseLinear>::read(const Value& value) {
  if (!value.is_list()) return PiecewiseLinear(value.seconds().si());
  std::vector<std::pair<double, double>> points;
  double slope_after = 0.0;
  const auto items = value.list();
  for (const Value& item : items) {
    const Section point = item.section();
    const Value from = point.value("from");
    points.emplace_back(from.bytes().si(), point.seconds("time").si());
    require_ascending(points, from);
    if (const auto slope = point.optional("then-per-byte")) {
      slope_after = slope->time_per_byte().si();
      if (points.size() != items.size())
        slope->refuse("before the last breakpoint (it comes after the last). Move it?");
    }
    point.finish();
  }
  if (points.empty()) value.refuse("without breakpoints. Write '[{from: 0B, time: 0.5us}]'?");
  return PiecewiseLinear(std::move(points), slope_after);
}

FieldValue FieldType<PiecewiseLinear>::value(const PiecewiseLinear& overhead) {
  auto lists = lists_of(overhead.points());
  if (overhead.slope_after() != 0.0) lists.back().push_back(overhead.slope_after());
  return lists;
}

FieldValue FieldType<PiecewiseFactor>::value(const PiecewiseFactor& factor) { return lists_of(factor.steps()); }

PiecewiseFactor FieldType<PiecewiseFactor>::read(const Value& value) {
  if (!value.is_list()) return PiecewiseFactor(value.number());
  return PiecewiseFactor(steps_of<double>(value, "factor"));
}

FieldValue FieldType<PiecewiseRate>::value(const PiecewiseRate& rate) {
  if (const auto constant = rate.constant()) return constant->si();
  return lists_of(rate.steps());
}

PiecewiseRate FieldType<PiecewiseRate>::read(const Value& value) {
  if (!value.is_list()) return PiecewiseRate(value.rate());
  auto steps = steps_of<PerSecond>(value, "rate");
  if (steps.empty()) value.refuse("without steps. Write '[{from: 0B, rate: 65M/s}]'?");
  return PiecewiseRate(std::move(steps));
}

std::array<std::uint8_t, 2> FieldType<std::array<std::uint8_t, 2>>::read(const Value& value) {
  const auto ends = FieldType<std::vector<std::uint8_t>>::read(value);
  if (ends.size() != 2)
    throw InputError("{}: '{}' has {} numbers (two: sender's and receiver's end). Write '[1, 1]'?", value.where(),
                     value.name(), ends.size());
  return {ends[0], ends[1]};
}

}  // namespace orrery::config
