/// Which rank signals which, stage by stage: a barrier (or another collective without data) as incidence matrices.
///
///   S_k(i, j) = 1   rank i signals rank j in stage k; a stage is over for a rank when it has sent and received its
///                   part
///
///   linear         all signal the root, then the root signals all                                         2 stages
///   tree           in stage s every d^s-th rank signals its leader, then the same stages transposed, last first
///                                                                                        2 ceil(log_d p) stages
///   dissemination  in stage s rank i signals (i + 2^s) mod p                                ceil(log2 p) stages
///
/// Only the ones of the matrices are stored, so that patterns of 100,000 ranks fit in memory.
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, section 5.5, figures 5.2 to 5.4 (p = 4)
/// Differs  the text of section 5.3 writes p + (2^s mod P) for dissemination; figure 5.3 shows (p + 2^s) mod P, used
///          here
/// Checked  tests/unit/core/stage_pattern_test.cpp
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace orrery {

struct Signal {
  std::uint32_t from = 0, to = 0;

  auto operator<=>(const Signal&) const = default;
};

/// The signals of one stage, each once, by sender and by receiver.
class PatternStage {
 public:
  PatternStage() = default;
  /// Signals in any order; repetitions count once.
  explicit PatternStage(std::vector<Signal> signals);

  std::span<const Signal> signals() const { return by_sender_; }                ///< by sender, then receiver
  std::span<const Signal> signals_by_receiver() const { return by_receiver_; }  ///< by receiver, then sender
  std::span<const Signal> sent_by(std::uint32_t rank) const;                    ///< ascending receivers
  std::span<const Signal> received_by(std::uint32_t rank) const;                ///< ascending senders
  bool empty() const { return by_sender_.empty(); }
  PatternStage transposed() const;

  bool operator==(const PatternStage& other) const { return by_sender_ == other.by_sender_; }

 private:
  std::vector<Signal> by_sender_, by_receiver_;
};

struct StagePattern {
  std::uint32_t ranks = 0;
  std::vector<PatternStage> stages;

  std::uint64_t signals() const;
  bool operator==(const StagePattern&) const = default;
};

StagePattern linear_pattern(std::uint32_t ranks);
/// `degree` >= 2: members of a group, including its leader.
StagePattern tree_pattern(std::uint32_t ranks, std::uint32_t degree = 2);
StagePattern dissemination_pattern(std::uint32_t ranks);

/// The stages transposed, last first: a pattern that collects becomes one that distributes.
StagePattern transposed(const StagePattern& pattern);
/// Without stages that have no signals.
StagePattern pruned(StagePattern pattern);
/// The pattern among some of `ranks` ranks: its rank i is members[i].
StagePattern embedded(const StagePattern& pattern, std::span<const std::uint32_t> members, std::uint32_t ranks);
/// The signals of `pattern` join those of `into` from stage `first` on.
void overlay(StagePattern& into, const StagePattern& pattern, std::size_t first);

}  // namespace orrery
