/// Does a pattern synchronise? Who knows of whose arrival when it is over: a proof, or a pair that refutes it.
///
///   K_0 = I + S_0                          (5.1)
///   K_k = K_(k-1) + K_(k-1) x S_k          (5.2)
///
///   K(i, j)   messages by which j knows that i has arrived; a barrier's last K has no zero
///
///   barrier, allreduce   every rank knows of every rank
///   bcast                every rank knows of the root          reduce   the root knows of every rank
///
/// Who reduces sends along what the ranks that he knows of gave, as one number. A receiver adds it to his own where
/// the two are of different ranks, takes it instead where it is of all of his and more, and leaves it where it is of
/// none but his; anything else would count somebody twice, which matters for a sum and not for a maximum.
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

/// What a pattern is asked to do.
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

/// The first such pair by `of`, then `who`; none: the pattern does what it should. `root` is of bcast and reduce.
std::optional<Ignorance> first_ignorance(const StagePattern& pattern, PatternGoal goal = PatternGoal::barrier,
                                         std::uint32_t root = 0);

/// `who` would count `of` twice in a sum: of the first such signal by stage, receiver, sender. Signals of a stage are
/// added in the order of their senders.
std::optional<Ignorance> first_double_count(const StagePattern& pattern);

}  // namespace orrery
