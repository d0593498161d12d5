// Transfers where the cluster is not plain: message_routes.hpp says which routes there are.
#include <fmt/format.h>

#include <algorithm>

#include "sim/core/error.hpp"
#include "sim/core/trace_streams.hpp"
#include "sim/engine/protocol.hpp"

namespace orrery::engine {

void Protocol::add_message_routes(const ReplayInput& input) {
  message_routes_ = std::make_unique<MessageRoutes>(input, routes_, resources_, table_);
  adaptive_ = network_.routing.kind == Routing::Kind::adaptive;
  chooses_ = adaptive_ || network_.routing.kind == Routing::Kind::valiant;
  for (std::uint32_t i = 0; i < layout_.ranks(); ++i) {
    const MessageRoutes::Route to_gpu = message_routes_->staging(Rank{i}, true),
                               from_gpu = message_routes_->staging(Rank{i}, false);
    if (to_gpu.parts == 0) continue;
    copying_[i].to_gpu = to_gpu.first;
    copying_[i].from_gpu = from_gpu.first;
  }
}

/// Fills in a way of the message; returns its latency.
double Protocol::take_route(Transfer& transfer, const MessageRoutes::Route& way, Rank from, Bytes m) const {
  if (way.parts == 0) return 0.0;  // of one GPU
  const MessageRoutes::Path& path = message_routes_->path(way);
  const ChannelProperties& properties = channel(transfer.medium, from);
  const double factor = properties.bandwidth_factor(m), efficiency = this->efficiency(transfer, from, m.si());
  transfer.parts = way.parts & 15u;
  transfer.rated = transfer.medium == Medium::network && message_rate(m.si()) > 0.0;
  transfer.wire = way.first;
  transfer.cap = path.cap(factor, efficiency);
  return path.latency;
}

/// In memory: the last copy goes between sockets where sender and receiver are on two; returns what that adds to the
/// latency.
double Protocol::between_sockets(Transfer& transfer, Rank from, Rank to, double factor) {
  transfer.cap = factor == 1.0 ? 0.0 : factor;
  const bool by_receiver = transfer.receiver_copies > 0 || transfer.sender_copies == 0;
  const MessageRoutes::Route way = by_receiver ? message_routes_->copy_between_sockets(to, from, true)
                                               : message_routes_->copy_between_sockets(from, to, false);
  if (way.parts == 0) return 0.0;
  transfer.wire = way.first;
  return message_routes_->path(way).latency;
}

Transfer Protocol::transfer_over_routes(Rank from, Rank to, Bytes m, Handshake* its_handshake) {
  Transfer transfer;
  transfer.medium = message_routes_->medium(from, to);
  transfer.between_nodes = node_[index(from)] != node_[index(to)];
  const ChannelProperties& properties = channel(transfer.medium, from);
  begin(transfer, properties, m);
  double latency = 0.0;
  if (transfer.medium == Medium::network) {
    const MessageRoutes::Route way = message_routes_->network(from, to, m);
    latency =
        take_route(transfer, message_routes_->candidate(way, message_routes_->drawn(way, from, to), from, to), from, m);
  } else if (transfer.medium == Medium::gpu_links) {
    latency = type_of(from).gpu_messages->latency.si() +
              take_route(transfer, message_routes_->over_gpu_links(from, to), from, m);
  } else {
    latency =
        type_of(from).shared_memory_latency.si() + between_sockets(transfer, from, to, properties.bandwidth_factor(m));
  }
  transfer.delay = properties.latency_factor(m) * latency;
  const auto staging = [&](Rank rank) {
    const bool played = !staging_in_compute_model_ || message_routes_->described(rank);
    return transfer.medium != Medium::gpu_links && layout_.of(rank).gpu && played && !properties.gpu_direct;
  };
  transfer.sender_staging = staging(from);
  transfer.receiver_staging = staging(to);
  add_staging_and_handshake(transfer, {from, to}, handshake(properties, latency), its_handshake);
  return transfer;
}

/// Of a message that kernels hand over: its latency, all together.
void Protocol::take_hop(Transfer& transfer, const ChannelProperties& properties, GpuProtocol protocol) const {
  if (!properties.carries(protocol))
    throw InputError(
        "platform '{}': {} carries no messages of NCCL's protocol '{}' ('hop-latency' does not have it). "
        "Choose algorithm "
        "'nccl', which takes another?",
        platform_.name,
        transfer.medium == Medium::network ? fmt::format("network '{}'", network_.name) : "a node's fabric",
        gpu_protocol_names[static_cast<std::size_t>(protocol) - 1]);
  const Seconds hop = of(properties.hop_latency, protocol);
  if (hop > Seconds{}) transfer.delay = hop.si();
  if (transfer.medium == Medium::network && !transfer.eager) transfer.delay += properties.hop_rendezvous.si();
}

/// Of a stream that switches of the network reduce or multicast: the part of it between one member and the root.
void Protocol::aggregate(Transfer& transfer, Rank from, Rank to, Bytes m, const Send& send) {
  if (!network_.aggregation)
    throw InputError(
        "platform '{}': switches of network '{}' are asked to reduce (only where it states 'aggregation'). "
        "Choose another "
        "algorithm, or state it as 'dgx-h100' does?",
        platform_.name, network_.name);
  const MessageRoutes::Route way =
      message_routes_->aggregated(send.communicator, from, to, send.in_switch == InSwitch::reduce);
  transfer.medium = Medium::in_switches;
  transfer.between_nodes = true;
  transfer.parts = 1;
  transfer.wire = way.first;
  transfer.delay = message_routes_->path(way).latency + network_.aggregation->latency.si();
  transfer.cap = network_.aggregation->bandwidth.si() / wire_efficiency(m.si());
}

Transfer Protocol::transfer_by_gpus(Rank from, Rank to, Bytes m, const Send& send, std::span<const Rank> team) {
  Transfer transfer;
  if (send.communicator == between_streams) return transfer;
  Handshake handshake;
  if (send.in_switch == InSwitch::nothing) {
    transfer = transfer_over_routes(from, to, m, &handshake);
    transfer.delay -= handshake.all;
    take_hop(transfer, channel(transfer.medium, from), send.protocol);
  } else if (medium(from, to) == Medium::network) {
    aggregate(transfer, from, to, m, send);
  } else {
    const NodeType& type = type_of(from);
    if (!message_routes_ || message_routes_->medium(from, to) != Medium::gpu_links || !type.gpu_messages->multicast)
      throw InputError(
          "platform '{}': the switch of '{}' is asked to reduce or multicast (only where 'gpu-messages' has "
          "'multicast', among GPUs that it joins). Choose algorithm 'nccl_ring'?",
          platform_.name, type.name);
    if (team.empty())
      throw ReplayError(
          "rank {} has the switch of its GPU reduce or multicast, but is in no collective with "
          "a team (only collectives name the GPUs that take part)",
          index(from));
    const bool reduces = send.in_switch == InSwitch::reduce;
    const MessageRoutes::Route way = message_routes_->in_switch(team, reduces ? to : from, reduces);
    begin(transfer, type.gpu_messages->protocol, m);
    transfer.medium = Medium::in_switches;
    transfer.parts = 1;
    transfer.wire = way.first;
    transfer.sender_copies = transfer.receiver_copies = 0;
    transfer.delay = type.gpu_messages->multicast->latency.si();
  }
  transfer.eager = true;
  transfer.detached = false;
  return transfer;
}

void Protocol::take_least_loaded(Transfer& transfer, Rank from, Rank to, double bytes) {
  const MessageRoutes::Route way = message_routes_->network(from, to, Bytes{bytes});
  const MessageRoutes::Route taken = message_routes_->candidate(way, message_routes_->least_loaded(way), from, to);
  const double usual = message_routes_->path(way).latency, latency = take_route(transfer, taken, from, Bytes{bytes});
  transfer.delay += network_.protocol.latency_factor(Bytes{bytes}) * (latency - usual);
  if (bytes <= 0.0) return;
  for (std::uint32_t part = 0; part < transfer.parts; ++part)
    message_routes_->count(RouteId{static_cast<std::uint32_t>(transfer.wire) + part}, 1);
}

std::uint32_t Protocol::way_taken(const Transfer& transfer, Rank from, Rank to, double bytes) {
  if (!chooses_ || transfer.medium != Medium::network) return 0;
  return message_routes_->candidate_of(message_routes_->network(from, to, Bytes{bytes}), transfer.wire);
}

void Protocol::take_way_number(Transfer& transfer, Rank from, Rank to, double bytes, std::uint32_t number) {
  if (!chooses_ || transfer.medium != Medium::network) return;
  const MessageRoutes::Route way = message_routes_->network(from, to, Bytes{bytes});
  take_route(transfer, message_routes_->candidate(way, std::min<std::uint32_t>(number, way.candidates - 1u), from, to),
             from, Bytes{bytes});
}

void Protocol::wire_ended(const Transfer& transfer, std::uint32_t k) {
  const std::uint32_t first = transfer.sender_staging + transfer.sender_copies;
  if (k >= first && k < first + transfer.parts)
    message_routes_->count(RouteId{static_cast<std::uint32_t>(transfer.wire) + (k - first)}, -1);
}

}  // namespace orrery::engine
