// Faults of a `what-if` that nothing of the run meets, and models that know nothing of them.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "platforms/routes.hpp"
#include "platforms/sharing.hpp"
#include "sim/study/play/point_notes.hpp"

namespace orrery::study {

namespace {

/// Whether a message of the program would cross one of these links if it were not dead; true where nobody can tell.
bool would_be_crossed(const std::vector<LinkId>& links, const PointResult& point, const LoadedPoint& loaded) {
  if (point.traffic.empty() || point.traffic_group != 1) return true;
  const auto routes = build_routes(*loaded.platform, *loaded.network);
  const std::set<LinkId> dead(links.begin(), links.end());
  const auto crosses = [&](AdapterId from, AdapterId to) {
    std::vector<LinkId> way;
    const bool one = loaded.network->routing.kind == Routing::Kind::deterministic;
    const PathCounts paths = one ? PathCounts{} : routes->paths(from, to);
    if (paths.minimal > 64 || paths.detours > 0) return true;
    for (std::uint64_t i = 0; i < paths.minimal; ++i)
      if (one)
        routes->append_route(from, to, way);
      else
        routes->append_path(from, to, i, way);
    return std::ranges::any_of(way, [&](LinkId link) { return dead.contains(link); });
  };
  const auto adapters = [&](NodeId node) { return loaded.network->adapters.of_type(loaded.platform->type_of(node)); };
  for (std::uint32_t from = 0; from < point.traffic.size(); ++from)
    for (std::uint32_t to = 0; to < point.traffic.size(); ++to) {
      const NodeId a = loaded.layout.of(Rank{from}).node, b = loaded.layout.of(Rank{to}).node;
      if (point.traffic[from][to].messages == 0 || a == b) continue;
      for (std::uint32_t i = 0; i < adapters(a); ++i)
        for (std::uint32_t k = 0; k < adapters(b); ++k)
          if (crosses(routes->adapter(a, i), routes->adapter(b, k))) return true;
    }
  return false;
}

bool is_met(const Faulted::Effect& effect, const PointResult& point, const LoadedPoint& loaded) {
  if (!effect.slower.empty()) return true;
  if (effect.links.empty()) return false;
  if (effect.down || !alone_words(*loaded.network).empty()) return would_be_crossed(effect.links, point, loaded);
  return std::ranges::any_of(point.run.resources, [&](const ResourceRecord& resource) {
    return resource.link != no_link && resource.bytes > Bytes{} &&
           std::ranges::find(effect.links, LinkId{resource.link}) != effect.links.end();
  });
}

}  // namespace

void PointNotes::see_what_if(const PointResult& point, const LoadedPoint& loaded) {
  if (!point.failure.empty() || point.run.phases.empty()) return;
  for (const Faulted::Effect& effect : loaded.what_if.effects)
    if (!is_met(effect, point, loaded))
      add("what-if",
          fmt::format("what-if {} changes nothing: no {} of this run is there", effect.text,
                      effect.links.empty() ? "rank" : "message"),
          point);
  if (loaded.what_if.platform && !point.predictions.empty())
    add("what-if models",
        "models predict for the network as the platform states it: of a 'what-if' they know slower nodes alone", point);
}

}  // namespace orrery::study
