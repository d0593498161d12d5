/// Eager messages in flight to one adapter, compared with the buffer of the switch port before it.
///
///   incast of a port = sum over the adapters with an eager message in flight to it of the bytes of one such message
///
/// A message is in flight from its start to its arrival. Each sending adapter counts once, however many messages it has
/// sent, because they follow one another over its own wire. Rendezvous messages do not count: the receiver requests
/// them. One sender alone is no incast. Used only if the platform gives `receive-buffer`; no time depends on it.
///
/// Valid    where this stays below the buffer, sharing as fluids do is right. Above, Ethernet drops and sends again
///          and InfiniBand stops senders link by link: neither is played
/// Checked  tests/replay/fan_in_test.cpp
#pragma once

#include <cstdint>

#include "sim/core/ids.hpp"
#include "sim/core/units.hpp"
#include "sim/engine/ids.hpp"
#include "sim/engine/pair_map.hpp"
#include "sim/engine/route_table.hpp"

namespace orrery::engine {

class Arrivals {
 public:
  struct Incast {
    ResourceId port = no_resource;
    std::uint32_t senders = 0;
    double bytes = 0.0, at = 0.0;
  };

  explicit Arrivals(Bytes buffer) : buffer_(buffer) {}

  void started(ResourceId from, ResourceId port, double bytes, double now) {
    Sender& sender = sender_of(from, port);
    if (sender.messages++ > 0) return;
    sender.bytes = bytes;
    Port& at = port_of(port);
    ++at.senders;
    at.bytes += bytes;
    if (at.senders > 1 && at.bytes > greatest_.bytes) greatest_ = {port, at.senders, at.bytes, now};
  }
  void arrived(ResourceId from, ResourceId port) {
    Sender& sender = sender_of(from, port);
    if (--sender.messages > 0) return;
    Port& at = port_of(port);
    at.bytes = --at.senders == 0 ? 0.0 : at.bytes - sender.bytes;
  }

  Bytes buffer() const { return buffer_; }
  /// The largest incast at one port from several senders, if it exceeds the buffer.
  const Incast* overflow() const { return greatest_.bytes > buffer_.si() ? &greatest_ : nullptr; }

 private:
  struct Sender {
    std::uint32_t messages = 0;
    double bytes = 0.0;  ///< of the message that counts
  };
  struct Port {
    std::uint32_t senders = 0;
    double bytes = 0.0;
  };
  Sender& sender_of(ResourceId from, ResourceId port) {
    return senders_.find_or_add(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(port)).first;
  }
  Port& port_of(ResourceId port) { return ports_.find_or_add(static_cast<std::uint32_t>(port), 0).first; }

  Bytes buffer_;
  PairMap<Sender> senders_;  ///< (adapter of the sender, port)
  PairMap<Port> ports_;      ///< (port, 0)
  Incast greatest_;
};

}  // namespace orrery::engine
