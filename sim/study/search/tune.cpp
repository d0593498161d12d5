#include "sim/study/search/tune.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <set>

namespace orrery::study {

namespace {

/// 1, 2, 3, 4, 6, 8, 12 ... and the greatest number there is.
std::int64_t next_rung(std::int64_t value) {
  if (value < 4) return value + 1;
  const auto power = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(value)));
  if (value == power) return power + power / 2;
  constexpr std::int64_t end = std::numeric_limits<std::int64_t>::max();
  return power > end / 2 ? end : 2 * power;
}

class Asked {
 public:
  explicit Asked(const TimeOfValue& time) : time_(time) {}
  /// False where the value is refused.
  bool ask(std::int64_t value) {
    if (times_.contains(value)) return true;
    if (refused_.contains(value)) return false;
    if (const auto time = time_(value)) return times_.emplace(value, *time).second;
    refused_.insert(value);
    return false;
  }
  const TimesByValue& times() const { return times_; }

 private:
  const TimeOfValue& time_;
  TimesByValue times_;
  std::set<std::int64_t> refused_;
};

void climb(Asked& asked, const ValueRange& range) {
  constexpr int refused_max = 2, alike_max = 6;
  constexpr double far = 4.0, alike = 1e-6;
  int refused = 0, unchanged = 0;
  Seconds before;
  const auto goes_on = [&](std::int64_t value) {
    refused = asked.ask(value) ? 0 : refused + 1;
    const auto& times = asked.times();
    if (times.empty()) return true;
    if (refused > 0) return refused < refused_max;
    const Seconds here = times.at(value);
    unchanged = std::abs((here - before).si()) <= alike * here.si() ? unchanged + 1 : 0;
    before = here;
    return !(here > far * times.at(best_of(times))) && unchanged < alike_max;
  };
  if (!goes_on(range.least)) return;
  for (std::int64_t rung = 1; rung < range.greatest; rung = next_rung(rung))
    if (rung > range.least && !goes_on(rung)) return;
  goes_on(range.greatest);
}

/// Halves the gaps beside the best until its neighbours are known or refused.
void narrow(Asked& asked) {
  for (;;) {
    const auto here = asked.times().find(best_of(asked.times()));
    const std::int64_t best = here->first;
    bool found = false;
    const auto halve = [&](std::int64_t neighbour) {
      const std::int64_t middle = std::midpoint(best, neighbour);
      if (middle != best && middle != neighbour && asked.ask(middle)) found = true;
    };
    const auto after = std::next(here);
    const std::int64_t above = after == asked.times().end() ? best : after->first;
    if (here != asked.times().begin()) halve(std::prev(here)->first);
    halve(above);
    if (!found) return;
  }
}

/// The proposal and values whose distance from the one before is so large a share of the greater of the two.
std::vector<std::int64_t> spread_values(const TimesByValue& predicted, std::int64_t proposed, double share) {
  const auto apart = [&](std::int64_t a, std::int64_t b) {
    const auto x = static_cast<double>(a), y = static_cast<double>(b);
    return std::abs(x - y) >= share * std::max(std::abs(x), std::abs(y));
  };
  std::vector<std::int64_t> values{proposed};
  const auto here = predicted.find(proposed);
  for (auto below = here; below != predicted.begin();)
    if ((--below, apart(below->first, values.back()))) values.push_back(below->first);
  std::ranges::reverse(values);
  for (auto above = std::next(here); above != predicted.end(); ++above)
    if (apart(above->first, values.back())) values.push_back(above->first);
  return values;
}

}  // namespace

std::int64_t best_of(const TimesByValue& times) {
  return std::ranges::min_element(times, {}, [](const auto& one) { return one.second; })->first;
}

TimesByValue predicted_times(const std::vector<std::int64_t>& values, const ValueRange& range,
                             const TimeOfValue& time) {
  Asked asked(time);
  for (const std::int64_t value : values) asked.ask(value);
  if (!values.empty()) return asked.times();
  climb(asked, range);
  if (!asked.times().empty()) narrow(asked);
  return asked.times();
}

TimesByValue confirmed_times(const TimesByValue& predicted, std::size_t most, const TimeOfValue& time) {
  const std::int64_t proposed = best_of(predicted);
  std::vector<std::int64_t> values;
  const std::size_t wanted = std::min({most, predicted.size(), std::size_t{3}});
  for (const double share : {0.25, 0.1, 0.0})
    if (values.size() < wanted || values.empty()) values = spread_values(predicted, proposed, share);
  Asked asked(time);
  asked.ask(proposed);
  const auto at = static_cast<std::size_t>(std::ranges::find(values, proposed) - values.begin());
  std::size_t low = at, high = at;  // played so far
  bool upwards = true;              // once the best is between two others: the curve on either side in turn
  while (asked.times().size() < most) {
    const bool room_below = low > 0, room_above = high + 1 < values.size();
    if (!room_below && !room_above) break;
    const std::int64_t best = asked.times().empty() ? proposed : best_of(asked.times());
    const bool down = room_below && best == values[low], up = room_above && best == values[high];
    if (!down && !up) upwards = !upwards;
    if (down || (!up && room_below && (!upwards || !room_above)))
      asked.ask(values[--low]);
    else
      asked.ask(values[++high]);
  }
  return asked.times();
}

}  // namespace orrery::study
