/// tau-Lop's algebra: concurrent sequences of transmissions rewritten into a sum of terms n || T^c(m).
///
///   A1  A || T^c(m1) + A || T^c(m2) = A || T^c(m1 + m2)                       one channel, one after another
///   A2  T^c(m1) || T^c(m2) = 2 || T^c(m1) + T^c(m2 - m1),  m2 >= m1           one channel, at once
///   A3  T^c1(m1) || T^c2(m2) = max{T^c1(m1), T^c2(m2)}                        two channels
///
/// Channels are whole: contention counts every transmission of a channel, whatever nodes it connects. If sequences mix
/// channels, the next rule is not determined; two interpretations of the paper are offered:
///   by_channel  as equation (8): each channel by itself (A2); channels that some sequence uses one after the other
///               add up, channels that no sequence joins are alternatives (A3)
///   dropping    as equations (5)-(7): in step; while heads share one channel, A2; between channels, the one whose
///               shortest transmission ends first has cost nothing (A3) and drops out
/// With `dropping`, several short transmissions may drop out against one long one even if their sum is longer.
///
/// A2 as printed leaves T^c(m2 - m1), a whole transmission that pays o again (Overhead::per_slice). With
/// Overhead::once, a term in which no message starts consists of remainders of messages already called: it costs only
/// its transfers X. A term in which some start costs X plus the largest of their overheads, which are simultaneous:
///   T^c(m1) || T^c(m2) = o^c(m2) + 2 || X^c(m1) + X^c(m2 - m1)
///
/// Source   Rico-Gallego, Lastovetsky & Diaz-Martin 2016, assumptions A1-A3, equations (4)-(10)
/// Checked  tests/unit/models/taulop/algebra_test.cpp
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/taulop/group.hpp"

namespace orrery::taulop {

enum class AlgebraRule : std::uint8_t { by_channel, dropping };

/// concurrency || T^channel(message); with `overhead`: that and the transfers alone.
struct Term {
  std::uint32_t concurrency = 1;
  std::uint32_t channel = 0;
  Bytes message;
  TableSet tables = 1;
  std::optional<Seconds> overhead;  ///< of those that start with this term; empty: each term is a whole T
};

/// A rewriting as text, and its assumption ("A1", "A2", "A3").
struct Rewrite {
  std::string assumption, text;
};

Seconds time_of(const Term& term, std::span<const TransmissionTable> tables);
Seconds time_of(const std::vector<Term>& terms, std::span<const TransmissionTable> tables);

/// Terms of one stage: all sequences start together. A1 applies inside each sequence. The tables decide the maxima of
/// A3 and the order in which transmissions drop out. `rewrites`, if given, receives every step.
std::vector<Term> terms_of(const std::vector<Sequence>& sequences, AlgebraRule rule,
                           std::span<const TransmissionTable> tables, Overhead overhead,
                           std::vector<Rewrite>* rewrites = nullptr);

/// A1 across stages, as equation (10): terms of equal channel, concurrency and tables become one.
std::vector<Term> like_terms_merged(const std::vector<Term>& terms, std::vector<Rewrite>* rewrites = nullptr);

/// "2 || T^0(950272 B) + T^0(147456 B)"; once: "o^0 + 2 || X^0(950272 B) + X^0(147456 B)".
std::string in_words(const std::vector<Term>& terms);

}  // namespace orrery::taulop
