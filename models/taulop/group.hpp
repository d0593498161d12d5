/// Transmissions of tau-Lop and the group of those that share a channel: all members lose the same bytes at a time.
#pragma once

#include <array>
#include <cstdint>
#include <queue>
#include <span>
#include <vector>

#include "models/taulop/parameters.hpp"
#include "sim/core/ids.hpp"

namespace orrery::taulop {

/// The TransmissionTables that apply, one bit each; of several, the most expensive counts.
using TableSet = std::uint64_t;
inline constexpr std::uint32_t tables_max = 64;

/// tau || T^channel(message) towards a node.
struct Transmission {
  std::uint32_t channel = 0;  ///< 0 shared memory, 1 network
  TableSet tables = 1;
  std::uint32_t concurrency = 1;  ///< tau
  Bytes message;
  NodeId to_node{};
  bool mergeable = true;  ///< false: A1 does not merge it (one of n requested repetitions)
};
using Sequence = std::vector<Transmission>;

/// Whether A1 also compares the destination (in the timeline) or only the channel (in the paper's algebra).
enum class MergeBy : std::uint8_t { channel_and_node, channel };

/// A1: neighbours of equal channel (and destination node) and equal tau become one transmission of the summed message.
Sequence merged(const Sequence& sequence, MergeBy by);

/// T of the most expensive of the tables.
Seconds time_of(TableSet tables, Bytes message, std::uint32_t concurrency, std::span<const TransmissionTable> known);
/// o of the most expensive of the tables.
Seconds overhead_of(TableSet tables, Bytes message, std::span<const TransmissionTable> known);
/// X of the most expensive of the tables.
Seconds transfer_time_of(TableSet tables, Bytes message, std::uint32_t concurrency,
                         std::span<const TransmissionTable> known);

/// Concurrent transmissions through one channel, as a heap by their remaining bytes.
class ConcurrentGroup {
 public:
  void start(std::uint32_t id, const Transmission& transmission);

  bool empty() const { return heap_.empty(); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(heap_.size()); }
  std::uint32_t concurrency() const { return concurrency_; }  ///< sum of the members' tau
  TableSet tables() const { return tables_; }
  Bytes shortest() const { return heap_.top().ends_at - carried_; }
  /// Until the shortest has ended: T, or X if overheads are already paid (once).
  Seconds time(std::span<const TransmissionTable> known, Overhead overhead) const {
    return overhead == Overhead::once ? transfer_time_of(tables_, shortest(), concurrency_, known)
                                      : time_of(tables_, shortest(), concurrency_, known);
  }
  /// Bytes that each member carries in a `t` that ends a slice; with several tables, the least. If the channel carries
  /// no whole message in that time, none ends.
  Bytes progress_in(Seconds t, std::span<const TransmissionTable> known, Overhead overhead) const;

  /// Every member loses `lost`; the ids of those that end are appended, in the order of their ids. Rounding of an exact
  /// tie leaves up to a millionth of a byte: a member with less has ended.
  void progress(Bytes lost, std::vector<std::uint32_t>& ended);

 private:
  struct Member {
    Bytes ends_at;  ///< its message plus the bytes that the group had carried before
    std::uint32_t id = 0;
    std::uint32_t concurrency = 1;
    TableSet tables = 1;
    bool operator<(const Member& other) const {  // std heaps keep the largest on top
      return ends_at != other.ends_at ? ends_at > other.ends_at : id > other.id;
    }
  };
  void count_tables(TableSet tables, int change);

  std::priority_queue<Member> heap_;
  Bytes carried_;
  std::uint32_t concurrency_ = 0;
  TableSet tables_ = 0;
  std::array<std::uint32_t, tables_max> users_{};  ///< members per table
};

}  // namespace orrery::taulop
