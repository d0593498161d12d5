#include <algorithm>
#include <cmath>

#include "sim/core/mixed.hpp"
#include "sim/core/portable_math.hpp"
#include "sim/study/judge/choices.hpp"

namespace orrery::study {

namespace {

/// In (0, 1), the same for a run whatever else is played.
double uniform(std::uint64_t seed, std::uint64_t run, std::uint64_t number) {
  return unit_number(mixed(mixed(mixed(seed) + run) + number));
}

double drawn(double seconds, const ChooseSpec::Scatter& scatter, std::uint64_t seed, std::uint64_t run) {
  const double z = portable::normal(uniform(seed, run, 0), uniform(seed, run, 1));
  const double longer = uniform(seed, run, 2) < scatter.glitches ? 1.0 + scatter.glitch : 1.0;
  return seconds * longer * portable::exp(scatter.runs * z);
}

/// The runs with other times, and what models fitted to these say: nothing else of them is looked at.
ScenarioResult scattered(const ScenarioResult& result, const std::vector<Seconds>& times,
                         std::vector<std::vector<Prediction>> said) {
  ScenarioResult other;
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    PointResult& point = other.points.emplace_back();
    point.settings = result.points[i].settings;
    point.layout_name = result.points[i].layout_name;
    point.simulated = result.points[i].simulated;
    point.run.makespan = times[i];
    point.predictions = std::move(said[i]);
  }
  return other;
}

}  // namespace

void scatter_averages(std::vector<AverageChoice>& averages, const ScenarioResult& result, const Scenario& scenario,
                      const Refit& refit) {
  const auto& scatter = *scenario.choose->scatter;
  Scenario of_draws = scenario;  // totals are of the simulated times, and each looks at every point
  for (auto& average : of_draws.choose->averages) average.runs_s.reset();
  for (auto& average : averages) {
    average.draws = AverageChoice::Draws{average.epsilon, std::numeric_limits<double>::infinity(), 0.0};
    average.epsilon = average.delta_magnitude = 0.0;
  }
  for (std::uint32_t seed = 1; seed <= scatter.seeds; ++seed) {
    std::vector<Seconds> times;
    for (std::size_t i = 0; i < result.points.size(); ++i)
      times.emplace_back(drawn(result.points[i].run.makespan.si(), scatter, seed, i));
    const auto of_draw = choices_of(scattered(result, times, refit(times)), of_draws, {}).averages;
    for (auto& average : averages) {
      const auto found = std::ranges::find_if(
          of_draw, [&](const auto& one) { return one.by == average.by && one.over == average.over; });
      if (found == of_draw.end()) continue;
      average.epsilon += found->epsilon / scatter.seeds;
      average.delta_magnitude += found->delta_magnitude / scatter.seeds;
      average.draws->least = std::min(average.draws->least, found->epsilon);
      average.draws->greatest = std::max(average.draws->greatest, found->epsilon);
    }
  }
}

}  // namespace orrery::study
