#include "sim/replay/protocol.hpp"

#include <algorithm>
#include <limits>

namespace orrery::replay {

Protocol::Protocol(const ReplayInput& input, const Routes& routes, const Resources& resources)
    : platform_(*input.platform),
      network_(*input.network),
      layout_(*input.layout),
      routes_(routes),
      resources_(resources),
      staging_in_compute_model_(input.options.staging_in_compute_model) {
  copying_.reserve(layout_.ranks());
  for (std::uint32_t i = 0; i < layout_.ranks(); ++i) {
    const Rank rank{i};
    copying_.push_back({{resources.copy(rank), resources.memory(layout_.of(rank).node)},
                        resources.pcie(rank, true),
                        resources.pcie(rank, false)});
  }
}

const ChannelProperties& Protocol::channel(Rank from, Rank to) const {
  if (layout_.same_node(from, to)) return platform_.node_types[layout_.of(from).node_type].shared_memory;
  return network_.protocol;
}

const Protocol::Route& Protocol::route(NodeId from, NodeId to) {
  const std::uint64_t key = (std::uint64_t{index(from)} << 32) | index(to);
  const auto [at, fresh] = known_routes_.try_emplace(key);
  Route& route = at->second;
  if (!fresh) return route;
  route.narrowest = std::numeric_limits<double>::infinity();
  for (const LinkId id : routes_.route(from, to)) {
    const Link link = routes_.link(id);
    route.links.push_back(Resources::link(id));
    route.latency += link.latency.si();
    route.narrowest = std::min(route.narrowest, link.bandwidth.si());
  }
  return route;
}

FlowPlan Protocol::copy_flow(Rank rank, double factor) const {
  const Copying& copying = copying_[index(rank)];
  const double narrowest = std::min(resources_.capacity(copying.copy[0]), resources_.capacity(copying.copy[1]));
  return {copying.copy, 2, factor == 1.0 ? 0.0 : factor * narrowest};
}

double Protocol::staging_latency(Rank rank, const ChannelProperties& properties) const {
  const Placement& placement = layout_.of(rank);
  if (!placement.gpu || properties.gpu_direct || staging_in_compute_model_) return -1.0;
  return platform_.node_types[placement.node_type].gpus[placement.socket_of_node].link_latency.si();
}

TransferPlan Protocol::plan(Rank from, Rank to, Bytes m) {
  const ChannelProperties& properties = channel(from, to);
  TransferPlan plan;
  plan.kind = kind(from, to);
  plan.eager = m < properties.eager;
  plan.detached = m < properties.detach;
  plan.pipelined = properties.copy_mode == CopyMode::pipelined;
  const bool wired = plan.kind == ChannelKind::network;
  const Route* wire = wired ? &route(layout_.of(from).node, layout_.of(to).node) : nullptr;
  const double latency =
      wired ? wire->latency : platform_.node_types[layout_.of(from).node_type].shared_memory_latency.si();
  const double factor = properties.bandwidth_factor(m);
  plan.startup = properties.latency_factor(m) * latency;
  plan.handshake = properties.handshake * latency;

  const double sender_staging = staging_latency(from, properties), receiver_staging = staging_latency(to, properties);
  if (sender_staging >= 0.0) {
    plan.startup += sender_staging;
    plan.add({&copying_[index(from)].from_gpu, 1, 0.0});
  }
  const double copy_factor = wired ? 1.0 : factor;
  for (int i = 0; i < properties.copies[0]; ++i) plan.add(copy_flow(from, copy_factor));
  if (wired)
    plan.add({wire->links.data(), static_cast<std::uint32_t>(wire->links.size()),
              factor == 1.0 ? 0.0 : factor * wire->narrowest});
  for (int i = 0; i < properties.copies[1]; ++i) plan.add(copy_flow(to, copy_factor));
  if (receiver_staging >= 0.0) {
    plan.startup += receiver_staging;
    plan.add({&copying_[index(to)].to_gpu, 1, 0.0});
  }
  plan.unexpected_copy = {copying_[index(to)].copy, 2, properties.unexpected_copy.si()};
  return plan;
}

double Protocol::send_overhead(Rank from, Rank to, Bytes m, bool blocking) {
  const ChannelProperties& properties = channel(from, to);
  return blocking ? properties.send_overhead(m) : properties.isend_overhead(m);
}

double Protocol::receive_overhead(Rank from, Rank to, Bytes m) { return channel(from, to).receive_overhead(m); }

double Protocol::probe_overhead(Rank me, Rank peer) {
  if (peer == any_rank) return network_.protocol.probe_overhead.si();
  return channel(peer, me).probe_overhead.si();
}

}  // namespace orrery::replay
