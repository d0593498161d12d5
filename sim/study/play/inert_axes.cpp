#include "sim/study/play/inert_axes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <set>

namespace orrery::study {

namespace {

using Outcome = std::vector<std::uint64_t>;

/// Every time of a point and what its kernel and its energy meter say, as bits; empty of one that nobody played or
/// predicted.
Outcome outcome_of(const PointResult& point) {
  Outcome bits;
  const auto add = [&](double value) { bits.push_back(std::bit_cast<std::uint64_t>(value)); };
  if (!point.failure.empty()) return bits;
  if (!point.run.engine.empty()) {
    add(point.run.makespan.si());
    bits.push_back(point.run.messages);
    for (const PhaseRecord& record : point.run.phases) add(record.time.si());
    for (const Metric& metric : point.metrics) add(metric.value);
  }
  if (point.simulated) add(point.simulated->si());
  if (point.other_engine) add(point.other_engine->makespan.si());
  if (point.repeats)
    for (const RepeatedTime& time : point.repeats->times)
      for (const Seconds one : time.times) add(one.si());
  for (const Prediction& prediction : point.predictions) add(prediction.time.si());
  return bits;
}

struct SweptAxis {
  std::vector<std::string> keys;    ///< several: they change together
  std::vector<std::string> values;  ///< [points]
  std::size_t distinct = 0;
};

std::size_t count_distinct(const std::vector<std::string>& values) {
  return std::set<std::string>(values.begin(), values.end()).size();
}

/// Those with several values.
std::vector<SweptAxis> axes_of(const std::vector<const PointResult*>& points) {
  std::vector<SweptAxis> axes;
  for (const auto& [key, first] : points.front()->settings) {
    SweptAxis axis{{key}, {}};
    for (const PointResult* point : points) {
      const auto set = std::ranges::find(point->settings, key, &std::pair<std::string, std::string>::first);
      axis.values.push_back(set == point->settings.end() ? "" : set->second);
    }
    axis.distinct = count_distinct(axis.values);
    if (axis.distinct < 2) continue;
    const auto tied = std::ranges::find_if(axes, [&](const SweptAxis& other) {
      std::vector<std::string> both = other.values;
      for (std::size_t i = 0; i < both.size(); ++i) both[i] += '\0' + axis.values[i];
      return other.distinct == axis.distinct && count_distinct(both) == axis.distinct;
    });
    if (tied == axes.end())
      axes.push_back(std::move(axis));
    else
      tied->keys.push_back(key);
  }
  return axes;
}

/// Whether there are points that differ in the axis alone, and all such have the same outcome.
bool changes_nothing(const std::vector<SweptAxis>& axes, const SweptAxis& axis, const std::vector<Outcome>& outcomes) {
  std::map<std::string, std::size_t> first_of;  // by the values of all other axes
  bool met = false;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    std::string others;
    for (const SweptAxis& other : axes)
      if (&other != &axis) others += other.values[i] + '\0';
    const auto [first, fresh] = first_of.try_emplace(others, i);
    if (fresh || axis.values[i] == axis.values[first->second]) continue;
    met = true;
    if (outcomes[i] != outcomes[first->second]) return false;
  }
  return met;
}

std::string sentence(const SweptAxis& axis) {
  std::vector<std::string> values;
  for (const std::string& value : axis.values)
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  constexpr std::size_t shown_max = 4;
  const std::size_t more = values.size() > shown_max ? values.size() - shown_max : 0;
  values.resize(values.size() - more);
  return fmt::format("'{}' changes nothing: points that differ in it alone ({}{}) have the same times to the last bit",
                     fmt::join(axis.keys, "' with '"), fmt::join(values, ", "),
                     more > 0 ? fmt::format(", and {} more", more) : "");
}

}  // namespace

std::vector<std::string> inert_axes(const std::vector<PointResult>& points) {
  std::vector<const PointResult*> finished;
  std::vector<Outcome> outcomes;
  for (const PointResult& point : points)
    if (Outcome outcome = outcome_of(point); !outcome.empty()) {
      finished.push_back(&point);
      outcomes.push_back(std::move(outcome));
    }
  std::vector<std::string> sentences;
  if (finished.size() < 2) return sentences;
  const auto axes = axes_of(finished);
  for (const SweptAxis& axis : axes)
    if (changes_nothing(axes, axis, outcomes)) sentences.push_back(sentence(axis));
  return sentences;
}

}  // namespace orrery::study
