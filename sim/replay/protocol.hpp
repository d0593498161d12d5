/// What one transfer is: the same for every engine. A message of m bytes from rank s to rank d goes through
///
///   1  send overhead     the sender's core is busy o_s(m) (blocking send) or o_is(m) (non-blocking)
///   2  envelope          at the end of 1 the message can be matched (MPI order, sim/replay/matching.hpp)
///   3  start             m < eager: at once. Otherwise (rendezvous): when matched, after `handshake` route latencies
///   4  startup latency   latency_factor(m) * L, L = latency of the route or of the node's shared memory, plus the
///                        latency of each staged GPU link
///   5  flows             sender staging, sender copies, wire, receiver copies, receiver staging
///                          sequential  one after another, in this order
///                          pipelined   all start together; done when the last ends
///   6  arrival           the end of 5. A sender that does not detach (m >= detach) goes on now
///   7  unexpected copy   an eager message that arrived before its receive was posted is copied once more, from the
///                        moment it is matched, at most at `unexpected_copy`
///   8  receive overhead  o_r(m) on the receiver's core, in the call that completes the receive: the blocking receive,
///                        or the wait; several completed by one wait-all are handled one after another
///
///   flow              resources                                            at most
///   copy              copying rank's copy resource, node's memory          bandwidth_factor(m) * narrowest of the two
///                                                                          (shared memory; over a network no cap)
///   wire              links of the route, from NIC out to NIC in           bandwidth_factor(m) * narrowest link
///   staging           the GPU's link, in its direction                     -
///   unexpected copy   receiver's copy resource, node's memory              unexpected_copy (0: no cap)
///
/// Ranks of one node use `shared_memory` of its node type and have no wire: with 0 copies at both ends only the latency
/// is left. Staging happens for ranks on GPUs unless the channel is gpu_direct or the compute model contains it
/// (options.staging_in_compute_model). Zero-byte flows take no time. Copies use the copy resource, not the core: a rank
/// may compute while its messages are copied.
///
/// Source   the two thresholds are SMPI's (Degomme et al., IEEE TPDS 28(8), 2017)
/// Checked  tests/replay/message_test.cpp, one closed form per line of the above
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "sim/replay/resources.hpp"

namespace orrery::replay {

struct FlowPlan {
  const ResourceId* route = nullptr;
  std::uint32_t hops = 0;
  double cap = 0.0;  ///< B/s; 0: none

  std::span<const ResourceId> resources() const { return {route, hops}; }
};

inline constexpr std::uint32_t flows_max = 7;  ///< staging + 2 copies, wire, 2 copies + staging

struct TransferPlan {
  double startup = 0.0;    ///< s, after the start
  double handshake = 0.0;  ///< s, before the startup of a rendezvous message
  bool eager = true, detached = true, pipelined = false;
  ChannelKind kind = ChannelKind::network;
  std::uint32_t flow_count = 0;
  std::array<FlowPlan, flows_max> flows;
  FlowPlan unexpected_copy;

  void add(const FlowPlan& flow) { flows[flow_count++] = flow; }
};

class Protocol {
 public:
  Protocol(const ReplayInput& input, const Routes& routes, const Resources& resources);

  TransferPlan plan(Rank from, Rank to, Bytes m);
  double send_overhead(Rank from, Rank to, Bytes m, bool blocking);
  double receive_overhead(Rank from, Rank to, Bytes m);
  double probe_overhead(Rank me, Rank peer);
  ChannelKind kind(Rank from, Rank to) const {
    return layout_.same_node(from, to) ? ChannelKind::shared_memory : ChannelKind::network;
  }

 private:
  struct Route {
    std::vector<ResourceId> links;
    double latency = 0.0, narrowest = 0.0;
  };
  struct Copying {  ///< the routes a rank copies over
    ResourceId copy[2];
    ResourceId to_gpu, from_gpu;
  };
  const ChannelProperties& channel(Rank from, Rank to) const;
  const Route& route(NodeId from, NodeId to);
  FlowPlan copy_flow(Rank rank, double factor) const;
  double staging_latency(Rank rank, const ChannelProperties& properties) const;

  const Platform& platform_;
  const Network& network_;
  const Layout& layout_;
  const Routes& routes_;
  const Resources& resources_;
  bool staging_in_compute_model_;
  std::vector<Copying> copying_;
  std::unordered_map<std::uint64_t, Route> known_routes_;
};

}  // namespace orrery::replay
