/// Collects what a run tells: phases, traffic, time lines.
///
/// A rank is in the iteration of its latest iteration mark and in the phase of the latest phase mark after it (before
/// that: the default phase), as the phase builder has it. A phase of a rank
/// begins at its mark (when a step follows before the next mark) and ends at its next phase or iteration mark or at its
/// end. The k-th time ranks enter the same (phase, iteration) is one record; its time is max over ranks (end - own
/// start).
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/core/replay_result.hpp"

namespace orrery::replay {

class Recording {
 public:
  Recording(std::uint32_t ranks, std::uint32_t intervals_max);

  void enter_phase(Rank rank, const char* name, double now);
  void enter_iteration(Rank rank, std::uint32_t iteration, double now);
  /// A step that is not a mark begins; returns the index of its phase record.
  std::uint32_t step(Rank rank) {
    RankPhase& own = ranks_[index(rank)];
    return own.record != none ? own.record : open(rank);
  }
  void finish(Rank rank, double now) { close(rank, now); }
  void message(Rank from, ChannelKind kind, Bytes m, std::uint32_t count = 1) {
    Traffic& traffic = phases_[step(from)].traffic[static_cast<std::size_t>(kind)];
    traffic.messages += count;
    traffic.bytes += count * m;
  }
  void interval(Rank rank, Activity activity, double begin, double end, Rank peer = any_rank, Bytes m = Bytes{});

  /// Moves everything collected into the result.
  void move_into(RunResult& result);

 private:
  static constexpr std::uint32_t none = 0xffffffffu;
  struct Entered {
    std::uint32_t name, times;
  };
  struct RankPhase {
    std::uint32_t name = 0, iteration = 0, record = none;
    double begin = 0.0;
    std::vector<Entered> entered;  ///< how often each phase began in this iteration
  };
  std::uint32_t open(Rank rank);
  void close(Rank rank, double now);
  std::uint32_t name_id(const char* name);

  std::uint32_t intervals_max_;
  std::vector<RankPhase> ranks_;
  std::vector<std::string> names_;
  std::unordered_map<const char*, std::uint32_t> name_ids_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> records_;  ///< (name, iteration) -> by occurrence
  std::vector<PhaseRecord> phases_;
  std::vector<std::vector<Interval>> timelines_;
  bool cut_ = false;
};

}  // namespace orrery::replay
