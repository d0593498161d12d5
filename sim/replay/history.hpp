/// What caused what, so far: from it the critical path of a run and of each of its phases (sim/core/critical_path.hpp).
///
/// Each rank and each message under way holds its latest event; an event knows the one that caused it and begins where
/// that one ends. A wait that a message ended takes over the message's history, and a message that waited for its
/// receive the receiver's. So all history is a tree, read from its leaves to the start.
///
///   what nobody holds          is freed at once: a branch that turned out not to matter costs nothing
///   what everybody shares      the trunk, from the start to where branches part, is added up and freed as well, as far
///                              as it lies before every phase that ranks are in
///   if more is left than fits  (`nodes_max`) the older half goes, and totals say how much time that was
///
/// No allocation in steady state. Events within one instant (see player.hpp) are
/// simultaneous: a rank that did not wait keeps its own history, and of two messages that of the lower sender counts.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/core/replay_result.hpp"
#include "sim/replay/ids.hpp"
#include "sim/replay/route_table.hpp"

namespace orrery::replay {

class Resources;

/// Who held a flow back, and for how long: a full resource, or with no_resource its cap.
struct Hold {
  ResourceId by{};
  double seconds = 0.0;
};

class History {
 public:
  using Index = std::uint32_t;
  static constexpr std::size_t nodes_max_default = std::size_t{1} << 21;  ///< 64 MB

  explicit History(std::uint32_t ranks, std::size_t nodes_max = nodes_max_default);

  /// Work of `seconds` begins on cores that are shared: it may take longer.
  void shares_cores(Rank rank, double seconds);
  void worked(Rank rank, PathKind kind, std::uint32_t phase, double now);
  /// The envelope leaves.
  void sent(MessageId message, Rank from, Rank to, std::uint32_t phase);
  /// The receiver has just set the message, or its unexpected copy, going.
  void met(MessageId message);
  void delayed(MessageId message, double handshake, double now);
  void flowed(MessageId message, PathKind kind, std::span<const Hold> held, double now);
  /// A rank was blocked until the message came through.
  void waited(Rank rank, MessageId message);
  void forget(MessageId message);
  void barrier(Rank last);
  void finished(Rank rank);
  /// Of the record with this number, by this rank; `slowest`: none took longer so far.
  void phase_ended(std::uint32_t record, std::uint32_t phase, Rank rank, double begin, double now, bool slowest);

  /// `names` of the phases by number; `phases` in order.
  CriticalPath result(const Resources& resources, const std::vector<std::string>& names,
                      const std::vector<PhaseRecord>& phases);

  std::size_t nodes() const { return live_; }

 private:
  static constexpr Index none = 0xffffffffu;
  struct Node {
    double end = 0.0;
    Index parent = none, holders = 0;  ///< `holders`: 0 is free
    Rank rank{}, peer = any_rank;
    std::uint32_t held = held_by_none;
    std::uint16_t phase = 0;
    PathKind kind{};
  };
  static_assert(sizeof(Node) == 32);
  struct Stage {
    double end = 0.0;
    std::uint32_t held = held_by_none;
    PathKind kind{};
  };
  static constexpr std::size_t stages_max = 3;
  /// What a message went through since `node`: most messages are nobody's history in the end and need no nodes.
  struct alignas(64) OfMessage {
    Index node = none;
    Rank from{}, to{};
    std::uint16_t phase = 0;
    std::uint8_t stages = 0;
    std::array<Stage, stages_max> stage;
  };
  static_assert(sizeof(OfMessage) == 64);
  /// Of a phase record: the chain of its slowest rank, until it is added up.
  struct Record {
    Index node = none;
    std::uint32_t ended = 0, phase = 0;
    double begin = 0.0, end = 0.0;
    double counted = 0.0;  ///< s, already
  };
  struct Sum {
    double time = 0.0, left_out = 0.0, own_limit = 0.0, late = 0.0;
    std::array<double, path_kinds> kinds{};
    std::unordered_map<std::uint32_t, double> held, computing;
  };
  static constexpr std::uint32_t no_phase = 0xffffffffu;

  static bool later(double a, double b) { return a > b + (1e-12 + 1e-12 * b); }
  double end_of(const OfMessage& message) const {
    return message.stages > 0 ? message.stage[message.stages - 1u].end : nodes_[message.node].end;
  }
  void pass(OfMessage& message, const Stage& stage);
  void make_nodes(OfMessage& message);
  void hold(Index& holder, Index other);
  void extend(Index& holder, const Node& what);
  void let_go(Index node);
  void make_room();
  void fold_trunk();
  void cut();
  void fold(Record& record);
  void add(Sum& sum, std::uint32_t phase, const Node& node, double begin, double end) const;
  void add_to_run(const Node& node, double begin);
  template <class Act>
  void for_each_holder(Act act);
  static PathTotals totals(const Sum& sum, const std::string& phase);

  std::uint32_t ranks_count_;
  std::size_t nodes_max_, limit_;
  std::vector<Node> nodes_;
  std::vector<Index> free_;
  std::size_t live_ = 0;
  std::vector<Index> ranks_;    ///< latest event of each; none: it has ended
  std::vector<double> begins_;  ///< of the phase each rank is in, or earlier
  std::vector<double> alone_;   ///< s that its work would take on cores of its own
  IdVector<MessageId, OfMessage> messages_;
  std::vector<Record> records_;
  Index last_ = none;   ///< where the rank that ended last ended
  double trunk_ = 0.0;  ///< until when the run is added up
  Sum run_;
  std::vector<Sum> phases_;            ///< by name
  std::vector<PathSegment> segments_;  ///< `held_by` still a ResourceId
  std::uint64_t segments_in_all_ = 0;
  std::vector<Index> chain_;  ///< scratch
};

}  // namespace orrery::replay
