#include "sim/study/shard/predicted_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "sim/study/play/expected_messages.hpp"
#include "sim/study/play/progress.hpp"
#include "sim/study/read/engines.hpp"

namespace orrery::study {

namespace {

constexpr double setup_s = 0.005;
constexpr double flow_messages_per_s = 4e5;
constexpr std::uint64_t looked_steps_max = 64'000'000;
constexpr std::uint32_t ranks_looked_at = 4;
constexpr double longest_us = 1e15;

double seconds_on(const std::string& engine, const ExpectedWork& work) {
  return engine == "flow" ? static_cast<double>(work.messages) / flow_messages_per_s
                          : simgrid_time({work}, 1).drifting_s;
}

/// Values of axes that have not been seen before.
class SeenValues {
 public:
  /// Those of the point that are new, as numbers of its settings.
  std::vector<std::size_t> see(const Settings& settings) {
    std::vector<std::size_t> fresh;
    for (std::size_t axis = 0; axis < settings.size(); ++axis)
      if (seen_.emplace(axis, settings[axis].second).second) fresh.push_back(axis);
    return fresh;
  }

 private:
  std::set<std::pair<std::size_t, std::string>> seen_;
};

}  // namespace

std::vector<std::size_t> looked_at(std::size_t points, const std::function<Settings(std::size_t)>& settings) {
  std::vector<std::size_t> which;
  SeenValues seen;
  for (std::size_t i = 0; i < points; ++i)
    if (points <= looked_at_max || !seen.see(settings(i)).empty()) which.push_back(i);
  return which;
}

std::vector<std::uint64_t> costs_by_axes(std::size_t points, const std::function<Settings(std::size_t)>& settings,
                                         const std::function<double(std::size_t)>& look) {
  std::vector<std::uint64_t> costs(points);
  const auto whole = [](double us) { return static_cast<std::uint64_t>(std::clamp(us, 1.0, longest_us)); };
  if (points <= looked_at_max) {
    for (std::size_t i = 0; i < points; ++i) costs[i] = whole(look(i));
    return costs;
  }
  std::map<std::pair<std::size_t, std::string>, double> worth;
  double first = 0.0;
  for (std::size_t i = 0; i < points; ++i) {
    const Settings values = settings(i);
    double product = 1.0;
    std::vector<std::size_t> fresh;
    for (std::size_t axis = 0; axis < values.size(); ++axis) {
      const auto known = worth.find({axis, values[axis].second});
      if (known == worth.end())
        fresh.push_back(axis);
      else
        product *= known->second;
    }
    if (!fresh.empty()) {
      // What one new value is worth; beside it others may be new, which then are worth nothing of their own.
      const double cost = look(i);
      if (i == 0) first = cost;
      for (const std::size_t axis : fresh) worth[{axis, values[axis].second}] = 1.0;
      if (i > 0) worth[{fresh.front(), values[fresh.front()].second}] = cost / std::max(first * product, 1.0);
      costs[i] = whole(cost);
    } else {
      costs[i] = whole(first * product);
    }
  }
  return costs;
}

std::vector<std::uint64_t> predicted_costs(const Scenario& scenario, const LoadedPoints& points) {
  const auto settings = [&](std::size_t i) { return scenario.points.settings(i); };
  const std::uint64_t steps_each =
      looked_steps_max / std::max<std::size_t>(looked_at(points.size(), settings).size(), 1);
  return costs_by_axes(points.size(), settings, [&](std::size_t i) {
    throw_if_interrupted(Refusal("the points were being divided, at {} of {}", i, points.size()));
    const auto point = points.at(i);
    MessageCount count(*point->program, ranks_looked_at - 1);
    count.advance(steps_each);
    const std::uint32_t ranks = point->layout.ranks();
    const std::uint32_t not_looked_at = count.whole() ? 1 : std::max(1u, ranks / ranks_looked_at);
    const ExpectedWork work{ranks, count.messages() * not_looked_at, !count.whole()};
    double seconds = setup_s;
    for (const auto& engine : engines_of(scenario.engine)) seconds += seconds_on(engine, work);
    return 1e6 * seconds;
  });
}

}  // namespace orrery::study
