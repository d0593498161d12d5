#include "platforms/gpu_figures.hpp"

#include <algorithm>

#include "platforms/fabric.hpp"

namespace orrery {

namespace {

constexpr Bytes long_message{1e9};

/// A hop that is not stated takes what any message does.
HopLatency hops(const HopLatency& stated, Seconds otherwise) {
  HopLatency all = stated;
  for (Seconds& hop : all)
    if (hop == Seconds{}) hop = otherwise;
  return all;
}

}  // namespace

std::shared_ptr<const GpuFigures> gpu_figures(const Platform& platform, const Network& network, const Layout& layout) {
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
  GpuFigures figures{.link = messages.protocol.wire_efficiency(long_message) * link,
                     .adapters = network.protocol.wire_efficiency(long_message) *
                                 (static_cast<double>(network.adapters.of_type(number)) * network.bandwidth),
                     .hop = hops(messages.protocol.hop_latency, latency),
                     .network_hop = hops(network.protocol.hop_latency, network.latency)};
  if (messages.multicast) {
    figures.in_switch = messages.multicast->efficiency * link;
    figures.in_switch_latency = messages.multicast->latency;
    figures.staging = messages.multicast->staging;
  }
  return std::make_shared<const GpuFigures>(figures);
}

}  // namespace orrery
