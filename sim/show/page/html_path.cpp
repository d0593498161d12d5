#include <nlohmann/json.hpp>

#include "sim/show/page/html_parts.hpp"
#include "sim/show/summary/bottleneck.hpp"

namespace orrery::show {

namespace {

using Json = nlohmann::ordered_json;

/// [name, share, if free, where, its share]
Json bar_json(const CriticalPath& path, const PathTotals& totals) {
  Json causes = Json::array();
  for (const PathCause& cause : path_causes(path, totals))
    causes.push_back(Json::array({cause.name, cause.share, cause.if_free, cause.where, cause.where_share}));
  return {{"of", path_subject(totals)}, {"time_s", totals.time.si()}, {"causes", std::move(causes)}};
}

}  // namespace

Json path_json(const PointResult& point) {
  const CriticalPath& path = point.run.critical_path;
  if (!path.kept || path.run.time <= Seconds{}) return nullptr;
  const PathTotals& compared = path.of_phase(point.compared_phase);
  Json bars = Json::array({bar_json(path, compared)});
  if (&compared != &path.run) bars.push_back(bar_json(path, path.run));
  return bars;
}

Json path_segments_json(const CriticalPath& path, Seconds end, const Ticks& ticks) {
  Json flat = Json::array(), names = Json::array(), kinds = Json::array();
  for (const PathResource& resource : path.resources) names.push_back(resource.name);
  for (std::size_t k = 0; k < path_kinds; ++k) kinds.push_back(path_kind_name(static_cast<PathKind>(k)));
  for (const PathSegment& s : path.segments) {
    if (s.begin >= end) break;
    flat.insert(flat.end(),
                {static_cast<std::int64_t>(s.kind), static_cast<std::int64_t>(index(s.rank)),
                 s.peer == any_rank ? -1 : static_cast<std::int64_t>(index(s.peer)), ticks(s.begin), ticks(s.end),
                 s.held_by == held_by_none  ? -2
                 : s.held_by == held_by_cap ? -1
                                            : static_cast<std::int64_t>(s.held_by)});
  }
  const bool whole = path.segments.size() == path.segments_in_all;
  return {
      {"kinds", std::move(kinds)}, {"resources", std::move(names)}, {"segments", std::move(flat)}, {"whole", whole}};
}

}  // namespace orrery::show
