/// What the tau-Lop tests share: the two synthetic platforms, the golden files, the partition of Fig. 8.
///
///   synth0   o = 0; L_SHM = 1e-10 m (1 + 0.5 (tau - 1)), L_IB = 4e-10 m (1 + 0.75 (tau - 1)), L_TCP = 8e-9 m tau
///   synth1   the same L; o = 0.5 us (SHM), 2 us (IB), 30 us (TCP)
///   both     K = 8, 30 sizes from 1 B to 4 MiB, and a reduction operation of 2e-10 s per byte
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/taulop/expression.hpp"
#include "models/taulop/parameters.hpp"
#include "models/taulop/timeline.hpp"
#include "sim/core/partition.hpp"

namespace orrery::test {

struct SyntheticPlatform {
  std::string name;                               ///< "synth0_IB": also its column in the golden files
  std::vector<taulop::TransmissionTable> tables;  ///< by channel: shared memory, network
};

taulop::ChannelTable synthetic_channel(const std::string& channel, bool with_overhead);
/// synth0_IB, synth0_TCP, synth1_IB, synth1_TCP.
std::vector<SyntheticPlatform> synthetic_platforms();

/// Rows of tests/unit/models/taulop/golden/<name>.tsv, by column name.
using GoldenRow = std::map<std::string, std::string>;
std::vector<GoldenRow> golden(const std::string& name);
/// Tab-separated text with a header line; lines of one # and a blank are comments.
std::vector<GoldenRow> rows_of(const std::string& text);

/// Time of one byte more in every slice. The library works in 32-bit floats: where an inverse is a whole number, it
/// rounds up by one byte or not as the last bit falls, so that a case full of such ties is known to a byte a slice.
Seconds byte_of_each_slice(const taulop::Timeline& timeline, const std::vector<taulop::TransmissionTable>& tables);

/// 6 ranks, 256 x 256 blocks; ranks 0, 1, 2 live on node 0.
Partition fig8();
inline NodeId fig8_node(std::uint32_t rank) { return NodeId{rank / 3}; }

}  // namespace orrery::test
