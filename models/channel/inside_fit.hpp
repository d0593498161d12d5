/// The channel inside a node from its ping-pong, overheads and ring only: all that one node can measure.
///
///   1/C    = slope of T(m) from 64 KiB on                                          one copy of a message
///   T_0    = median of T(m) - m/C up to 1 KiB
///   L      = max(T_0 - o_s - o_r, T_0 / 10), and o_s, o_r what that leaves         o_r gives way before o_s
///   f_L(m) = 1 + (T(m) - o_s - o_r - m/C - L) / L                                  ping-pong
///   M      = tau / (slope of the ring of tau messages at once), where that is 1.1 / C and more. Of sockets that have a
///            memory each (`numa-domain: socket`): their number x the messages of the first / the slope
///
///   T(m)      Seconds         s    ping-pong, one way     o_s, o_r  Seconds  s  overheads of one byte, measured
///   C, M      BytesPerSecond  B/s  rate of one copy; of all copies together
///   L, f_L    Seconds, 1      s    latency, and its factor by size
///
/// The factor absorbs everything that no other property explains, including thresholds of the library, so that only the
/// ping-pong is met exactly. Two processes that wait for each other spend more time in a call than a message takes if a
/// virtual machine time-shares their processors: then the fit cuts overheads and reports it.
///
/// Valid    platforms of one type of node, with two cores at least
/// Checked  tests/replay/channel_fit_test.cpp
#pragma once

#include <string>
#include <vector>

#include "models/channel/channel_fit.hpp"

namespace orrery {

/// Ping-pong, overheads of one byte, and rings of 2, 4, ... messages at once up to all cores of the first node.
std::vector<Experiment> inside_plan(const Platform& platform, const Network& network, const std::vector<Bytes>& sizes);

struct InsideFit {
  ChannelFit::SharedMemory node;
  std::vector<std::pair<Bytes, double>> latency_factor;
  bool overheads_cut = false;  ///< they exceeded the time of a message
};

/// Throws InputError if a series is missing.
InsideFit fit_inside(const Platform& platform, const Network& network, const std::vector<Measurement>& measured);

/// Whether copies are limited by the memory of a node, from its rings of several simultaneous messages.
void find_contention(ChannelFit::SharedMemory& node, const std::string& ring, const NodeType& type,
                     const std::vector<Measurement>& measured);

}  // namespace orrery
