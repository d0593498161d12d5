/// The cost of one message without other traffic: for tables. Closed form of the transfer in the engines: blocking
/// send, receive posted before.
///
///   T(m) = o_s(m) + [m >= eager] h L + f_L(m) L + F(m) + o_r(m)
///   F(m) = sum of m / b_i over copies and wire (sequential) or m / least b_i (pipelined)
///
///   o_s, o_r  Seconds         s    overheads at the ends         h    1    handshake latencies of a rendezvous
///   L         Seconds         s    latency of route or memory    f_L  1    latency factor
///   b_i       BytesPerSecond  B/s  a copy: the core's copy bandwidth, at most the node's memory bandwidth; the wire:
///                                  the narrowest link, times its efficiency or, if that is less, the bandwidth factor
///                                  of one message. Pipelined copies of one core or one memory share it. Where adapters
///                                  have a message rate the wire takes no less than 1 / rate(m); of a
///                                  striped message each of k parts takes m / k, with its share of links in common.
///
/// Between two sockets L includes the links between them, which the last copy uses. Between GPUs of one node L is the
/// sum for `gpu-messages` and the links; b_i is the narrowest link.
///
/// On a first-in-first-out network the wire is w(m) / b + s(m) / b_max, with b and b_max the slower and the faster
/// adapter, and w and s as in frames.hpp. The same holds for each part of a handshake, with m = 0.
///
/// Checked  tests/unit/platforms/point_to_point_test.cpp
#pragma once

#include <vector>

#include "platforms/routes.hpp"

namespace orrery {

class PointToPoint {
 public:
  /// Two CPU ranks of one node of this type, on one socket.
  explicit PointToPoint(const NodeType& type);
  /// On two sockets, by number, that the fabric of the node connects.
  static PointToPoint between_sockets(const NodeType& type, const FabricRoutes& inside, std::uint32_t from,
                                      std::uint32_t to);
  /// Ranks on two GPUs of one node, by number. Requires `gpu_messages` of the type.
  PointToPoint(const NodeType& type, const FabricRoutes& inside, std::uint32_t from, std::uint32_t to);
  /// CPU ranks of two nodes, on the sockets of their first adapters; deterministic route.
  PointToPoint(const Platform& platform, const Network& network, const Routes& routes, NodeId from, NodeId to);
  /// Ranks on a GPU of each of two nodes, by number, whose adapters reach them directly (`gpu-direct`).
  struct GpuOfNode {
    NodeId node{};
    std::uint32_t gpu = 0;
  };
  PointToPoint(const Platform& platform, const Network& network, const Routes& routes, GpuOfNode from, GpuOfNode to);

  Seconds latency() const { return shared_memory_ ? memory_latency_ : wire_.latency; }
  Seconds time(Bytes m) const;
  /// m / F(m): bandwidth of the flows without latency and overheads.
  BytesPerSecond bandwidth(Bytes m) const;

 private:
  struct End {
    NodeId node{};
    std::uint32_t element = 0;              ///< a message leaves from
    std::vector<std::uint32_t> order = {};  ///< adapters, as used
  };
  PointToPoint(const Platform& platform, const Network& network, const Routes& routes, const End& from, const End& to);
  static End socket_end(const Platform& platform, const Network& network, const Routes& routes, NodeId node);
  static End gpu_end(const Platform& platform, const Network& network, const Routes& routes, GpuOfNode at);

  struct Wire {
    std::uint32_t parts = 0;  ///< 0: no wire
    Bytes from;               ///< smallest message
    Seconds latency;
    BytesPerSecond share, narrowest;  ///< of a part, on links shared by parts; the narrowest link
  };
  static void add(const Routes& routes, const std::vector<std::vector<LinkId>>& ways, Wire& wire);
  const Wire& wire_for(Bytes m) const { return striped_.parts > 0 && m >= striped_.from ? striped_ : wire_; }
  Seconds flow_time(Bytes m) const;
  Seconds ports_time(Bytes m) const;

  const ChannelProperties* protocol_;
  Seconds memory_latency_;
  Wire wire_, striped_;
  PiecewiseRate message_rate_;  ///< of the adapters
  BytesPerSecond fastest_{0};   ///< of the two adapters
  BytesPerSecond copy_[2];      ///< of the core at each end
  BytesPerSecond memory_[2];    ///< of the node at each end
  BytesPerSecond last_copy_{};  ///< limit by the links between two sockets; 0: it uses none
  bool shared_memory_ = false;
};

}  // namespace orrery
