#include "sim/app/run/repeats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"
#include "sim/scenario/point.hpp"

namespace orrery::app {

namespace {

constexpr int repeat_max = 10'000;
constexpr double outside = 0.05;  // of the confidence intervals

/// What of a point is drawn by a seed: compute times, the ways of messages.
struct Drawn {
  bool compute = false, routing = false;
  std::int64_t compute_seed = 1, routing_seed = 1;
};

/// The point with other seeds; its settings say nothing of them, since they tell the points of the sweep apart.
PointSpec with_seed(PointSpec point, const Drawn& drawn, std::int64_t further) {
  if (drawn.compute) {
    const std::string seed = fmt::format("{}", drawn.compute_seed + further);
    auto& settings = point.compute.settings;
    std::erase_if(settings, [](const auto& setting) { return setting.name == "seed"; });
    settings.push_back({"seed", seed, "--repeat"});
    point.flat["compute.seed"] = seed;
  }
  if (drawn.routing) {
    const std::string path = fmt::format("networks.{}.routing.seed", point.network);
    std::erase_if(point.platform.changes, [&](const auto& change) { return change.path == path; });
    const auto value = config::parse_yaml(fmt::format("seed: {}\n", drawn.routing_seed + further), "--repeat");
    point.platform.changes.push_back({path, value.root().value("seed")});
  }
  return point;
}

/// How many of the smallest times, and of the largest, lie outside the confidence interval of the median.
std::optional<std::size_t> median_rank(std::size_t n) {
  double below = 0.0, probability = std::pow(0.5, static_cast<double>(n));  // of exactly k of n below the median
  std::optional<std::size_t> rank;
  for (std::size_t k = 0; 2 * k < n; ++k) {
    below += probability;
    if (2.0 * below > outside) break;
    rank = k;
    probability *= static_cast<double>(n - k) / static_cast<double>(k + 1);
  }
  return rank;
}

/// Each point once for each of its seeds.
Points repeated_points(const Points& points, const std::vector<std::size_t>& first, const std::vector<Drawn>& drawn) {
  const auto point_of = [first](std::size_t play) {
    return static_cast<std::size_t>(std::ranges::upper_bound(first, play) - first.begin()) - 1;
  };
  const auto make = [=](std::size_t play) {
    const std::size_t point = point_of(play), number = play - first[point];
    return number == 0 ? points[point] : with_seed(points[point], drawn[point], static_cast<std::int64_t>(number));
  };
  return {first.back(), make, [=](std::size_t play) { return points.settings(point_of(play)); }};
}

}  // namespace

RepeatedScenario repeated(const Scenario& scenario, unsigned repeat) {
  RepeatedScenario result;
  if (repeat < 2) return result;
  const auto untimed = [](const LoadedPoint&, const PointSpec&) {
    return Seconds{};
  };  // what varies is asked, not who owns what
  PointLoader loader(scenario.folder(), scenario.engine, scenario.ignore_memory, untimed);
  std::size_t varying = 0, plays = 0;
  std::vector<Drawn> all;
  for (const PointSpec& spec : scenario.points) {
    const LoadedPoint point = loader.load(spec);
    result.first.push_back(plays);
    const Drawn drawn{point.compute_varies, point.network->routing.kind != Routing::Kind::deterministic,
                      point.compute_seed, static_cast<std::int64_t>(point.network->routing.seed)};
    all.push_back(drawn);
    const std::int64_t first = drawn.compute || !drawn.routing ? drawn.compute_seed : drawn.routing_seed;
    result.seeds.push_back({first});
    if (drawn.compute || drawn.routing) {
      ++varying;
      for (unsigned k = 1; k < repeat; ++k) result.seeds.back().push_back(first + k);
    }
    plays += result.seeds.back().size();
  }
  result.first.push_back(plays);
  const std::size_t points = scenario.points.size();
  if (varying < points)
    result.note = fmt::format(
        "{} no random part (noise, host-spread, day-spread of the compute model; overhead-variation of the platform; "
        "routing other than deterministic), so that all repetitions would be "
        "equal: played once",
        varying == 0 ? (points == 1 ? "the run has" : "the points have")
                     : fmt::format("{} of {} points have", points - varying, points));
  if (varying == 0) return result;
  result.scenario = scenario;
  result.scenario->points = repeated_points(scenario.points, result.first, all);
  return result;
}

RepeatedTime repeated_time(const std::string& phase, std::vector<Seconds> times) {
  RepeatedTime result{.phase = phase, .times = times};
  const std::size_t n = times.size();
  const auto count = static_cast<double>(n);
  std::ranges::sort(times);
  Seconds sum;
  for (const Seconds time : times) sum += time;
  result.mean = sum / count;
  double squares = 0.0;
  for (const Seconds time : times) squares += std::pow((time - result.mean).si(), 2);
  const boost::math::students_t student(count - 1.0);
  const Seconds half(boost::math::quantile(student, 1.0 - outside / 2) * std::sqrt(squares / (count - 1.0) / count));
  result.mean_within = {result.mean - half, result.mean + half};
  result.median = n % 2 == 1 ? times[n / 2] : 0.5 * (times[n / 2 - 1] + times[n / 2]);
  if (const auto rank = median_rank(n)) result.median_within = Confidence{times[*rank], times[n - 1 - *rank]};
  return result;
}

void add_repeats(PointResult& point, const std::vector<std::int64_t>& seeds, const std::vector<RunResult>& others) {
  if (point.run.phases.empty() || others.empty()) return;
  Repeats repeats{.seeds = seeds, .times = {}};
  std::vector<std::string> phases{""};
  for (const auto& record : point.run.phases)
    if (std::ranges::find(phases, record.phase) == phases.end()) phases.push_back(record.phase);
  for (const auto& phase : phases) {
    const auto time = [&](const RunResult& run) { return phase.empty() ? run.makespan : run.phase_time(phase); };
    std::vector<Seconds> times{time(point.run)};
    for (const auto& run : others) times.push_back(time(run));
    repeats.times.push_back(repeated_time(phase, std::move(times)));
  }
  if (const auto* compared = repeats.of_phase(point.compared_phase)) point.simulated = compared->mean;
  point.repeats = std::move(repeats);
}

unsigned repeat_of(int asked) {
  if (asked < 1 || asked > repeat_max)
    throw InputError(fmt::format("--repeat: '{}' is outside 1..{}. Write '--repeat 10'?", asked, repeat_max));
  return static_cast<unsigned>(asked);
}

}  // namespace orrery::app
