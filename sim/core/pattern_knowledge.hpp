/// Does a pattern synchronise? Which ranks know of which arrivals at its end: a proof, or a counterexample.
///
///   K_0 = I + S_0                          (5.1)
///   K_k = K_(k-1) + K_(k-1) x S_k          (5.2)
///
///   K(i, j)   messages by which j knows that i has arrived; a barrier's last K has no zero
///
///   barrier, allreduce   every rank knows of every rank
///   bcast                every rank knows of the root          reduce   the root knows of every rank
///
/// In a reduction, each rank sends one number: the sum over the ranks that it knows of. A receiver adds the number to
/// its own if the sets of ranks are disjoint, takes the number if its set is a strict superset, and ignores it if its
/// set is a subset. Any other case would count a rank twice, which is wrong for a sum and not for a maximum.
/// Dissemination sums where the number of ranks is a power of two.
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, equations 5.1 and 5.2
/// Differs  the text says that K(i, j) counts what process i knows of j; by the equations and S(i, j) = "i signals j"
///          it is j that knows of i. Kept here is whether K is zero, not its value, which grows with each stage; 512
///          columns of bits at a time, so that 100,000 ranks take seconds and 13 MB
/// Checked  tests/unit/core/pattern_knowledge_test.cpp (against the products of matrices)
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "sim/core/stage_pattern.hpp"
#include "sim/core/words.hpp"

namespace orrery {

/// The purpose that a pattern is checked for.
enum class PatternGoal : std::uint8_t { barrier, allreduce, bcast, reduce };
inline constexpr Word<PatternGoal> pattern_goal_words[] = {{"barrier", PatternGoal::barrier},
                                                           {"allreduce", PatternGoal::allreduce},
                                                           {"bcast", PatternGoal::bcast},
                                                           {"reduce", PatternGoal::reduce}};

/// `who` leaves without knowing that `of` has arrived.
struct Ignorance {
  std::uint32_t who = 0, of = 0;

  bool operator==(const Ignorance&) const = default;
};

/// The first such pair by `of`, then `who`; empty: the pattern reaches the goal. `root` is used by bcast and reduce.
std::optional<Ignorance> first_ignorance(const StagePattern& pattern, PatternGoal goal = PatternGoal::barrier,
                                         std::uint32_t root = 0);

/// Rank `who` would count `of` twice in a sum; returns the first such signal by stage, receiver, sender. Signals of a
/// stage are added in the order of their senders.
std::optional<Ignorance> first_double_count(const StagePattern& pattern);

}  // namespace orrery
