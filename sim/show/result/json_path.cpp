#include "sim/show/result/json_path.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sim/show/summary/bottleneck.hpp"

namespace orrery::report {

using Json = nlohmann::ordered_json;

namespace {

/// Kinds that every platform has; of the others only those that held a flow back are written.
constexpr std::size_t resource_kinds_always = 6;

Json totals_json(const CriticalPath& path, const PathTotals& totals) {
  Json json{{"phase", totals.phase}, {"time_s", totals.time.si()}, {"left_out_s", totals.left_out.si()}};
  for (std::size_t k = 0; k < path_kinds; ++k)
    json["kinds_s"][path_kind_name(static_cast<PathKind>(k))] = totals.kinds[k].si();
  for (std::size_t k = 0; k < resource_kinds; ++k)
    if (k < resource_kinds_always || totals.saturated[k] > Seconds{})
      json["saturated_s"][resource_kind_name(static_cast<ResourceKind>(k))] = totals.saturated[k].si();
  json["own_limit_s"] = totals.own_limit.si();
  json["late_s"] = totals.late.si();
  Json resources = Json::array(), computing = Json::array(), less = Json::object();
  for (const auto& [resource, time] : totals.resources) resources.push_back({resource, time.si()});
  for (const auto& [rank, time] : totals.computing) computing.push_back({index(rank), time.si()});
  for (const PathCause& cause : path_causes(path, totals))
    if (!cause.if_free.empty()) less[cause.name] = cause.share;
  json["resources"] = {{"columns", {"resource", "time_s"}}, {"rows", std::move(resources)}};
  json["computing"] = {{"columns", {"rank", "time_s"}}, {"rows", std::move(computing)}};
  json["if_free_at_most_less_fraction"] = std::move(less);
  return json;
}

Json held_by_json(std::uint32_t held_by) {
  if (held_by == held_by_none) return nullptr;
  return held_by == held_by_cap ? Json("own-limit") : Json(held_by);
}

PathTotals totals_of(const Json& json, std::size_t resources) {
  const auto seconds = [](const Json& value) { return Seconds(value.get<double>()); };
  PathTotals totals{.phase = json.at("phase").get<std::string>(),
                    .time = seconds(json.at("time_s")),
                    .left_out = seconds(json.at("left_out_s")),
                    .own_limit = seconds(json.at("own_limit_s")),
                    .late = seconds(json.at("late_s"))};
  for (std::size_t k = 0; k < path_kinds; ++k)
    totals.kinds[k] = seconds(json.at("kinds_s").at(path_kind_name(static_cast<PathKind>(k))));
  for (std::size_t k = 0; k < resource_kinds; ++k)
    if (const auto known = json.at("saturated_s").find(resource_kind_name(static_cast<ResourceKind>(k)));
        k < resource_kinds_always || known != json.at("saturated_s").end())
      totals.saturated[k] = seconds(*known);
  for (const auto& row : json.at("resources").at("rows")) {
    totals.resources.push_back({row.at(0).get<std::uint32_t>(), seconds(row.at(1))});
    if (totals.resources.back().resource >= resources) throw std::out_of_range("critical_path names no such resource");
  }
  for (const auto& row : json.at("computing").at("rows"))
    totals.computing.push_back({Rank{row.at(0).get<std::uint32_t>()}, seconds(row.at(1))});
  return totals;
}

template <class Kind>
Kind kind_of(const std::string& name, std::size_t count, const char* (*name_of)(Kind)) {
  for (std::size_t k = 0; k < count; ++k)
    if (name == name_of(static_cast<Kind>(k))) return static_cast<Kind>(k);
  throw std::out_of_range("critical_path has an unknown kind '" + name + "'");
}

PathSegment segment_of(const Json& row, std::size_t resources) {
  PathSegment segment{kind_of(row.at(0).get<std::string>(), path_kinds, path_kind_name),
                      Rank{row.at(1).get<std::uint32_t>()},
                      row.at(2).is_null() ? any_rank : Rank{row.at(2).get<std::uint32_t>()},
                      Seconds(row.at(3).get<double>()), Seconds(row.at(4).get<double>())};
  const Json& held_by = row.at(5);
  if (held_by.is_string()) segment.held_by = held_by_cap;
  if (!held_by.is_number()) return segment;
  segment.held_by = held_by.get<std::uint32_t>();
  if (segment.held_by >= resources) throw std::out_of_range("critical_path names no such resource");
  return segment;
}

}  // namespace

Json critical_path_json(const CriticalPath& path) {
  Json resources = Json::array(), phases = Json::array(), segments = Json::array();
  for (const PathResource& resource : path.resources)
    resources.push_back({resource.name, resource_kind_name(resource.kind)});
  for (const PathTotals& totals : path.phases) phases.push_back(totals_json(path, totals));
  for (const PathSegment& s : path.segments)
    segments.push_back({path_kind_name(s.kind), index(s.rank), s.peer == any_rank ? Json(nullptr) : Json(index(s.peer)),
                        s.begin.si(), s.end.si(), held_by_json(s.held_by)});
  return {{"run", totals_json(path, path.run)},
          {"phases", std::move(phases)},
          {"resources", {{"columns", {"name", "kind"}}, {"rows", std::move(resources)}}},
          {"segments_in_all", path.segments_in_all},
          {"segments",
           {{"columns", {"kind", "rank", "to_rank", "begin_s", "end_s", "held_by_resource"}},
            {"rows", std::move(segments)}}}};
}

CriticalPath critical_path_of(const Json& json) {
  CriticalPath path{.kept = true};
  for (const auto& row : json.at("resources").at("rows"))
    path.resources.push_back(
        {row.at(0).get<std::string>(), kind_of(row.at(1).get<std::string>(), resource_kinds, resource_kind_name)});
  path.run = totals_of(json.at("run"), path.resources.size());
  for (const auto& totals : json.at("phases")) path.phases.push_back(totals_of(totals, path.resources.size()));
  for (const auto& row : json.at("segments").at("rows"))
    path.segments.push_back(segment_of(row, path.resources.size()));
  path.segments_in_all = json.at("segments_in_all").get<std::uint64_t>();
  return path;
}

}  // namespace orrery::report
