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

/// Which TransmissionTables apply, one bit each; several: the dearest counts.
using TableSet = std::uint64_t;
inline constexpr std::uint32_t tables_max = 64;

/// tau || T^channel(message) towards a node.
struct Transmission {
  std::uint32_t channel = 0;  ///< 0 shared memory, 1 network
  TableSet tables = 1;
  std::uint32_t concurrency = 1;  ///< tau
  Bytes message;
  NodeId to_node{};
  bool mergeable = true;  ///< false: A1 leaves it alone (one of n repetitions that were asked for)
};
using Sequence = std::vector<Transmission>;

/// Whether A1 looks at the destination too (the timeline does) or at the channel alone (the paper's algebra).
enum class MergeBy : std::uint8_t { channel_and_node, channel };

/// A1: neighbours of equal channel (and destination node) and equal tau become one transmission of the summed message.
Sequence merged(const Sequence& sequence, MergeBy by);

/// T of the dearest of the tables.
Seconds time_of(TableSet tables, Bytes message, std::uint32_t concurrency, std::span<const TransmissionTable> known);
/// o of the dearest of the tables.
Seconds overhead_of(TableSet tables, Bytes message, std::span<const TransmissionTable> known);
/// X of the dearest of the tables.
Seconds transfer_time_of(TableSet tables, Bytes message, std::uint32_t concurrency,
                         std::span<const TransmissionTable> known);

/// Concurrent transmissions through one channel, as a heap on what each still has to carry.
class ConcurrentGroup {
 public:
  void start(std::uint32_t id, const Transmission& transmission);

  bool empty() const { return heap_.empty(); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(heap_.size()); }
  std::uint32_t concurrency() const { return concurrency_; }  ///< sum of the members' tau
  TableSet tables() const { return tables_; }
  Bytes shortest() const { return heap_.top().ends_at - carried_; }
  /// Until the shortest has ended: T, or X where overheads have been paid already (once).
  Seconds time(std::span<const TransmissionTable> known, Overhead overhead) const {
    return overhead == Overhead::once ? transfer_time_of(tables_, shortest(), concurrency_, known)
                                      : time_of(tables_, shortest(), concurrency_, known);
  }
  /// What each member carries in a `t` that ends a slice; with several tables, the least. In a time in which the
  /// channel carries no message whole, none ends.
  Bytes progress_in(Seconds t, std::span<const TransmissionTable> known, Overhead overhead) const;

  /// Every member loses `lost`; the ids of those that end are appended, in the order of their ids. A millionth of a
  /// byte is what double arithmetic leaves of an exact tie: who has less left has ended.
  void progress(Bytes lost, std::vector<std::uint32_t>& ended);

 private:
  struct Member {
    Bytes ends_at;  ///< its message plus what the group had carried when it started
    std::uint32_t id = 0;
    std::uint32_t concurrency = 1;
    TableSet tables = 1;
    bool operator<(const Member& other) const {  // std heaps keep the greatest on top
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
