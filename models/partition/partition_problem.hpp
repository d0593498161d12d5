/// What a partitioner is given, and what it may ask as often as it likes.
///
///   grid            columns x rows of blocks to divide
///   speeds[i]       speed of rank i as one number, whatever the size of its share
///   speed(i, x)     speed of rank i on a share of size x: a functional performance model, or a benchmark run when
///                   asked
///   time_of(P)      time of the program with candidate P: predicted by a model, or played on an engine
///   played(P)       the same on an engine, where a model predicts: what it chooses is confirmed before it is taken
///   benchmark(x, c) all ranks run their shares x at once, rank i for at most c: what it says of each, and what it
///                   costs
///
///   i  1           rank
///   x  blocks      columns and rows of a share; not whole where a partitioner looks between blocks
///
/// Speeds of speed(i, x) are blocks per second, so that x.blocks() / speed(i, x) is the time of one iteration. Those of
/// `speeds` may have any unit: only ratios count. Questions have no side effects a partitioner could see: the same
/// question gets the same answer. Who makes the problem injects the answers; a partitioner never sees an engine.
///
/// A partitioner that goes in rounds tells each of them to `watch`: what it measured, what it knew, what it cost.
///
/// Source   Lastovetsky & Reddy, IJHPCA 21(1), 2007 (speed as a function of size); Lastovetsky, Reddy, Rychkov & Clarke
///          (self-adaptable algorithms, DFPA: measure, divide, measure again); Rico-Gallego, Lastovetsky & Diaz-Martin,
///          2016 (the time of a candidate by tau-Lop)
/// Checked  tests/contract/every_partitioner_test.cpp, tests/unit/study/partition_problem_test.cpp
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/ids.hpp"
#include "sim/core/partition.hpp"
#include "sim/core/partition_rounds.hpp"
#include "sim/core/units.hpp"

namespace orrery {

/// What a data sheet says of a rank's processor; 0: nobody says.
struct ProcessorFacts {
  double cpu = 0.0;  ///< Hz, or any measure of its speed
  Bytes cache, memory;
  Seconds latency;  ///< from the rank that hands out the work
};

/// Exponents of cost models that weigh what a data sheet says.
struct CostWeights {
  double cpu = 1.0, cache = 1.0, memory = 1.0;
};

struct PartitionProblem {
  static constexpr Seconds never = Seconds(std::numeric_limits<double>::infinity());

  GridSize grid;
  std::vector<double> speeds;                             ///< [ranks]
  std::function<double(Rank, ShareSize)> speed = {};      ///< blocks/s; empty: `speeds` at any size
  std::function<Seconds(const Partition&)> time_of = {};  ///< empty: nobody can tell
  std::function<Seconds(const Partition&)> played = {};   ///< empty: what `time_of` says is taken as it is
  /// Empty: by `speed`, at the cost of the longest.
  std::function<BenchmarkRun(const std::vector<ShareSize>&, Seconds cut_off)> benchmark = {};
  std::vector<ProcessorFacts> processors = {};  ///< [ranks]; empty: nobody says anything
  Seconds latency_max = never;                  ///< ranks as far as that get nothing from who looks at latencies
  std::optional<CostWeights> weights = {};      ///< empty: nobody says
  double accuracy = 0.025;                      ///< epsilon: imbalance at which measuring ends
  std::function<void(const PartitionRound&)> watch = {};
  std::function<void(std::string)> tell = {};  ///< what it found on the way, in a sentence for people

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(speeds.size()); }
  double speed_of(Rank rank, ShareSize size) const { return speed ? speed(rank, size) : speeds[index(rank)]; }
  /// Of one iteration on a share, in seconds where speeds are in blocks/s.
  double time(Rank rank, ShareSize size) const { return size.blocks() / speed_of(rank, size); }
  /// Throws DomainError where a time is not positive.
  BenchmarkRun run(const std::vector<ShareSize>& shares, Seconds cut_off = never) const;
};

}  // namespace orrery
