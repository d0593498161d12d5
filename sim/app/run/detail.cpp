#include "sim/app/run/detail.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "sim/report/json_bounds.hpp"

namespace orrery::app {

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

void keep_times(PointResult& point) {
  RunResult& run = point.run;
  run.phases = report::phase_sums(run.phases, 0);
  run.phases.shrink_to_fit();
  run.collectives = {};
  run.resources = {};
  run.kind_loads = {};
  run.activity_shares = {};
  run.activity_times = {};
  run.timelines = {};
  run.critical_path.segments = {};
  run.critical_path.resources = {};
  run.critical_path.run.resources = {};
  for (auto& phase : run.critical_path.phases) phase.resources = {};
  point.node_names = {};
  point.partition.reset();
  point.traffic = {};
  point.network_loads = {};
  point.layout.placements.shrink_to_fit();
  for (auto& prediction : point.predictions) prediction.terms = {};
}

}  // namespace orrery::app
