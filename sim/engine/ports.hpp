/// First in, first out: how messages share the ports of one switch without a fair scheduler.
///
/// A message of m bytes takes w bytes of the wire (platforms/frames.hpp). It enters the outgoing port of its sender
/// when all earlier messages have left, goes out at the port's rate, and its bytes join the queue of the receiver's
/// incoming port a latency later:
///
///   out   begin x = max(now, end of the one before)      end b = x + w / C_out
///   in    Q(t)' = sum of the rates at which messages arrive, from x + L to b + L - C_in, while anything is queued
///   done  b + L + Q(b + L) / C_in + min(w, f + h) / max(C_out, C_in)
///
/// The latency lies between the ports: before the first one, messages to near nodes would overtake those to far ones.
/// A message of no bytes, and each part of a handshake, consists of headers only.
///
///   f, h         Bytes           B    payload and header of a frame; f = 0: no frames, and nothing is stored
///   L            Seconds         s    latency between the two, of this message
///   C_out, C_in  BytesPerSecond  B/s  rates of the two ports
///   Q            Bytes           B    bytes queued at the receiver's port; those that come at once mix
///   a            1                    acknowledgements: a m bytes enter the way back when the message goes out
///
/// A switch forwards a frame when it has all of it: the last term. The sender continues when its message joins the
/// queue of its port, which keeps it (like a kernel's sockets); in a rendezvous, when its partner has answered. No date
/// depends on later messages: when a message goes out is known when it enters, and when it is done is known when its
/// last byte is at the receiver's port. Both are dates, so all engines agree.
///
/// Loads over time: a port forwards at its rate while anything is queued, else at the rate of arrivals.
///
/// Valid    one switch: a route is an outgoing and an incoming port; queues that lose nothing
/// Differs  of frames that arrive at a port at once the last may pass another: at most one frame's time
/// Checked  tests/replay/ports_test.cpp; validation/ports (real MPI over such a switch)
#pragma once

#include <vector>

#include "platforms/description.hpp"
#include "sim/engine/loads.hpp"
#include "sim/engine/resources.hpp"

namespace orrery::engine {

/// The position of a message on its way through ports.
enum class Leg : std::uint8_t { none, entering, arriving, leaving, delivered };

class Ports {
 public:
  Ports(const Network& network, std::uint32_t nodes, Loads& loads);

  /// Bytes on the wire, headers included.
  double on_wire(double bytes) const;
  /// A message goes out; returns when its last byte arrives at the receiver's port. Calls come in order of time.
  double enter(double now, NodeId from, NodeId to, double bytes, double latency);
  /// Its last byte has arrived there; returns when it is through. Call this at the date that `enter` returned.
  double leave(double now, NodeId from, NodeId to, double bytes);

  /// The run is over: loads are reported up to this date.
  void end(double now);

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(out_.size()); }
  Use use_out(NodeId node) const;
  Use use_in(NodeId node) const;

 private:
  struct Out {
    double rate = 0.0, free_at = 0.0, carried = 0.0;
    double busy_from = 0.0;  ///< until `free_at`, without a pause
  };
  struct Change {
    double at = 0.0, rate = 0.0;
    /// At equal dates, ends come first: heaps of different libraries order equal elements differently.
    bool operator>(const Change& other) const { return at != other.at ? at > other.at : rate > other.rate; }
  };
  struct In {
    double rate = 0.0, at = 0.0, queued = 0.0, arriving = 0.0, carried = 0.0;
    std::uint32_t sources = 0;
    std::vector<Change> changes;  ///< future ones, a heap
  };
  double send(double now, NodeId from, NodeId to, double wire_bytes, double latency);
  void advance(NodeId node, double now);
  void told_out(NodeId node, double until);
  void forward(NodeId node, double until);

  Loads& loads_;
  bool ended_ = false;
  const ChannelProperties& channel_;
  std::vector<Out> out_;  ///< [nodes]
  std::vector<In> in_;    ///< [nodes]
};

}  // namespace orrery::engine
