/// What one transfer is: the same for every engine. A message of m bytes from rank s to rank d goes through
///
///   1  send overhead     the sender's core is busy o_s(m) (blocking send) or o_is(m) (non-blocking); over a network from
///                        `eager` on also block_overhead(m), where m is a block: one or two shares of a collective that
///                        has shares, by their mean, or any message of an alltoallv. A ring sends one from another
///                        place at each step, a tree one or two in all. Allreduces and broadcasts have none
///   2  envelope          at the end of 1 the message can be matched (MPI order, sim/engine/matching.hpp)
///   3  start             m < eager: at once. Otherwise (rendezvous), with r = handshake_request and a = handshake - r
///                        route latencies of the request and of the answer: a after the later of
///                          the request's arrival    r after the end of 1
///                          the match                the receive is posted, and the end of 1
///   4  startup latency   latency_factor(m) * L, L = latency of the route or of the node's shared memory, plus the
///                        latency of each staged GPU link
///   5  flows             sender staging, sender copies, wire, receiver copies, receiver staging
///                          sequential  one after another, in this order
///                          pipelined   all start together; done when the last ends
///                        the wire of a message that is striped or split is a flow for each part, all at once
///   6  arrival           the end of 5. A sender that does not detach (m >= detach) goes on now (through ports, see
///                        below: at the end of 4)
///   7  unexpected copy   an eager message that arrived before its receive was posted (not in the same instant, see
///                        player.hpp) is copied once more, from the moment it is matched, at most at `unexpected_copy`
///   8  receive overhead  o_r(m) on the receiver's core, in the call that completes the receive: the blocking receive,
///                        or the wait; several completed by one wait-all are handled one after another
///
///   flow              resources                                            at most
///   copy              copying rank's copy resource, its memory             bandwidth_factor(m) * narrowest of the two
///                                                                          (shared memory; over a network no cap)
///   wire (fair)       links of the route, from NIC out to NIC in, of a     bandwidth_factor(m) * narrowest link
///                     message of at least `pair_from` also the connection
///                     of the two ranks, both ways (pair_bandwidth);
///                     m / wire_efficiency(m) bytes on each: what the
///                     wire carries beside the message is shared too;
///                     with `send-queues` each waits for its turn
///                     (send_queues.hpp)
///   message rate      of both adapters, beside each part of the wire:      -
///                     bandwidth / message_rate(m) bytes, so a message
///                     takes max(m / bandwidth, 1 / message_rate(m)); m is
///                     the whole message's, also of parts. None at sizes
///                     that have no rate
///   staging           the GPU's link, in its direction; with a fabric the  -
///                     links to its socket
///   copy to another   as a copy, and the links between the two sockets     as a copy
///   socket            (fabric; the last copy of a message)
///   GPU to GPU        links of the fabric                                  bandwidth_factor(m) * narrowest link
///   unexpected copy   receiver's copy resource, its memory                 unexpected_copy (0: no cap)
///   local work of a   rank's memory: reducing reads two and writes one     its rate (platforms/local_work.hpp)
///   collective        byte, a copy is half of what it reads and writes
///
/// A rank's memory is that of its node or, with `numa-domain: socket`, of the socket of its core (resources.hpp),
/// wherever the buffers lie: a copy from another socket loads only the memory of the copying core.
///
/// On a channel with `progress: in-calls` step 3 waits for both ranks to be inside MPI calls, one after the other:
/// in_calls.hpp.
///
/// r = 0 counts all of a handshake from the match. A library whose sender requests at once has r = 1; the receiver
/// answers with a clearance to send or by reading the sender's memory over the network, a latency either way (a = 1),
/// or copies out of that memory itself (a = 0). In a train only the first request is ahead.
///
/// On a network whose discipline is fifo the wire is no flow but goes through two ports (ports.hpp). So do the
/// `handshake` messages without payload that open a rendezvous there: they queue like other messages.
///
/// Overheads of a channel with an `overhead_variation` are randomized (overhead_variation.hpp).
///
/// Ranks of one node use `shared_memory` of its node type and have no wire: with 0 copies at both ends only the latency
/// remains. GPUs that a fabric joins use `gpu_messages` and its links, in a node or over a switch that nodes share; an
/// unexpected message is not copied there. If the kernels of two GPUs transfer the message (Send::protocol), steps 1, 7
/// and 8 take no time, there is no handshake, L is the protocol's latency of a hop if the platform gives it, and the
/// send ends with step 5. An operation of a GPU switch is one flow of m / efficiency bytes over the links of all GPUs
/// that take part (message_routes.hpp). An operation of network switches (`aggregation`) is one flow for each member,
/// of m bytes over the links that are not another member's, with one latency more than the route's. Staging happens for
/// ranks on GPUs unless the channel is gpu_direct or the compute model contains it (options.staging_in_compute_model;
/// with a fabric it is always simulated). message_routes.hpp has the route inside a node, the adapter and the choice of
/// routes; L is then the sum over the whole route. Zero-byte flows take no time. Copies use the copy resource, not the
/// core: a rank may compute while its messages are copied.
///
/// Source   the two thresholds are SMPI's (Degomme et al., IEEE TPDS 28(8), 2017); request, then clearance
///          or read: Sur, Jin, Chai & Panda, RDMA read based rendezvous protocol for MPI over InfiniBand, PPoPP 2006
/// Differs  without `progress: in-calls` a receiver answers at once, also while it computes, as with progress by the
///          adapter or a thread
/// Checked  tests/replay/message_test.cpp, one closed form per line of the above; tests/replay/numa_test.cpp
#pragma once

#include <array>
#include <cassert>
#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "platforms/local_work.hpp"
#include "sim/engine/handshake.hpp"
#include "sim/engine/message_routes.hpp"
#include "sim/engine/pair_map.hpp"
#include "sim/engine/resources.hpp"
#include "sim/engine/route_table.hpp"

namespace orrery::engine {

struct FlowPlan {
  RouteId route = no_route;
  double cap = 0.0;    ///< B/s; 0: none
  double bytes = 0.0;  ///< of one message of a train; on a wire with headers
};

inline constexpr std::uint32_t flows_max = 30;  ///< staging + 2 copies, 12 parts and their rates, 2 copies + staging

/// Properties of a message that depend on its channel; its flows follow from these and its ranks (`Protocol::flow`).
struct Transfer {
  double delay = 0.0;  ///< s, from the start to the first flow: startup latency, in a rendezvous also the handshake
  double cap = 0.0;    ///< B/s, on the wire, or of the copies if there is no wire; 0: none
  RouteId wire = no_route;  ///< of the first part; in memory of the last copy, if it crosses sockets
  bool eager : 1 = true, detached : 1 = true, pipelined : 1 = false;
  bool sender_staging : 1 = false, receiver_staging : 1 = false, between_nodes : 1 = false;
  Medium medium : 2 = Medium::memory;
  std::uint8_t sender_copies : 2 = 0, receiver_copies : 2 = 0, parts : 4 = 0;  ///< `parts`: on the wire
  bool rated : 1 = false;  ///< adapters have a message rate for its size

  ChannelKind kind() const { return between_nodes ? ChannelKind::network : ChannelKind::shared_memory; }
};
static_assert(sizeof(Transfer) == 24);

class Protocol {
 public:
  Protocol(const ReplayInput& input, const Routes& routes, Resources& resources, RouteTable& table);

  /// Its delay includes the handshake, which is written to `handshake` if given; an eager message has none.
  Transfer transfer(Rank from, Rank to, Bytes m, Handshake* handshake = nullptr);
  /// Whether the network has a CPU cost per block that a collective sends.
  bool has_block_overhead() const { return has_block_overhead_; }
  double block_overhead(Rank from, Rank to, Bytes block) const;
  /// For a message between GPU kernels (`by_gpus`) or an operation of a switch. Throws InputError if the switch does
  /// not support it.
  Transfer transfer_by_gpus(Rank from, Rank to, Bytes m, const Send& send, std::span<const Rank> team);
  bool by_gpus(Rank from, Rank to) const { return message_routes_ && message_routes_->by_gpus(from, to); }
  /// Prefetches: that transfer will soon be requested.
  void fetch_transfer(Rank from, Rank to) const {
    if (message_routes_)
      message_routes_->fetch_way(from, to);
    else
      wires_.fetch_pair(static_cast<std::uint32_t>(node_[index(from)]), static_cast<std::uint32_t>(node_[index(to)]));
  }
  /// All flows of a message: staging, copies, the parts on the wire and, if given, as many message rates.
  std::uint32_t flows(const Transfer& transfer) const {
    return wire_flows(transfer) + transfer.sender_copies + transfer.receiver_copies + transfer.sender_staging +
           transfer.receiver_staging;
  }
  /// End of the group of flows from k on that start together when flows are sequential: those of the wire do.
  std::uint32_t end_of_group(const Transfer& transfer, std::uint32_t k) const {
    const std::uint32_t first = transfer.sender_staging + transfer.sender_copies;
    return k == first && transfer.parts > 0 ? first + wire_flows(transfer) : k + 1u;
  }
  /// Whether the message takes the least loaded route at its start; the route is chosen by:
  bool adapts(const Transfer& transfer) const { return adaptive_ && transfer.medium == Medium::network; }
  void take_least_loaded(Transfer& transfer, Rank from, Rank to, double bytes);
  void wire_ended(const Transfer& transfer, std::uint32_t k);
  /// Number of the route that routing chose for this message, while it is in flight; marks the message as using it.
  std::uint32_t way_taken(const Transfer& transfer, Rank from, Rank to, double bytes);
  void take_way_number(Transfer& transfer, Rank from, Rank to, double bytes, std::uint32_t number);
  /// The k-th flow of a message, k < flows(transfer), in the order of step 5; its kind.
  PathKind kind(const Transfer& transfer, std::uint32_t k) const;
  FlowPlan flow(const Transfer& transfer, Rank from, Rank to, double bytes, std::uint32_t k) const {
    if (k == 0 && is_wire_alone(transfer)) return {transfer.wire, transfer.cap, bytes / wire_efficiency(bytes)};
    return flow_among_others(transfer, from, to, bytes, k);
  }
  /// For a message between kernels: its extra time at the adapters, as bytes of its k-th flow.
  double gap_bytes(const Transfer& transfer, std::uint32_t k) const {
    const std::uint32_t first = transfer.sender_staging + transfer.sender_copies;
    if (transfer.medium != Medium::network || k < first || k >= first + transfer.parts) return 0.0;
    return network_.protocol.hop_gap.si() * network_.bandwidth.si();
  }
  FlowPlan unexpected_copy(const Transfer& transfer, Rank to, double bytes) const;
  /// The memory traffic of a collective's local work that alone takes `seconds`; no route if it has none.
  FlowPlan memory_sweep(Rank rank, const Compute& compute, double seconds) const;
  double send_overhead(Rank from, Rank to, Bytes m, bool blocking) const;
  double receive_overhead(Rank from, Rank to, Bytes m) const;
  double receive_overhead(Medium medium, Rank to, Bytes m) const;
  double probe_overhead(Rank me, Rank peer) const;
  /// Of a rendezvous message over the network: parts of its handshake, and of these the answer's.
  std::uint32_t handshakes() const { return network_.protocol.handshake; }
  std::uint32_t answers() const { return network_.protocol.handshake - network_.protocol.handshake_request; }
  bool overheads_vary() const { return overheads_vary_; }
  /// Whether rendezvous messages wait for calls of their ranks (in_calls.hpp): on any channel, or on this one.
  bool any_in_calls() const;
  bool moves_in_calls(Medium medium, Rank from) const {
    return channel(medium, from).progress == MessageProgress::in_calls;
  }
  double overhead_variation(Rank from, Rank to) const { return channel(from, to).overhead_variation; }
  NodeId node(Rank rank) const { return node_[index(rank)]; }
  /// Number of pairs with cached routes; `forget_unused` removes those without a route in use, reporting each route.
  std::size_t pairs() const { return wires_.size() + (message_routes_ ? message_routes_->pairs() : 0); }
  template <class InUse, class Notify>
  void forget_unused(const InUse& in_use, const Notify& notify) {
    wires_.keep_if([&](const Wire& wire) {
      const bool kept = in_use(wire.route);
      if (!kept) notify(wire.route);
      return kept;
    });
    if (message_routes_) message_routes_->forget_unused(in_use, notify);
  }
  std::uint32_t send_queues() const { return network_.adapters.send_queues; }
  double latency(NodeId from, NodeId to) { return paths_[wire(from, to).path].latency; }

 private:
  /// Of a pair of nodes: many pairs have equal paths, each stored once.
  struct Wire {
    RouteId route = no_route;
    std::uint32_t path = 0;
  };
  using Path = WirePath;
  struct Copying {  ///< the routes a rank copies over, and its narrowest resource
    RouteId copy = no_route, to_gpu = no_route, from_gpu = no_route;
    RouteId memory = no_route;  ///< memory that its local work uses
    double narrowest = 0.0;
  };
  const ChannelProperties& channel(Rank from, Rank to) const;
  const ChannelProperties& channel(Medium medium, Rank at) const {
    return medium == Medium::network ? network_.protocol : channel_in_node(medium, at);
  }
  const ChannelProperties& channel_in_node(Medium medium, Rank at) const;
  Medium medium(Rank from, Rank to) const;
  void add_message_routes(const ReplayInput& input);
  struct Ends {
    Rank from, to;
  };
  void begin(Transfer& transfer, const ChannelProperties& properties, Bytes m) const {
    transfer.eager = m < properties.eager;
    transfer.detached = m < properties.detach;
    transfer.pipelined = properties.copy_mode == CopyMode::pipelined;
    assert(properties.copies[0] <= 2 && properties.copies[1] <= 2);
    transfer.sender_copies = properties.copies[0] & 3u;
    transfer.receiver_copies = properties.copies[1] & 3u;
  }
  /// Adds to the delay. `its_handshake`, if given, gets the handshake, which only a rendezvous message has.
  void add_staging_and_handshake(Transfer& transfer, Ends ends, Handshake handshake, Handshake* its_handshake) {
    if (transfer.sender_staging) transfer.delay += staging_latency(ends.from);
    if (transfer.receiver_staging) transfer.delay += staging_latency(ends.to);
    if (transfer.eager) return;
    transfer.delay += handshake.all;
    if (its_handshake != nullptr) *its_handshake = handshake;
  }
  static Handshake handshake(const ChannelProperties& properties, double latency) {
    return {properties.handshake * latency, properties.handshake_request * latency};
  }
  Transfer transfer_over_routes(Rank from, Rank to, Bytes m, Handshake* handshake);
  void take_hop(Transfer& transfer, const ChannelProperties& properties, GpuProtocol protocol) const;
  void aggregate(Transfer& transfer, Rank from, Rank to, Bytes m, const Send& send);
  double take_route(Transfer& transfer, const MessageRoutes::Route& way, Rank from, Bytes m) const;
  double between_sockets(Transfer& transfer, Rank from, Rank to, double factor);
  FlowPlan flow_among_others(const Transfer& transfer, Rank from, Rank to, double bytes, std::uint32_t k) const;
  FlowPlan wire_flow(const Transfer& transfer, Rank from, double bytes, std::uint32_t part) const;
  double efficiency(const Transfer& transfer, Rank from, double bytes) const;
  const NodeType& type_of(Rank at) const { return platform_.node_types[type_[index(at)]]; }
  const GpuMessages& gpu_messages(Rank at) const { return *type_of(at).gpu_messages; }
  /// By far the most frequent transfer: between plain nodes without copies.
  bool is_wire_alone(const Transfer& transfer) const {
    return transfer.medium == Medium::network && transfer.parts == 1 && !transfer.rated && !transfer.sender_staging &&
           transfer.sender_copies == 0;
  }
  std::uint32_t wire_flows(const Transfer& transfer) const {
    return transfer.rated ? 2u * transfer.parts : transfer.parts;
  }
  Wire wire(NodeId from, NodeId to);
  std::uint32_t number_of(const Path& path);
  bool staged(Rank rank, const ChannelProperties& properties) const;
  double staging_latency(Rank rank);
  double wire_efficiency(double bytes) const {
    return efficient_ ? 1.0 : network_.protocol.wire_efficiency(Bytes{bytes});
  }

  /// Of an adapter, by the size of a message; 0: unlimited.
  double message_rate(double bytes) const {
    return one_rate_ ? one_rate_->si() : network_.adapters.message_rate(Bytes{bytes}).si();
  }

  const Platform& platform_;
  const Network& network_;
  const Layout& layout_;
  const Routes& routes_;
  Resources& resources_;
  RouteTable& table_;
  RankRates local_rates_;  ///< of the local work of collectives
  bool overheads_vary_ = false, has_block_overhead_ = false;
  bool staging_in_compute_model_, efficient_;      ///< `efficient_`: the wire carries payload alone
  std::vector<NodeId> node_;                       ///< [ranks]
  std::vector<std::uint32_t> type_;                ///< [ranks] node type: smaller than a placement
  std::vector<Copying> copying_;                   ///< [ranks]
  std::unique_ptr<MessageRoutes> message_routes_;  ///< null if the cluster is plain
  std::optional<PerSecond> one_rate_;              ///< of messages of all sizes
  bool adaptive_ = false, chooses_ = false;
  PairMap<Wire> wires_;  ///< (node, node)
  std::vector<Path> paths_;
  std::map<Path, std::uint32_t> path_numbers_;
  std::vector<LinkId> links_;  ///< scratch
  std::vector<ResourceId> scratch_;
};

}  // namespace orrery::engine
