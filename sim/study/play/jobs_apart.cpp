#include "sim/study/play/jobs_apart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "platforms/routes.hpp"
#include "sim/core/error.hpp"
#include "sim/study/read/job_nodes.hpp"

namespace orrery::study {

namespace {

constexpr std::size_t looked_at_max = 24;  // of a job whose links are looked at
constexpr std::uint64_t paths_max = 64;    // between two of its adapters

/// So many of the nodes, spread over them.
std::vector<NodeId> some_of(const std::vector<NodeId>& nodes) {
  if (nodes.size() <= looked_at_max) return nodes;
  std::vector<NodeId> some;
  for (std::size_t i = 0; i < looked_at_max; ++i) some.push_back(nodes[i * nodes.size() / looked_at_max]);
  return some;
}

/// Links that messages between the nodes take on the first path of each pair, or may take on any shortest one.
std::set<LinkId> links_of(const Routes& routes, const LoadedPoint& point, const std::vector<NodeId>& all,
                          bool every_path) {
  const std::vector<NodeId> nodes = some_of(all);
  std::vector<LinkId> links;
  for (const NodeId from : nodes)
    for (const NodeId to : nodes) {
      const auto adapters = [&](NodeId node) { return point.network->adapters.of_type(point.platform->type_of(node)); };
      for (std::uint32_t a = 0; from != to && a < std::min(adapters(from), adapters(to)); ++a) {
        const AdapterId sends = routes.adapter(from, a), receives = routes.adapter(to, a);
        routes.append_route(sends, receives, links);
        const std::uint64_t paths = every_path ? std::min(paths_max, routes.paths(sends, receives).minimal) : 0;
        for (std::uint64_t path = 0; path < paths; ++path) routes.append_path(sends, receives, path, links);
      }
    }
  return {links.begin(), links.end()};
}

/// The jobs on nodes in this order, but for those whose layouts say their nodes; empty where such nodes are not free.
std::vector<Layout> placed_in(const LoadedPoint& point, const PointSpec& spec, JobSpec::Nodes nodes) {
  std::vector<JobSpec> jobs(spec.jobs.begin(), spec.jobs.end());
  std::vector<Layout> layouts;
  for (const auto& own : point.of_jobs) layouts.push_back(own->layout);
  std::vector<PlacedJob> placed;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const auto& row = jobs[j].point->layout.own;
    const bool named = row && row->spread &&
                       (!row->spread->nodes.listed.empty() || !row->spread->nodes.named.empty() ||
                        row->spread->nodes.order != NodeOrder::contiguous);
    if (!named) jobs[j].nodes = nodes;
    placed.push_back({&jobs[j], &layouts[j], named});
  }
  try {
    place_jobs(*point.platform, placed);
  } catch (const InputError&) {
    return {};
  }
  return layouts;
}

/// A change that might let two jobs meet.
struct Change {
  std::string text;
  std::vector<NodeId> one, other;  ///< their nodes then
  bool every_path = false;         ///< routes are drawn, or chosen
};

bool meet(const Routes& routes, const LoadedPoint& point, const Change& change) {
  const std::set<LinkId> one = links_of(routes, point, change.one, change.every_path),
                         other = links_of(routes, point, change.other, change.every_path);
  return std::ranges::any_of(one, [&](LinkId link) { return other.contains(link); });
}

}  // namespace

std::string what_lets_meet(const LoadedPoint& point, const PointSpec& spec, std::size_t one, std::size_t other) {
  const auto routes = build_routes(*point.platform, *point.network);
  if (routes->first_cable() == routes->end_of_cables()) return {};  // a star: only nodes are shared
  const std::string hash = fmt::format(
      "routes drawn for each pair of ranks ('--set platform.networks.{}.routing.kind=hash')", point.network->name);
  const bool can_draw = point.network->routing.kind == Routing::Kind::deterministic;
  std::vector<Change> alone, together;
  for (const auto& [nodes, word] :
       {std::pair{JobSpec::Nodes::interleaved, "interleaved"}, std::pair{JobSpec::Nodes::random, "random"}}) {
    if (spec.jobs[one].nodes == nodes && spec.jobs[other].nodes == nodes) continue;
    const std::vector<Layout> layouts = placed_in(point, spec, nodes);
    if (layouts.empty()) continue;
    const std::string text = fmt::format("'nodes: {}' of both jobs", word);
    alone.push_back({text, layouts[one].nodes(), layouts[other].nodes(), !can_draw});
    if (can_draw) together.push_back({text + " and " + hash, layouts[one].nodes(), layouts[other].nodes(), true});
  }
  if (can_draw) alone.push_back({hash, point.of_jobs[one]->layout.nodes(), point.of_jobs[other]->layout.nodes(), true});
  for (std::vector<Change>* changes : {&alone, &together}) {
    std::erase_if(*changes, [&](const Change& change) { return !meet(*routes, point, change); });
    std::string text;
    for (std::size_t i = 0; i < changes->size(); ++i)
      text += (i == 0 ? "" : i + 1 == changes->size() ? ", or " : ", ") + (*changes)[i].text;
    if (!text.empty()) return text;
  }
  return {};
}

}  // namespace orrery::study
