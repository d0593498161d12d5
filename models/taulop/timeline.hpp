/// tau-Lop's timeline: transmissions advanced in time steps.
///
///   once      A transmission whose predecessors have ended spends its own overhead o^c(m), at the same time as others
///             spend theirs: a processor is not shared. Then it joins those that inject data through its channel into
///             its destination node. Repeat until nothing is left:
///               1. a group of those that inject needs X^c(shortest remainder, sum of its members' tau) for its next
///                  end; the slice is the time until the first such end or the first end of an overhead;
///               2. members of the group that ends lose its shortest remainder, those of every other group what their
///                  own group carries in the time of the slice, whose end may also bring new members.
///             A message alone takes o + X = T; messages of m1 <= m2 into one node, of equal o, by A2
///               o + X(m1, 2) + X(m2 - m1, 1).
///   per_slice There is no separate time for o: groups form at once, a group needs T^c(shortest remainder, sum of tau),
///             and so whatever remains of a message pays o again in each of its slices.
///
///   o  s  overhead        X  s  transfers without it, X = T - o        m  B  message        tau  1  concurrency
///
/// The time is the sum of the slices. A set of concurrent sequences is the special case in which each transmission
/// follows the one before it.
///
/// Source   Rico-Gallego, Lastovetsky & Diaz-Martin 2016, section 3 (o is the time 'since the invocation of a message
///          transmission operation until the beginning of data injection'; 'not affected by ||') and Fig. 5
/// Valid    ranks that send several messages overlap their overheads too: there is no serial overhead at a root
/// Differs  equal costs: an overhead, then the lower channel, then the lower node goes first. A group whose members use
///          several tables (node types) takes the dearest
/// Checked  tests/unit/models/taulop/timeline_test.cpp; per_slice: golden_test.cpp, the authors' own library of 2023
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/taulop/group.hpp"

namespace orrery::taulop {

/// The content of a slice: a whole T (per_slice), the rest of an overhead, or transfers alone (once).
enum class Part : std::uint8_t { transmission, overhead, transfer };

/// One slice of time: `concurrency` || T^channel(message) or X^channel(message), for the transmissions into one node;
/// or the rest of the overhead o^channel(message) of `concurrency` transmissions that start injecting now.
struct Slice {
  Seconds time;
  Part part = Part::transmission;
  std::uint32_t channel = 0;
  NodeId to_node{};
  std::uint32_t concurrency = 1;
  Bytes message;
  std::uint32_t ended = 0;   ///< transmissions of the group that end with this slice
  std::uint32_t others = 0;  ///< transmissions of other groups that advance meanwhile
  bool begun = false;        ///< an overhead that had partly elapsed when the slice began
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

/// none_on_network is computed as per_slice: it needs tables of the network without overhead.
Timeline timeline(const TransmissionGraph& graph, std::span<const TransmissionTable> tables, Overhead overhead);
Timeline timeline(const std::vector<Sequence>& sequences, std::span<const TransmissionTable> tables, Overhead overhead);

/// "3 || X^1(1859 B) into node 1: 2 transmissions end, the rest of its group has lost as many bytes (A2); 4 elsewhere
/// go on meanwhile at their own pace (A3)".
std::string in_words(const Slice& slice);
/// "3 || T^1(1859 B)", "2 || X^1(1022 B)", "o^1(1024 B)".
std::string term_text(std::uint32_t concurrency, std::uint32_t channel, Bytes message, Part part = Part::transmission);
/// The term of the slice, "rest of o^1(1024 B)" for an overhead that had begun.
std::string term_text(const Slice& slice);

}  // namespace orrery::taulop
