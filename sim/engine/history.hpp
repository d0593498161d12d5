/// The causes of all events so far: the source of critical paths of a run and its phases (sim/core/critical_path.hpp).
///
/// A log of events, each with the one that caused it. An event begins where it branches off its cause, and ends where
/// the next event branches off. A rank that continues the same sort of work therefore writes nothing, and a message
/// refers to its sender's work up to the moment of sending. A wait that a message ended takes over the history of the
/// message, and a message that waited for its receiver that of the receiver. All history is a tree, read from its
/// leaves (the ranks and the messages in flight) to the start.
///
///   when the log is full       events that no leaf leads to are deleted
///   the common part            from the start to the first fork is added up and deleted as well, as far as it lies
///                              before every phase that ranks are in
///   if the rest is too large   (`events_max`) events between two forks are added up by cause (`CauseTimes`): sums of
///                              the run stay the same, and memory grows only with ranks and messages in flight
///
/// Segments are listed up to the first interval that was added up. The path of a phase that begins within such an
/// interval (ranks begin phases at very many dates) counts the rest of it as `left_out`.
///
/// No allocation and no search in steady state. Events within one instant (see player.hpp) are simultaneous: a rank
/// that did not wait keeps its own history, and of two messages the one of the lower sender counts.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/core/replay_result.hpp"
#include "sim/engine/cause_times.hpp"
#include "sim/engine/engine.hpp"
#include "sim/engine/handshake.hpp"
#include "sim/engine/ids.hpp"
#include "sim/engine/route_table.hpp"

namespace orrery::engine {

class Resources;

/// What limited a flow, and for how long: a full resource, or its cap (no_resource).
struct Hold {
  ResourceId by{};
  double seconds = 0.0;
};

class History {
 public:
  /// Events kept separately: 64 MB for few ranks, and for more ranks an amount that stays in a cache.
  static constexpr std::size_t events_max_of(std::uint32_t ranks) { return std::size_t{1} << (ranks <= 256 ? 21 : 17); }

  /// `events_max` 0: chosen by the number of ranks.
  explicit History(std::uint32_t ranks, std::size_t events_max = 0);

  /// Work of `seconds` begins on shared cores: it may take longer.
  void shares_cores(Rank rank, double seconds);
  void worked(Rank rank, PathKind kind, std::uint32_t phase, double now) {
    OfRank& own = ranks_[index(rank)];
    const std::uint32_t sort = sort_of(kind, phase);
    if (own.sort == sort && alone_.empty()) {
      own.until = std::max(own.until, now);
      return;
    }
    begin_work(own, rank, kind, phase, now);
  }
  /// The envelope leaves; `handshake` is the part of its data's delay, and the request's part of that.
  void sent(MessageId message, Rank from, Handshake handshake);
  /// The receiver has just started the message, or its unexpected copy, unless the request arrives later.
  void met(MessageId message, Rank to) {
    const OfRank& receiver = ranks_[index(to)];
    OfMessage& its = messages_[message];
    if (!later(receiver.until, its.until + its.handshake.request)) return;
    its.leave(receiver);
    its.handshake.all -= its.handshake.request;
  }
  /// A message that waited for this rank to enter a call; `handshake_left` of its handshake remains.
  void taken_up(MessageId message, Rank by, double handshake_left) {
    messages_[message].leave(ranks_[index(by)]);
    messages_[message].handshake = {handshake_left, 0.0};
  }
  struct Ends {
    Rank from, to;
  };
  /// The delay of its data is over. Called by `flowed` for a message that has one.
  void delayed(MessageId message, Ends ends, double now);
  /// Its latest flow began at `began`; before that it was delayed.
  void flowed(MessageId message, Ends ends, double began, PathKind kind, std::span<const Hold> held, double now);
  /// A rank was blocked until the message arrived.
  void waited(Rank rank, MessageId message, Ends ends);
  void forget(MessageId message) { messages_[message].event = none; }
  /// Ranks [first, end) leave a barrier that this one was the last to enter.
  void barrier(Rank last, std::uint32_t first, std::uint32_t end);
  /// The rank's program begins now: earlier time is not recorded.
  void begins(Rank rank, double now) { ranks_[index(rank)].until = now; }
  /// In a run of several jobs each has its own path, too.
  void keep_jobs(std::span<const Job> jobs);
  /// How long a resource limited this job, once there is a result.
  double held(std::size_t job, ResourceId by) const {
    const auto found = job_sums_[job].held.find(static_cast<std::uint32_t>(by));
    return found == job_sums_[job].held.end() ? 0.0 : found->second;
  }
  void finished(Rank rank);
  /// Of the record with this number, by this rank; `slowest`: the longest so far.
  void phase_ended(std::uint32_t record, std::uint32_t phase, Rank rank, double begin, double now, bool slowest);

  /// `names` of the phases by number; `phases` in order.
  CriticalPath result(const Resources& resources, const std::vector<std::string>& names,
                      const std::vector<PhaseRecord>& phases);

  std::size_t events() const { return count_; }

 private:
  using Index = std::uint32_t;
  static constexpr Index none = 0xffffffffu;
  struct Event {  // without initial values: the log is not touched before it is used
    double begin;
    Index cause;             ///< none: the start, or the sum of everything added up
    std::uint32_t referred;  ///< how often, valid while room is made
    Rank rank, peer;
    std::uint32_t held;  ///< for several events added up: their index in `sums_`
    std::uint16_t phase;
    PathKind kind;
    bool summed;
  };
  static constexpr Event start() { return {0.0, none, 0, {}, any_rank, held_by_none, 0, {}, false}; }
  static_assert(sizeof(Event) == 32);
  /// An event up to some date.
  struct Leaf {
    double until = 0.0;
    Index event = none;
    void leave(const Leaf& other) { *this = other; }
  };
  struct OfRank : Leaf {
    std::uint32_t sort = no_sort;  ///< sort of its latest event
  };
  struct OfMessage : Leaf {
    Handshake handshake;
    void leave(const Leaf& other) { Leaf::operator=(other); }
  };
  /// Of a phase record: the chain of its slowest rank, until it is added up.
  struct Record : Leaf {
    std::uint32_t ended = 0, phase = 0;
    double begin = 0.0, end = 0.0;
    double counted = 0.0;  ///< s, so far
  };
  struct Sum {
    double time = 0.0, left_out = 0.0, own_limit = 0.0, late = 0.0;
    std::array<double, path_kinds> kinds{};
    std::unordered_map<std::uint32_t, double> held, computing;
  };
  static constexpr std::uint32_t no_phase = 0xffffffffu;
  // Sorts of events of a rank: its own work, by kind and phase; a message that arrived, by sender; anything else.
  static constexpr std::uint32_t no_sort = 0xffffffffu, message_from = 0x80000000u;
  static std::uint32_t sort_of(PathKind kind, std::uint32_t phase) {
    return static_cast<std::uint32_t>(kind) | (phase & 0xffffu) << 8;
  }

  static bool later(double a, double b) { return a > b + (1e-12 + 1e-12 * b); }
  void begin_work(OfRank& own, Rank rank, PathKind kind, std::uint32_t phase, double now);
  void delayed(OfMessage& message, Ends ends, double now);
  /// The leaf continues until `end` with this work.
  void extend(Leaf& leaf, double end, PathKind kind, Rank rank, Rank peer, std::uint32_t held, std::uint32_t phase) {
    if (!(end > leaf.until)) return;
    if (count_ == limit_) make_room();
    events_[count_] = {leaf.until, leaf.event, 0, rank, peer, held, static_cast<std::uint16_t>(phase), kind, false};
    leaf = {end, count_++};
  }
  // when the log is full (history_room.cpp)
  void make_room();
  void grow();
  void fold_if_many();
  void find_dates();
  void count_references();
  void add_up(bool all);
  void join(Event& event, const Event& next, double end);
  void free_sum(const Event& event);
  void close_gaps();
  template <class Act>
  void for_each_leaf(Act act);
  // results (history_result.cpp)
  void fold(Record& record);
  static CauseTime cause_of(const Event& event, double end);
  static void add(Sum& sum, std::uint32_t phase, const CauseTime& one);
  void add(Sum& sum, std::uint32_t phase, const Event& event, double begin, double end) const;
  void add_to_run(const Event& event, double end);
  static PathTotals totals(const Sum& sum, const std::string& phase);
  void add_up_jobs();

  std::uint32_t ranks_count_;
  std::size_t events_max_;
  Index limit_, count_ = 1;
  std::unique_ptr<Event[]> events_;  ///< [limit_], memory that is not touched before it is used
  std::vector<CauseTimes> sums_;
  std::vector<std::uint32_t> free_sums_;
  std::vector<OfRank> ranks_;
  IdVector<MessageId, OfMessage> messages_;
  std::vector<double> begins_;  ///< of the phase of each rank, or earlier
  std::vector<double> alone_;   ///< s that its work would take on unshared cores
  std::vector<Record> records_;
  std::size_t first_open_ = 0;  ///< all records before are complete
  Leaf last_;                   ///< end of the rank that ended last
  struct OfJob : Leaf {
    std::string name;
    std::uint32_t first = 0, ranks = 0;
    double start = 0.0;
  };
  std::vector<OfJob> jobs_;  ///< of each: end of its rank that ended last
  std::vector<Sum> job_sums_;
  Sum run_;                            ///< its time is also the date up to which it is added up
  std::vector<Sum> phases_;            ///< by name
  std::vector<PathSegment> segments_;  ///< `held_by` is still a ResourceId
  std::uint64_t segments_in_all_ = 0;
  bool lists_segments_ = true;  ///< no segment of the run was added up
  std::vector<double> dates_;   ///< scratch, as those below
  std::vector<Index> chain_, places_;
};

}  // namespace orrery::engine
