/// A store-and-forward switch in virtual time: what a frame meets between two nodes of an emulated cluster.
///
///   a frame of b bytes from i to j
///     uplink of i      first in, first out:  leaves at u = max(arrival, u of the frame before) + (b + 24) / r_i
///     wire and switch  arrives at j's port at u + (latency_i + latency_j) / 2
///     downlink of j    first in, first out:  delivered at max(that, the frame before) + (b + 24) / r_j
///
///   r        bytes per second of a port, each direction
///   24       preamble, check sum and gap of Ethernet: a full frame of 1514 B takes 1538
///   latency  seconds per message from port to port
///
/// A downlink keeps at most `queue` bytes; what comes on top is dropped, as a switch drops it. Pure: time is an
/// argument.
///
/// Checked  tests/unit/validation/cluster_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace orrery::cluster {

using Frame = std::vector<unsigned char>;

struct Port {
  double bytes_per_s = 0.0, latency_s = 0.0;
};

class Switch {
 public:
  static constexpr std::size_t frame_overhead = 24;

  explicit Switch(std::vector<Port> ports, std::size_t queue_bytes = std::size_t{64} << 20);

  /// A frame enters at a port. Not earlier than the one before it.
  void enter(std::size_t from, std::size_t to, Frame frame, double now_s);
  /// No frame is delivered before; infinity when none is under way. (When frames arrive at their downlinks, earlier, may
  /// be told later: whoever sleeps until here wakes half as often.)
  double next_s() const;
  /// Tells each frame that is due by now and when it was due, in order of time.
  void advance(double now_s, const std::function<void(std::size_t to, const Frame& frame, double due_s)>& deliver);

  std::uint64_t dropped() const { return dropped_; }

 private:
  struct Event {
    double at_s = 0.0;
    std::uint64_t number = 0;  ///< equal times in order of entry
    std::size_t to = 0;
    bool delivered = false;  ///< else: arrives at the downlink
    Frame frame;
    bool operator>(const Event& other) const { return at_s != other.at_s ? at_s > other.at_s : number > other.number; }
  };
  void push(Event event);
  double transmission_s(std::size_t port, const Frame& frame) const;

  std::vector<Port> ports_;
  std::vector<double> up_free_s_, down_free_s_;
  std::vector<std::size_t> queued_;
  std::size_t queue_bytes_;
  std::vector<Event> heap_;
  std::priority_queue<double, std::vector<double>, std::greater<>> wakes_s_;  ///< of each frame, at least one to come
  std::uint64_t number_ = 0, dropped_ = 0;
};

}  // namespace orrery::cluster
