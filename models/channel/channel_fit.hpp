/// A network's properties from its ping-pong, overheads and ring: the result of `orrery fit CAMPAIGN`.
///
///   r     = median of (n - 1) w(m) / (T_n - T_1)                                   burst of n and of 1 messages
///   H     = (T_n - T_1) r / (n - 1) - w(1) without it                              burst of 64 of one byte
///   o(m)  = what the benchmark of overheads says
///   L     = median over one frame of  T(m) - o_s - o_r - w/r - s(m)                ping-pong
///   f_L(m) = 1 + (T(m) - o_s - o_r - w/r - s(m) - [m >= eager] h (L + 2 w(0)/r) - L) / L
///   a     = median of ((R(m_2) - R(m_1)) r / 2 - (w_2 - w_1)) / (m_2 - m_1)        ring of two each way
///   eager = where the ping-pong jumps by over half an L; h = how many L it jumps
///
///   r       BytesPerSecond  B/s  rate of a port        w(m)  Bytes  B  on the wire: m and a header for each frame
///   H       Bytes           B    header of a message; kept as it is where the ports are not what paces the burst
///   s(m)    Seconds         s    first in first out: a frame at the second port, min(w, frame) / r
///   L, f_L  Seconds, 1      s    latency, and its factor by size        o_s, o_r  Seconds  s  overheads
///   a       1                    acknowledgements      h  1  latencies of a handshake
///
/// Inside a node the ping-pong is o_s + L + m / C + o_r, where C is the rate of one copy. A ring of tau simultaneous
/// messages takes m tau / M more for m more bytes if memory limits it: M is the rate of all copies together. M is found
/// at the largest tau of the ring of tau-Lop's calibration, if that is 10 % slower than a single copy.
///
/// The latency factor absorbs everything that no property explains, so that the ping-pong is met exactly and everything
/// else is a prediction. If the slope of the ping-pong halves without a jump, this is the frame of a store-and-forward
/// switch; it is reported, and used if the platform names none.
///
/// Valid    types of node with two nodes at least; sizes of the overheads below the eager threshold
/// Checked  tests/replay/channel_fit_test.cpp
#pragma once

#include <string>
#include <vector>

#include "models/model.hpp"
#include "models/stats/segments.hpp"

namespace orrery {

/// The benchmarks for the fit of a platform's network, in addition to those of models: for each node type the
/// ping-pong, overheads by size and a ring of two messages each way.
std::vector<Experiment> channel_plan(const Platform& platform, const Network& network, const std::vector<Bytes>& sizes);

struct ChannelFit {
  /// For one node type.
  struct OfType {
    std::string type;
    BytesPerSecond bandwidth;
    Seconds latency;
    std::vector<stats::Point> pingpong;  ///< size, s
    stats::SegmentedFit lines;           ///< through it
    stats::HeldOut held_out;
  };
  std::vector<OfType> types;
  /// Inside a node: a line through the ping-pong, overheads of one byte.
  struct SharedMemory {
    std::string type;
    Seconds latency, send_overhead, receive_overhead;
    BytesPerSecond copy_bandwidth;    ///< of the single copy of a message
    BytesPerSecond memory_bandwidth;  ///< of a node; 0: the measured copies did not limit each other
    std::uint32_t concurrency = 1;    ///< largest measured number of simultaneous copies
  };
  std::vector<SharedMemory> shared_memory;
  std::vector<std::pair<Bytes, Seconds>> send_overhead, receive_overhead;
  std::vector<std::pair<Bytes, double>> latency_factor;
  Bytes eager{0};  ///< 0: no threshold among the sizes
  std::uint32_t handshake = 0;
  Bytes frame{0};  ///< found; 0: none
  Bytes message_header{0};
  double acknowledgement = 0.0;
  /// Processor time of an emulated cluster's switch for a single message, and for the next of many; 0: not measured.
  Seconds forwarding{0}, forwarding_next{0};
  Seconds start_skew{0};  ///< range of times at which ranks leave a common start; 0: not measured
};

/// Throws InputError if a series is missing.
ChannelFit fit_channel(const Platform& platform, const Network& network, const std::vector<Measurement>& measured);

}  // namespace orrery
