/// What one message costs when nothing else happens: for tables that people read. Closed form of the transfer that the
/// engines play: blocking send, receive posted before.
///
///   T(m) = o_s(m) + [m >= eager] h L + f_L(m) L + F(m) + o_r(m)
///   F(m) = sum of m / b_i over copies and wire (sequential) or m / least b_i (pipelined)
///
///   o_s, o_r  Seconds         s    overheads at the ends         h    1    handshake latencies of a rendezvous
///   L         Seconds         s    latency of route or memory    f_L  1    latency factor
///   b_i       BytesPerSecond  B/s  a copy: the core's copy bandwidth, at most the node's memory bandwidth; the wire:
///                                  the narrowest link, times its efficiency or, if that is less, the bandwidth factor
///                                  of one message. Pipelined copies of one core or one memory share it.
///
/// On a network that is first in first out the wire is w(m) / b + s(m) / b_max, b and b_max the slower and the faster
/// adapter, w and s as in frames.hpp, and so is each part of a handshake, with m = 0.
///
/// Checked  tests/unit/platforms/point_to_point_test.cpp
#pragma once

#include "platforms/routes.hpp"

namespace orrery {

class PointToPoint {
 public:
  /// Two CPU ranks of one node of this type.
  explicit PointToPoint(const NodeType& type);
  /// CPU ranks of two nodes.
  PointToPoint(const Platform& platform, const Network& network, const Routes& routes, NodeId from, NodeId to);

  Seconds latency() const { return latency_; }
  Seconds time(Bytes m) const;
  /// m / F(m): what the flows alone carry.
  BytesPerSecond bandwidth(Bytes m) const;

 private:
  Seconds flow_time(Bytes m) const;
  Seconds ports_time(Bytes m) const;

  const ChannelProperties* protocol_;
  Seconds latency_;
  BytesPerSecond wire_{0};     ///< 0: no wire
  BytesPerSecond fastest_{0};  ///< of the two adapters
  BytesPerSecond copy_[2];     ///< of the core at each end
  BytesPerSecond memory_[2];   ///< of the node at each end
  bool shared_memory_ = false;
};

}  // namespace orrery
