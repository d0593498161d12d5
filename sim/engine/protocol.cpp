#include "sim/engine/protocol.hpp"

#include <algorithm>
#include <limits>

#include "platforms/node_choice.hpp"

namespace orrery::engine {

Protocol::Protocol(const ReplayInput& input, const Routes& routes, Resources& resources, RouteTable& table)
    : platform_(*input.platform),
      network_(*input.network),
      layout_(*input.layout),
      routes_(routes),
      resources_(resources),
      table_(table),
      local_rates_(*input.platform, *input.layout),
      staging_in_compute_model_(input.options.staging_in_compute_model),
      efficient_(network_.protocol.wire_efficiency.steps().empty()),
      one_rate_(network_.adapters.message_rate.constant()) {
  overheads_vary_ = network_.protocol.overhead_variation > 0.0;
  for (const NodeType& type : platform_.node_types)
    overheads_vary_ = overheads_vary_ || type.shared_memory.overhead_variation > 0.0;
  has_block_overhead_ = !network_.protocol.block_overhead.points().empty();
  copying_.resize(layout_.ranks());
  for (const Placement& placement : layout_.placements) {
    node_.push_back(placement.node);
    type_.push_back(placement.node_type);
  }
  for (std::uint32_t i = 0; i < layout_.ranks(); ++i) {
    const Rank rank{i};
    const ResourceId copy[] = {resources.copy(rank), resources.memory(rank)};
    copying_[i].copy = table.add(copy);
    if (layout_.of(rank).local_work.any() && !layout_.of(rank).gpu) copying_[i].memory = table.add({&copy[1], 1});
    copying_[i].narrowest = std::min(resources.capacity(copy[0]), resources.capacity(copy[1]));
    const ResourceId to_gpu = resources.pcie(rank, true), from_gpu = resources.pcie(rank, false);
    if (to_gpu == no_resource) continue;
    copying_[i].to_gpu = table.add({&to_gpu, 1});
    copying_[i].from_gpu = table.add({&from_gpu, 1});
  }
  require_joined(platform_, network_, *input.layout, platform_.file);
  if (!MessageRoutes::plain(platform_, network_)) add_message_routes(input);
}

bool Protocol::any_in_calls() const {
  const auto in_calls = [](const ChannelProperties& channel) { return channel.progress == MessageProgress::in_calls; };
  return in_calls(network_.protocol) || std::ranges::any_of(platform_.node_types, [&](const NodeType& type) {
           return in_calls(type.shared_memory) || (type.gpu_messages && in_calls(type.gpu_messages->protocol));
         });
}

const ChannelProperties& Protocol::channel_in_node(Medium medium, Rank at) const {
  const NodeType& type = type_of(at);
  return medium == Medium::memory ? type.shared_memory : type.gpu_messages->protocol;
}

Medium Protocol::medium(Rank from, Rank to) const {
  if (message_routes_) return message_routes_->medium(from, to);
  return node_[index(from)] == node_[index(to)] ? Medium::memory : Medium::network;
}

const ChannelProperties& Protocol::channel(Rank from, Rank to) const { return channel(medium(from, to), from); }

Protocol::Wire Protocol::wire(NodeId from, NodeId to) {
  const auto [wire, fresh] = wires_.find_or_add(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to));
  if (!fresh) return wire;
  Path path;
  links_.clear();
  scratch_.clear();
  routes_.append_route(from, to, links_);
  for (const LinkId id : links_) {
    const LinkProperties link = routes_.parameters(id);
    scratch_.push_back(Resources::link(id));
    path.add(link);
  }
  return wire = {table_.add(scratch_), number_of(path)};
}

std::uint32_t Protocol::number_of(const Path& path) {
  if (!paths_.empty() && paths_.back() == path) return static_cast<std::uint32_t>(paths_.size() - 1);
  const auto [at, fresh] = path_numbers_.try_emplace(path, static_cast<std::uint32_t>(paths_.size()));
  if (fresh) paths_.push_back(path);
  return at->second;
}

bool Protocol::staged(Rank rank, const ChannelProperties& properties) const {
  return !staging_in_compute_model_ && !properties.gpu_direct && layout_.of(rank).gpu;
}

double Protocol::staging_latency(Rank rank) {
  const Placement& placement = layout_.of(rank);
  if (message_routes_ && message_routes_->described(rank))
    return message_routes_->path(message_routes_->staging(rank, true)).latency;
  return platform_.node_types[placement.node_type].gpus[placement.socket_of_node].link_latency.si();
}

Transfer Protocol::transfer(Rank from, Rank to, Bytes m, Handshake* its_handshake) {
  if (message_routes_) return transfer_over_routes(from, to, m, its_handshake);
  Transfer transfer;
  const NodeId source = node_[index(from)], target = node_[index(to)];
  const bool wired = source != target;
  transfer.medium = wired ? Medium::network : Medium::memory;
  const ChannelProperties& properties = channel(transfer.medium, from);
  begin(transfer, properties, m);
  const double factor = properties.bandwidth_factor(m);
  double latency = 0.0;
  if (wired) {
    const auto [route, number] = wire(source, target);
    const Path& path = paths_[number];
    latency = path.latency;
    transfer.wire = route;
    transfer.parts = 1;
    transfer.between_nodes = true;
    const double efficiency = wire_efficiency(m.si());
    transfer.cap = path.cap(factor, efficiency);
  } else {
    latency = type_of(from).shared_memory_latency.si();
    transfer.cap = factor == 1.0 ? 0.0 : factor;  // of each copying rank's narrowest
  }
  transfer.delay = properties.latency_factor(m) * latency;
  transfer.sender_staging = staged(from, properties);
  transfer.receiver_staging = staged(to, properties);
  add_staging_and_handshake(transfer, {from, to}, handshake(properties, latency), its_handshake);
  return transfer;
}

PathKind Protocol::kind(const Transfer& transfer, std::uint32_t k) const {
  const std::uint32_t copies_end = transfer.sender_staging + transfer.sender_copies;
  if (transfer.sender_staging && k == 0) return PathKind::staging;
  if (k >= copies_end && k < copies_end + wire_flows(transfer)) return PathKind::transfer;
  return transfer.receiver_staging && k + 1u == flows(transfer) ? PathKind::staging : PathKind::copy;
}

FlowPlan Protocol::flow_among_others(const Transfer& transfer, Rank from, Rank to, double bytes,
                                     std::uint32_t k) const {
  const bool in_memory = transfer.medium == Medium::memory;
  const std::uint32_t copies = transfer.sender_copies + transfer.receiver_copies;
  const auto copy = [&](Rank rank, std::uint32_t number) -> FlowPlan {
    const Copying& copying = copying_[index(rank)];
    const double cap = in_memory ? transfer.cap * copying.narrowest : 0.0;
    if (in_memory && transfer.wire != no_route && number + 1 == copies) return {transfer.wire, cap, bytes};
    return {copying.copy, cap, bytes};
  };
  if (transfer.sender_staging && k-- == 0) return {copying_[index(from)].from_gpu, 0.0, bytes};
  if (k < transfer.sender_copies) return copy(from, k);
  k -= transfer.sender_copies;
  if (const std::uint32_t wires = wire_flows(transfer); k < wires)
    return wire_flow(transfer, from, bytes, k);
  else
    k -= wires;
  if (k < transfer.receiver_copies) return copy(to, transfer.sender_copies + k);
  return {copying_[index(to)].to_gpu, 0.0, bytes};
}

/// Payload of what the wire carries.
double Protocol::efficiency(const Transfer& transfer, Rank from, double bytes) const {
  switch (transfer.medium) {
    case Medium::memory:
      return 1.0;
    case Medium::network:
      return wire_efficiency(bytes);
    case Medium::gpu_links:
      return gpu_messages(from).protocol.wire_efficiency(Bytes{bytes});
    case Medium::in_switches:
      if (transfer.between_nodes) return wire_efficiency(bytes);
      return gpu_messages(from).multicast->efficiency;
  }
  return 1.0;
}

FlowPlan Protocol::wire_flow(const Transfer& transfer, Rank from, double bytes, std::uint32_t part) const {
  const RouteId route{static_cast<std::uint32_t>(transfer.wire) + part};
  if (part >= transfer.parts) return {route, 0.0, network_.bandwidth.si() / message_rate(bytes)};
  return {route, transfer.cap, bytes / efficiency(transfer, from, bytes) / transfer.parts};
}

FlowPlan Protocol::unexpected_copy(const Transfer& transfer, Rank to, double bytes) const {
  return {copying_[index(to)].copy, channel(transfer.medium, to).unexpected_copy.si(), bytes};
}

FlowPlan Protocol::memory_sweep(Rank rank, const Compute& compute, double seconds) const {
  const RouteId memory = copying_[index(rank)].memory;
  if (memory == no_route || !(seconds > 0.0)) return {};
  if (!sweeps_memory(local_rates_.of(rank), compute)) return {};
  const double copied = compute.traffic.si() / 2.0;  // the memory's bandwidth counts bytes copied
  return {memory, copied / seconds, copied};
}

double Protocol::send_overhead(Rank from, Rank to, Bytes m, bool blocking) const {
  const ChannelProperties& properties = channel(from, to);
  return blocking ? properties.send_overhead(m) : properties.isend_overhead(m);
}

double Protocol::block_overhead(Rank from, Rank to, Bytes block) const {
  if (block < network_.protocol.eager || medium(from, to) != Medium::network) return 0.0;
  return network_.protocol.block_overhead(block);
}

double Protocol::receive_overhead(Rank from, Rank to, Bytes m) const { return channel(from, to).receive_overhead(m); }

double Protocol::receive_overhead(Medium medium, Rank to, Bytes m) const {
  return channel(medium, to).receive_overhead(m);
}

double Protocol::probe_overhead(Rank me, Rank peer) const {
  if (peer == any_rank) return network_.protocol.probe_overhead.si();
  return channel(peer, me).probe_overhead.si();
}

}  // namespace orrery::engine
