/// The costs of a process alone, by node type and channel: the overheads and the gap of the LogP family.
///
///   o_s  s  time to send a message of 1 B = time of n sends / n        o_r  s  time to receive one that is there
///   g    s  gap between messages = (T(n) - T(1)) / (n - 1), T(n) until the last of n messages has arrived
///
/// Source   Bosque & Pastor, IEEE TPDS 17(12), 2006 (parameters by process); Culler et al., IEEE Micro 16(1), 1996
/// Differs  measured once per type of node, not once per process: processes of a type are alike
#pragma once

#include "models/calibration.hpp"
#include "models/model.hpp"

namespace orrery {

struct ProcessParameters {
  Seconds overhead_send, overhead_receive, gap;
};

/// One experiment "overhead/<channel>/<type>" per node type and channel.
std::vector<Experiment> process_plan(const Platform& platform, const Network& network);

/// These, after ping-pongs between all pairs of types: the input of the fits of LogGP, LogGPH, HLogGP and mlog_nP.
std::vector<Experiment> process_and_pingpong_plan(const Platform& platform, const Network& network,
                                                  const CalibrationRange& range);

ProcessParameters process_fit(const Platform& platform, ChannelKind channel, std::uint32_t type,
                              const Measurements& measured);

/// The costs of a pair: L_ij = T(m0) - o_s - o_r - (m0 - 1) G at the smallest size m0, with the overheads of both
/// directions averaged (a ping-pong goes both ways), and G_ij by least squares through (m0, T(m0)).
struct LinkParameters {
  Seconds latency;
  SecondsPerByte gap_per_byte;
};
LinkParameters link_fit(const Platform& platform, const ChannelPair& pair, const CalibrationRange& range,
                        const Measurements& measured);

}  // namespace orrery
