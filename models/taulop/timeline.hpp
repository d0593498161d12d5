/// tau-Lop's timeline: transmissions stepped in time, slice by slice.
///
/// Repeat until nothing is left:
///   1. take every transmission whose predecessors have ended; group them by (channel, destination node);
///   2. a group's cost is T(shortest message of the group, sum of its members' tau); the cheapest group is the slice;
///   3. its members lose the shortest message; the members of every other group lose the bytes that their own group
///      carries in the time of the slice; whoever has nothing left has ended.
/// The time is the sum of the slices. What remains of a transmission pays its overhead again in each of its slices, so
/// two channels do not cost exactly the dearer one.
///
/// A set of concurrent sequences is the special case in which each transmission follows the one before it.
///
/// Source   Rico-Gallego, Lastovetsky & Diaz-Martin 2016, Fig. 5, as their own library steps through it
/// Differs  equal costs: the lower channel, then the lower node goes first. A group whose members use several tables
///          (node types) takes the dearest
/// Checked  tests/unit/models/taulop/timeline_test.cpp, golden_test.cpp
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/taulop/group.hpp"

namespace orrery::taulop {

/// One slice of time: `concurrency` || T^channel(message), for the transmissions into one node.
struct Slice {
  Seconds time;
  std::uint32_t channel = 0;
  NodeId to_node{};
  std::uint32_t concurrency = 1;
  Bytes message;
  std::uint32_t ended = 0;   ///< transmissions of the group that end with this slice
  std::uint32_t others = 0;  ///< transmissions of other groups that advance meanwhile
};

struct Timeline {
  Seconds time;
  std::vector<Slice> slices;
};

/// Transmissions and their predecessors (indices into the same array; no cycles).
struct TransmissionGraph {
  std::vector<Transmission> transmissions;
  std::vector<std::vector<std::uint32_t>> after;  ///< [transmissions]
};

Timeline timeline(const TransmissionGraph& graph, std::span<const TransmissionTable> tables);
Timeline timeline(const std::vector<Sequence>& sequences, std::span<const TransmissionTable> tables);

/// "slice 2: 3 || T^1(1859 B) into node 1 = 3.53 us; 2 end, 4 others advance (A2, A3)".
std::string in_words(const Slice& slice);
/// "3 || T^1(1859 B)".
std::string term_text(std::uint32_t concurrency, std::uint32_t channel, Bytes message);

}  // namespace orrery::taulop
