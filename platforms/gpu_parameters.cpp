#include "platforms/gpu_parameters.hpp"

#include <algorithm>
#include <set>

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

/// Whether a single cable, each another one, joins each two GPUs.
bool joined_pairwise(const FabricRoutes& inside, std::uint32_t gpus) {
  std::set<std::uint32_t> cables;
  for (std::uint32_t a = 0; a < gpus; ++a)
    for (std::uint32_t b = a + 1; b < gpus; ++b) {
      const auto way = inside.route(inside.gpu(a), inside.gpu(b));
      if (way.size() != 1 || !cables.insert(way.front() / 2).second) return false;
    }
  return true;
}

}  // namespace

std::shared_ptr<const GpuParameters> gpu_parameters(const Platform& platform, const Network& network,
                                                    const Layout& layout) {
  if (layout.placements.empty()) return nullptr;
  const std::uint32_t number = layout.placements.front().node_type;
  const auto alike = [&](const Placement& place) { return place.gpu && place.node_type == number; };
  const NodeType& type = platform.node_types[number];
  if (!std::ranges::all_of(layout.placements, alike) || !type.gpu_messages || type.gpus.size() < 2) return nullptr;
  const FabricRoutes inside(type);
  const auto way = inside.route(inside.gpu(0), inside.gpu(1));
  BytesPerSecond link{std::numeric_limits<double>::infinity()};
  Seconds latency = type.gpu_messages->latency;
  for (const std::uint32_t one : way) {
    const Fabric::Cable& cable = type.fabric.cables[one / 2];
    link = std::min(link, cable.bandwidth);
    latency += cable.latency;
  }
  const auto& messages = *type.gpu_messages;
  const std::uint32_t span = std::max(1u, type.fabric.span),
                      first = static_cast<std::uint32_t>(platform.first_node_of(number));
  const std::uint32_t together = nodes_of_a_switch(layout, first, span);
  GpuParameters parameters{
      .link = messages.protocol.wire_efficiency(long_message) * link,
      .adapters = static_cast<double>(together * network.adapters.of_type(number)) * payload_of(network),
      .hop = hops(messages.protocol.hop_latency, latency),
      .network_hop = with_gap(hops(network.protocol.hop_latency, network.latency), network.protocol.hop_gap),
      .reckoned_hop = reckoned(network.protocol.hop_reported),
      .ll_limit = network.protocol.hop_ll_limit,
      .rails = together * std::min(static_cast<std::uint32_t>(type.gpus.size()), network.adapters.of_type(number)),
      .span = span,
      .first_node = first,
      .pairwise = joined_pairwise(inside, static_cast<std::uint32_t>(type.gpus.size()))};
  const bool on_network = layout.nodes().size() > together;  // else the network's adapters carry none of it
  for (std::size_t i = 0; i < gpu_protocols; ++i) {
    const auto protocol = static_cast<GpuProtocol>(i + 1);
    parameters.carried[i] = messages.protocol.carries(protocol) && (!on_network || network.protocol.carries(protocol));
  }
  if (messages.multicast) {
    parameters.in_switch = messages.multicast->efficiency * link;
    parameters.in_switch_latency = messages.multicast->latency;
    parameters.staging = messages.multicast->staging;
  }
  return std::make_shared<const GpuParameters>(parameters);
}

}  // namespace orrery
