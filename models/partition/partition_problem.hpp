/// What a partitioner is given, and what it may ask as often as it likes.
///
///   grid            columns x rows of blocks to divide
///   speeds[i]       speed of rank i as one number, whatever the size of its share
///   speed(i, x)     speed of rank i on a share of size x: a functional performance model, or a benchmark run when
///                   asked
///   time_of(P)      time of the program with candidate P: predicted by a model, or played on an engine
///   benchmark(x, c) all ranks run their shares x at once, rank i for at most c: what it says of each, and what it
///   costs
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
/// Checked  tests/contract/every_partitioner_test.cpp, tests/unit/scenario/partition_problem_test.cpp
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "models/processor/speed_function.hpp"
#include "sim/core/ids.hpp"
#include "sim/core/partition.hpp"
#include "sim/core/units.hpp"

namespace orrery {

/// All ranks ran their shares at once.
struct BenchmarkRun {
  std::vector<Seconds> times;  ///< [ranks] of one iteration on its share; 0 for an empty share
  Seconds cost;                ///< from handing out the sizes to the last time received
};

/// One round of a partitioner that measures while it divides, or one measurement of a partitioner that measures before.
struct PartitionRound {
  std::vector<ShareSize> shares;  ///< [ranks] that were run
  BenchmarkRun run;
  /// [ranks] by height at the width of the shares, by which they were chosen; empty in a first round, which knows none.
  std::vector<std::vector<SpeedPoint>> known;
  double imbalance = 0.0;   ///< max |t_i - t_j| / t_i
  std::uint32_t outer = 0;  ///< of a partitioner in two dimensions: how often widths had been balanced before
};

struct PartitionProblem {
  GridSize grid;
  std::vector<double> speeds;                             ///< [ranks]
  std::function<double(Rank, ShareSize)> speed = {};      ///< blocks/s; empty: `speeds` at any size
  std::function<Seconds(const Partition&)> time_of = {};  ///< empty: nobody can tell
  /// Empty: by `speed`, at the cost of the longest.
  std::function<BenchmarkRun(const std::vector<ShareSize>&, Seconds cut_off)> benchmark = {};
  double accuracy = 0.025;  ///< epsilon: imbalance at which measuring ends
  std::function<void(const PartitionRound&)> watch = {};

  static constexpr Seconds never = Seconds(std::numeric_limits<double>::infinity());

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(speeds.size()); }
  double speed_of(Rank rank, ShareSize size) const { return speed ? speed(rank, size) : speeds[index(rank)]; }
  /// Of one iteration on a share, in seconds where speeds are in blocks/s.
  double time(Rank rank, ShareSize size) const { return size.blocks() / speed_of(rank, size); }
  /// Throws DomainError where a time is not positive.
  BenchmarkRun run(const std::vector<ShareSize>& shares, Seconds cut_off = never) const;
};

}  // namespace orrery
