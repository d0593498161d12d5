#include "sim/study/play/repeats.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/stats/repeated.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"
#include "sim/study/read/point.hpp"

namespace orrery::study {

namespace {

constexpr int repeat_max = 10'000;

/// Seeds of what is drawn of a point: compute times, the ways of messages, its nodes.
struct Drawn {
  std::optional<std::int64_t> compute, routing, placement;

  bool any() const { return compute || routing || placement; }
  /// By which a repetition is called.
  std::int64_t first() const { return compute ? *compute : routing ? *routing : placement.value_or(1); }
};

Drawn drawn_of(const LoadedPoint& point) {
  Drawn drawn;
  const Routing& routing = point.network->routing;
  if (point.compute_varies) drawn.compute = point.compute_seed;
  if (routing.kind != Routing::Kind::deterministic) drawn.routing = static_cast<std::int64_t>(routing.seed);
  if (point.placement_seed) drawn.placement = static_cast<std::int64_t>(*point.placement_seed);
  return drawn;
}

/// The point with other seeds; its settings say nothing of them, since they tell the points of the sweep apart.
PointSpec with_seed(PointSpec point, const Drawn& drawn, std::int64_t further) {
  if (drawn.compute) {
    const std::string seed = fmt::format("{}", *drawn.compute + further);
    auto& settings = point.compute.settings;
    std::erase_if(settings, [](const auto& setting) { return setting.name == "seed"; });
    settings.push_back({"seed", seed, "--repeat"});
    point.flat["compute.seed"] = seed;
  }
  if (drawn.routing) {
    const std::string path = fmt::format("networks.{}.routing.seed", point.network);
    std::erase_if(point.platform.changes, [&](const auto& change) { return change.path == path; });
    const auto value = config::parse_yaml(fmt::format("seed: {}\n", *drawn.routing + further), "--repeat");
    point.platform.changes.push_back({path, value.root().value("seed")});
  }
  if (drawn.placement) point.layout.seed = static_cast<std::uint64_t>(*drawn.placement + further);
  return point;
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
  const auto untimed = [](const LoadedPoint&, const PointSpec&, const std::string&) {
    return Seconds{};
  };  // what varies is asked, not who owns what
  PointLoader loader(scenario.folder(), scenario.engine, scenario.ignore_memory, untimed);
  std::size_t varying = 0, plays = 0;
  std::vector<Drawn> all;
  for (const PointSpec& spec : scenario.points) {
    const LoadedPoint point = loader.load(spec);
    result.first.push_back(plays);
    const Drawn& drawn = all.emplace_back(drawn_of(point));
    if (drawn.any() && !spec.jobs.empty())
      throw InputError(
          "--repeat: a point of several jobs is not repeated with other seeds (each job has its own). Sweep them, as "
          "in "
          "'jobs.a.compute.seed: [1, 2, 3]'?");
    result.seeds.push_back({drawn.first()});
    if (drawn.any()) {
      ++varying;
      for (unsigned k = 1; k < repeat; ++k) result.seeds.back().push_back(drawn.first() + k);
    }
    plays += result.seeds.back().size();
  }
  result.first.push_back(plays);
  const std::size_t points = scenario.points.size();
  if (varying < points)
    result.note = fmt::format(
        "{} no random part (noise, host-spread, day-spread of the compute model; overhead-variation, start-skew of the "
        "platform; routing other than deterministic; random placement on some of the nodes), so that all repetitions "
        "would be equal: played once",
        varying == 0 ? (points == 1 ? "the run has" : "the points have")
                     : fmt::format("{} of {} points have", points - varying, points));
  if (varying == 0) return result;
  result.scenario = scenario;
  result.scenario->points = repeated_points(scenario.points, result.first, all);
  return result;
}

Repeats repeats_of(const std::vector<std::int64_t>& seeds, const std::vector<RunResult>& runs) {
  std::vector<std::string> phases{""};
  for (const auto& record : runs.front().phases)
    if (std::ranges::find(phases, record.phase) == phases.end()) phases.push_back(record.phase);
  Repeats repeats{.seeds = seeds, .times = {}};
  for (const auto& phase : phases) {
    std::vector<Seconds> times;
    times.reserve(runs.size());
    for (const RunResult& run : runs) times.push_back(phase.empty() ? run.makespan : run.phase_time(phase));
    if (phase.empty()) repeats.shown = seeds[stats::median_run(times)];
    repeats.times.push_back(stats::repeated_time(phase, std::move(times)));
  }
  return repeats;
}

unsigned repeat_of(int asked) {
  if (asked < 1 || asked > repeat_max)
    throw InputError("--repeat: '{}' is outside 1..{}. Write '--repeat 10'?", asked, repeat_max);
  return static_cast<unsigned>(asked);
}

}  // namespace orrery::study
