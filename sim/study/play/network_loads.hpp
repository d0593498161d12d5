/// The load of each slot of a network's outline, in the whole run and during each phase.
///
///   u = B / (C T)      mean over the links of a slot: B and C summed over them; most: the greatest u of one link
///
///   B  Bytes           B    carried by a link; of a phase: the part of each bin of its load curve that is the phase's
///   C  BytesPerSecond  B/s  its capacity
///   T  Seconds         s    the makespan; of a phase: how long at least one rank was in it
///
/// If several phases share a bin, the bytes of a link are divided in proportion to the traffic that each posts per
/// second. A bin that has only one phase with messages gives it all, however short the phase is.
///
/// Differs  a link whose own curve is not kept has the course of its kind: exact where one phase has all messages
/// Valid    by phase while links or their kinds have load curves; without them only the whole run is known
/// Checked  tests/unit/study/network_loads_test.cpp
#pragma once

#include <map>
#include <memory>

#include "platforms/network_outline.hpp"
#include "sim/core/network_outline.hpp"
#include "sim/core/replay_result.hpp"

namespace orrery::study {

std::vector<NetworkLoads> network_loads(const OutlinedNetwork& network, const RunResult& run);

/// Outlines made once for all points on the same network.
class NetworkOutlines {
 public:
  std::shared_ptr<const OutlinedNetwork> of(const std::shared_ptr<const Platform>& platform, const Network& network);

 private:
  static constexpr std::size_t known_max = 64;  ///< a sweep may have as many platforms as points
  std::map<std::pair<std::shared_ptr<const Platform>, std::string>, std::shared_ptr<const OutlinedNetwork>> known_;
};

}  // namespace orrery::study
