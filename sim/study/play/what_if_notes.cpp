// Faults of a `what-if` that nothing of the run meets, and models that know nothing of them. What the file of a program
// says that was changed, and whose choice of algorithms was played.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kernels/collectives/algorithm.hpp"
#include "platforms/routes.hpp"
#include "platforms/sharing.hpp"
#include "sim/core/quantity_text.hpp"
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

/// What its file says that was dropped or changed.
void PointNotes::see_trace(const PointResult& point, const LoadedPoint& loaded) {
  if (!loaded.trace) return;
  for (const std::string& note : loaded.trace->notes) {
    const std::string sentence = fmt::format("{}: {}", loaded.trace->file, note);
    add(sentence, sentence, point);
  }
}

namespace {

constexpr double share_worth_saying = 0.1;  // of the run
constexpr Bytes alike_from{2097152.0};      // libraries differ little beyond

/// Node-aware algorithms of an operation, of those that run anywhere.
std::string_view node_aware(Operation operation) {
  switch (operation) {
    case Operation::allreduce:
      return "smp_rdb";
    case Operation::reduce:
      return "two_level";
    case Operation::bcast:
      return "SMP_binomial";
    case Operation::barrier:
      return "mpich_smp";
    default:
      return {};
  }
}

/// Whether ranks share nodes, and are on several.
bool share_several_nodes(const Layout& layout) {
  const std::size_t nodes = layout.nodes().size();
  return nodes > 1 && nodes < layout.ranks();
}

}  // namespace

/// Collectives that the tables of Open MPI's coll/tuned chose, and that take time: on nodes of several ranks they are
/// not what many MPI libraries run.
void PointNotes::see_library(const PointResult& point, const LoadedPoint& loaded) {
  if (!share_several_nodes(loaded.layout) || !(point.run.makespan > Seconds{})) return;
  if (std::ranges::any_of(loaded.layout.placements, &Placement::gpu)) return;  // others choose there
  const auto settings = loaded.parameters.rendered();
  if (std::ranges::none_of(settings, [](const auto& setting) { return setting.second == "openmpi"; })) return;
  const CollectiveRecord* longest = nullptr;
  for (const CollectiveRecord& record : point.run.collectives) {
    if (node_aware(record.operation).empty() || record.algorithm == node_aware(record.operation)) continue;
    if (record.bytes >= alike_from || record.time < share_worth_saying * point.run.makespan) continue;
    if (longest == nullptr || record.time > longest->time) longest = &record;
  }
  if (longest == nullptr) return;
  add("openmpi",
      fmt::format("'openmpi' stands for the tables of Open MPI's component 'tuned', which do not look at nodes: {} of "
                  "{} on {} ranks was played as '{}'. Open MPI 5 (han), hcoll, UCC and Intel MPI have node-aware ones, "
                  "and may take a fraction of the time. '{}' is of that kind",
                  operation_name(longest->operation), to_text(longest->bytes), longest->ranks, longest->algorithm,
                  node_aware(longest->operation)),
      point);
}

}  // namespace orrery::study
