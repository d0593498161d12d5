#include "sim/study/play/detail.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "sim/show/result/json_bounds.hpp"

namespace orrery::study {

namespace {

constexpr std::size_t ranks_traced = 256;  // the engines keep time lines of no more
constexpr std::uint32_t per_rank_max = 400;
constexpr std::size_t loads_max = 40, loads_of_each_kind = 4;

/// In steps, so that a sweep that grows finds most of its old points again.
std::size_t intervals_per_point(std::size_t points) {
  if (points <= 8) return 20'000;
  if (points <= 32) return 5'000;
  return points <= 200 ? 1'250 : 0;  // of more points no report draws time lines
}

/// Bytes carried over what the capacity allows; the same order as the report's.
double used(const ResourceRecord& resource) {
  return resource.capacity.si() > 0.0 ? resource.bytes / resource.capacity / Seconds(1.0) : 0.0;
}

}  // namespace

std::uint32_t intervals_per_rank(std::size_t ranks, std::size_t points) {
  const std::size_t traced = std::clamp<std::size_t>(ranks, 1, ranks_traced);
  return static_cast<std::uint32_t>(std::min<std::size_t>(per_rank_max, intervals_per_point(points) / traced));
}

void keep_busiest_loads(RunResult& run) {
  std::vector<ResourceRecord*> ranked;
  for (auto& resource : run.resources) ranked.push_back(&resource);
  std::ranges::stable_sort(ranked, std::ranges::greater{}, [](const auto* resource) { return used(*resource); });
  std::array<std::size_t, resource_kinds> of_kind{};
  std::size_t others = 0;
  for (auto* resource : ranked) {
    const bool first_of_kind = of_kind[static_cast<std::size_t>(resource->kind)]++ < loads_of_each_kind;
    if (!first_of_kind && ++others > loads_max) resource->load = {};
  }
}

namespace {

/// Assigning {} to a vector keeps its memory.
template <class Vector>
void drop(Vector& vector) {
  Vector().swap(vector);
}

/// The totals of a path without what held back its flows.
CriticalPath path_times(const CriticalPath& all) {
  CriticalPath path;
  path.kept = all.kept;
  path.run = all.run;
  path.phases = all.phases;
  path.segments_in_all = all.segments_in_all;
  drop(path.run.resources);
  for (auto& phase : path.phases) drop(phase.resources);
  return path;
}

}  // namespace

void keep_times(PointResult& point) {
  // What stays is moved into a new run: a vector that is emptied keeps its memory.
  RunResult run, all = std::exchange(point.run, {});
  run.engine = std::move(all.engine);
  run.makespan = all.makespan;
  run.messages = all.messages;
  run.unexpected_messages = all.unexpected_messages;
  run.imbalance = all.imbalance;
  run.unreceived = std::move(all.unreceived);
  run.phases = show::phase_sums(all.phases, 0);
  run.activity_group = all.activity_group;
  run.timelines_cut = all.timelines_cut;
  run.timelines_bin = all.timelines_bin;
  run.critical_path = path_times(all.critical_path);
  run.wall_s = all.wall_s;
  point.run = std::move(run);
  point.partition.reset();
  point.network_outline.reset();
  drop(point.traffic);
  drop(point.rounds);
  drop(point.network_loads);
  drop(point.node_names);
  for (auto& prediction : point.predictions) drop(prediction.terms);
  point.run.phases.shrink_to_fit();
  point.layout.placements.shrink_to_fit();
  point.predictions.shrink_to_fit();
}

}  // namespace orrery::study
