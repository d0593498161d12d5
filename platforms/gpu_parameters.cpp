#include "platforms/gpu_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "platforms/fabric.hpp"
#include "platforms/sharing.hpp"

namespace orrery {

namespace {

constexpr Bytes long_message{1e9}, longest_chunk{524288.0};

/// What an adapter that sends and receives carries of messages in NCCL's longest chunks: gaps between them take their part.
BytesPerSecond payload_of(const Network& network) {
  const BytesPerSecond alone = network.protocol.wire_efficiency(long_message) * bandwidth_both_full(network);
  return longest_chunk / (longest_chunk / alone + network.protocol.hop_gap);
}

HopLatency with_gap(HopLatency hops, Seconds gap) {
  for (Seconds& hop : hops) hop += gap;
  return hops;
}

/// What NCCL reckons with where the network tells it a latency: its own hops of a tree and that, by Simple twice.
HopLatency reckoned(Seconds reported) {
  if (reported == Seconds{}) return {};
  return {Seconds{5e-6} + reported, Seconds{8.5e-6} + reported, Seconds{14e-6} + 2.0 * reported};
}

/// A hop that is not stated takes what any message does.
HopLatency hops(const HopLatency& stated, Seconds otherwise) {
  HopLatency all = stated;
  for (Seconds& hop : all)
    if (hop == Seconds{}) hop = otherwise;
  return all;
}

/// Of the job's nodes so many are on one switch, on average.
std::uint32_t nodes_of_a_switch(const Layout& layout, std::uint32_t first, std::uint32_t span) {
  const std::vector<NodeId> nodes = layout.nodes();
  std::set<std::uint32_t> switches;
  for (const NodeId node : nodes) switches.insert((static_cast<std::uint32_t>(node) - first) / span);
  return static_cast<std::uint32_t>(nodes.size() / switches.size());
}

/// Whether a single cable, each another one, equally wide, joins each two GPUs.
bool joined_pairwise(const FabricRoutes& inside, std::uint32_t gpus) {
  std::set<std::uint32_t> cables;
  for (std::uint32_t a = 0; a < gpus; ++a)
    for (std::uint32_t b = a + 1; b < gpus; ++b) {
      const auto way = inside.route(inside.gpu(a), inside.gpu(b));
      if (way.size() != 1 || !cables.insert(way.front() / 2).second) return false;
    }
  const auto bandwidth = [&](std::uint32_t cable) { return inside.fabric().cables[cable].bandwidth; };
  return std::ranges::all_of(cables, [&](std::uint32_t c) { return bandwidth(c) == bandwidth(*cables.begin()); });
}

/// Numbers of the job's GPUs on its first node.
std::vector<std::uint32_t> gpus_of_node(const Layout& layout) {
  std::set<std::uint32_t> numbers;
  for (const Placement& place : layout.placements)
    if (place.node == layout.placements.front().node) numbers.insert(place.socket_of_node);
  return {numbers.begin(), numbers.end()};
}

/// Cables from GPU to GPU, counted in the narrowest of them; none: there are none.
struct Mesh {
  GpuLinks links;
  BytesPerSecond each{std::numeric_limits<double>::infinity()};
};
Mesh mesh_of(const FabricRoutes& inside, std::uint32_t gpus) {
  Mesh mesh{{gpus, std::vector<std::uint32_t>(std::size_t{gpus} * gpus)}};
  const std::uint32_t first = inside.gpu(0);
  const auto between_gpus = [&](const Fabric::Cable& cable) {
    return cable.kind != ResourceKind::pcie && cable.from - first < gpus && cable.to - first < gpus;  // modulo 2^32
  };
  for (const Fabric::Cable& cable : inside.fabric().cables)
    if (between_gpus(cable)) mesh.each = std::min(mesh.each, cable.bandwidth);
  for (const Fabric::Cable& cable : inside.fabric().cables)
    if (between_gpus(cable)) {
      const auto count = static_cast<std::uint32_t>(cable.bandwidth / mesh.each + 1e-9);
      const std::uint32_t a = cable.from - first, b = cable.to - first;
      mesh.links.counts[a * gpus + b] += count;
      mesh.links.counts[b * gpus + a] += count;
    }
  return mesh;
}

/// What the links of the job's GPUs carry, and what a message between two of them takes.
struct Hop {
  BytesPerSecond link{std::numeric_limits<double>::infinity()};
  Seconds latency;
  std::string detour = {};
};
Hop hop_between(const FabricRoutes& inside, std::uint32_t a, std::uint32_t b, Seconds message) {
  Hop hop{.latency = message};
  for (const std::uint32_t one : inside.route(inside.gpu(a), inside.gpu(b))) {
    const Fabric::Cable& cable = inside.fabric().cables[one / 2];
    hop.link = std::min(hop.link, cable.bandwidth);
    hop.latency += cable.latency;
  }
  if (!inside.by_own_links(inside.gpu(a), inside.gpu(b)))
    hop.detour = inside.words(inside.gpu(a)) + " to " + inside.words(inside.gpu(b));
  return hop;
}

/// The narrowest of a ring in the order of their numbers.
Hop narrowest_hop(const FabricRoutes& inside, std::vector<std::uint32_t> gpus, Seconds message) {
  const bool alone = gpus.size() < 2;
  if (alone) gpus = {0, 1};  // what others would meet
  Hop narrowest{.latency = message};
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    Hop hop = hop_between(inside, gpus[i], gpus[(i + 1) % gpus.size()], message);
    if (hop.link < narrowest.link) narrowest = std::move(hop);
  }
  if (alone) narrowest.detour.clear();
  return narrowest;
}

/// Links, rings and the switch of the job's GPUs.
void add_links(GpuParameters& parameters, const NodeType& type, const Layout& layout) {
  const auto gpus = static_cast<std::uint32_t>(type.gpus.size());
  const FabricRoutes inside(type);
  const std::vector<std::uint32_t> used = gpus_of_node(layout);
  std::vector<std::uint32_t> elements;
  for (const std::uint32_t number : used) elements.push_back(inside.gpu(number));
  const bool one_switch = inside.common_switch(elements).has_value();
  const auto& messages = *type.gpu_messages;
  Hop hop{.latency = messages.latency};
  if (gpus > 1) hop = narrowest_hop(inside, used, messages.latency);
  parameters.pairwise = joined_pairwise(inside, gpus);
  if (!one_switch && !parameters.pairwise && used.size() > 2) {
    const Mesh mesh = mesh_of(inside, gpus);
    parameters.mesh = std::make_shared<const GpuLinks>(mesh.links);
    if (const auto rings = rings_over(mesh.links, used); !rings.empty())
      hop = {static_cast<double>(rings.size()) * mesh.each,
             hop_between(inside, used[rings.front()[0]], used[rings.front()[1]], messages.latency).latency};
  }
  parameters.link = messages.protocol.wire_efficiency(long_message) * hop.link;
  parameters.hop = hops(messages.protocol.hop_latency, hop.latency);
  parameters.detour = std::move(hop.detour);
  if (!messages.multicast || !one_switch) return;
  parameters.in_switch = messages.multicast->efficiency * hop.link;
  parameters.in_switch_latency = messages.multicast->latency;
  parameters.staging = messages.multicast->staging;
}

}  // namespace

std::string gpus_missing(const Platform& platform, const Layout& layout) {
  if (layout.placements.empty() || !std::ranges::all_of(layout.placements, &Placement::gpu))
    return "some ranks are on cores";
  const std::uint32_t number = layout.placements.front().node_type;
  if (std::ranges::any_of(layout.placements, [&](const Placement& place) { return place.node_type != number; }))
    return "the GPUs are of several types of node";
  const NodeType& type = platform.node_types[number];
  if (!type.fabric.described()) return fmt::format("no 'fabric' joins the GPUs of '{}'", type.name);
  if (!type.gpu_messages) return fmt::format("the GPUs of '{}' have no 'gpu-messages'", type.name);
  return {};
}

std::shared_ptr<const GpuParameters> gpu_parameters(const Platform& platform, const Network& network, const Layout& layout) {
  if (!gpus_missing(platform, layout).empty()) return nullptr;
  const std::uint32_t number = layout.placements.front().node_type;
  const NodeType& type = platform.node_types[number];
  const auto& messages = *type.gpu_messages;
  const std::uint32_t span = std::max(1u, type.fabric.span),
                      first = static_cast<std::uint32_t>(platform.first_node_of(number));
  const std::uint32_t together = nodes_of_a_switch(layout, first, span);
  GpuParameters parameters{
      .link = {},
      .adapters = static_cast<double>(together * network.adapters.of_type(number)) * payload_of(network),
      .hop = {},
      .network_hop = with_gap(hops(network.protocol.hop_latency, network.latency), network.protocol.hop_gap),
      .reckoned_hop = reckoned(network.protocol.hop_reported),
      .ll_limit = network.protocol.hop_ll_limit,
      .rails = together * std::min(static_cast<std::uint32_t>(type.gpus.size()), network.adapters.of_type(number)),
      .span = span,
      .first_node = first};
  add_links(parameters, type, layout);
  const bool on_network = layout.nodes().size() > together;  // else the network's adapters carry none of it
  for (std::size_t i = 0; i < gpu_protocols; ++i) {
    const auto protocol = static_cast<GpuProtocol>(i + 1);
    parameters.carried[i] = messages.protocol.carries(protocol) && (!on_network || network.protocol.carries(protocol));
  }
  return std::make_shared<const GpuParameters>(parameters);
}

}  // namespace orrery
