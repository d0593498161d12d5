#include "platforms/routes.hpp"

#include <fmt/format.h>

#include "platforms/faults.hpp"
#include "platforms/routes_detail.hpp"
#include "sim/core/error.hpp"

namespace orrery {

std::vector<LinkId> Routes::route(NodeId from, NodeId to) const {
  std::vector<LinkId> links;
  append_route(from, to, links);
  return links;
}

Seconds Routes::latency(NodeId from, NodeId to) const {
  Seconds sum;
  for (const LinkId id : route(from, to)) sum += parameters(id).latency;
  return sum;
}

BytesPerSecond Routes::bandwidth(NodeId from, NodeId to) const {
  BytesPerSecond narrowest;
  for (const LinkId id : route(from, to)) {
    const BytesPerSecond width = parameters(id).bandwidth;
    if (narrowest.si() == 0.0 || width < narrowest) narrowest = width;
  }
  return narrowest;
}

std::optional<LinkId> Routes::medium_at(std::uint32_t number) const {
  const std::uint32_t vertex = adapters() + number;
  for (auto i = static_cast<std::uint32_t>(index(end_of_cables())); i < links() && is_shared(LinkId{i}); ++i)
    if (ends(LinkId{i}) == std::pair(vertex, vertex)) return LinkId{i};
  return std::nullopt;
}

namespace {

/// One switch, all adapters on it.
class StarRoutes final : public SwitchedRoutes {
 public:
  StarRoutes(const Platform& platform, const Network& network) : SwitchedRoutes(platform, network) {
    const auto* star = std::get_if<StarTopology>(&network.topology);
    if (star == nullptr || !star->backbone) return;
    const Medium& of = *star->backbone;
    backbone_.push_back({{ResourceKind::medium, of.bandwidth, of.latency, of.sharing == Sharing::none},
                         0,
                         0,
                         "backbone",
                         "the backbone"});
  }
  std::uint32_t switches() const override { return 1; }
  std::string switch_name(std::uint32_t) const override { return "switch"; }
  std::string switch_words(std::uint32_t) const override { return "the switch"; }

 protected:
  std::uint32_t switch_links() const override { return 0; }
  std::uint32_t switch_of(std::uint32_t) const override { return 0; }
  std::pair<std::uint32_t, std::uint32_t> switch_ends(std::uint32_t) const override { return {0, 0}; }
  void append_switch_route(std::uint32_t, std::uint32_t, std::vector<LinkId>&) const override {}
  std::span<const SharedPart> shared_parts() const override { return backbone_; }
  void append_parts(std::uint32_t, std::span<const LinkId>, std::vector<std::uint32_t>& into) const override {
    if (!backbone_.empty()) into.push_back(0);
  }

 private:
  std::vector<SharedPart> backbone_;  ///< one or none
};

/// How many adapters, or nodes of a torus (whose routers are the nodes' own), the topology holds.
std::uint64_t places_of(const Topology& topology, std::uint64_t wanted) {
  std::uint64_t places = 1;
  if (const auto* tree = std::get_if<FatTreeTopology>(&topology)) {
    for (const auto down : tree->down) places *= down;
  } else if (const auto* torus = std::get_if<TorusTopology>(&topology)) {
    for (const auto size : torus->dimensions) places *= size;
  } else if (const auto* fly = std::get_if<DragonflyTopology>(&topology)) {
    places = std::uint64_t{fly->groups} * fly->routers * fly->nodes;
  } else if (const auto* plus = std::get_if<DragonflyPlusTopology>(&topology)) {
    places = std::uint64_t{plus->cells} * plus->leaves * plus->nodes;
  } else {
    places = wanted;
  }
  return places;
}

/// Without faults.
std::unique_ptr<Routes> routes_as_stated(const Platform& platform, const Network& network, const std::string& where) {
  if (std::holds_alternative<TorusTopology>(network.topology)) return make_torus_routes(platform, network);
  if (std::holds_alternative<FatTreeTopology>(network.topology)) return make_fat_tree_routes(platform, network);
  if (std::holds_alternative<DragonflyTopology>(network.topology)) return make_dragonfly_routes(platform, network);
  if (std::holds_alternative<DragonflyPlusTopology>(network.topology))
    return make_dragonfly_plus_routes(platform, network);
  if (std::holds_alternative<GraphTopology>(network.topology)) return make_graph_routes(platform, network, where);
  return std::make_unique<StarRoutes>(platform, network);
}

}  // namespace

std::unique_ptr<Routes> build_routes(const Platform& platform, const Network& network, const std::string& where) {
  if (where.empty())
    return build_routes(platform, network, platform.file.empty() ? "platform '" + platform.name + "'" : platform.file);
  const AdapterPlaces adapters(platform, network);
  const bool torus = std::holds_alternative<TorusTopology>(network.topology);
  const std::uint64_t wanted = torus ? adapters.joined() : adapters.places();
  if (const auto places = places_of(network.topology, wanted); places < wanted) {
    const bool of_nodes = adapters.one_each() || torus;
    if (adapters.in_leaves() && !of_nodes)
      throw InputError(
          "{}: network '{}' has {} places, but rails of the platform's {} nodes take {} (each fills leaves of its "
          "own). "
          "Enlarge its topology, or use fewer adapters?",
          where, network.name, places, adapters.joined(), wanted);
    throw InputError(
        "{}: network '{}' has {} places, but the platform has {} {} (each needs a place). Enlarge its topology{}?",
        where, network.name, places, wanted, of_nodes ? "nodes" : "adapters",
        of_nodes ? "" : ", or use fewer adapters");
  }
  return with_faults(routes_as_stated(platform, network, where), network);
}

}  // namespace orrery
