/// The input of a partitioner, and functions that it may call any number of times.
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
/// `speeds` may have any unit: only ratios count. Functions have no side effects visible to a partitioner: the same
/// arguments give the same answer. The problem's creator provides the functions; a partitioner sees no engine.
///
/// A partitioner with rounds reports each of them to `watch`: its measurements, the known speeds, the cost.
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

/// Data sheet values of a rank's processor; 0: not given.
struct ProcessorFacts {
  double cpu = 0.0;  ///< Hz, or any measure of its speed
  Bytes cache, memory;
  Seconds latency;  ///< from the rank that distributes the work
};

/// Exponents of cost models that weight data sheet values.
struct CostWeights {
  double cpu = 1.0, cache = 1.0, memory = 1.0;
};

struct PartitionProblem {
  static constexpr Seconds never = Seconds(std::numeric_limits<double>::infinity());

  GridSize grid;
  std::vector<double> speeds;                             ///< [ranks]
  std::function<double(Rank, ShareSize)> speed = {};      ///< blocks/s; empty: `speeds` at any size
  std::function<Seconds(const Partition&)> time_of = {};  ///< empty: not available
  std::function<Seconds(const Partition&)> played = {};   ///< empty: `time_of` needs no confirmation
  /// Empty: computed from `speed`, at the cost of the longest run.
  std::function<BenchmarkRun(const std::vector<ShareSize>&, Seconds cut_off)> benchmark = {};
  std::vector<ProcessorFacts> processors = {};  ///< [ranks]; empty: not given
  Seconds latency_max = never;                  ///< ranks this far away get nothing if a partitioner uses latencies
  std::optional<CostWeights> weights = {};      ///< empty: not given
  double accuracy = 0.025;                      ///< epsilon: imbalance at which measuring ends
  std::function<void(const PartitionRound&)> watch = {};
  std::function<void(std::string)> tell = {};  ///< findings, as a sentence for people

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(speeds.size()); }
  double speed_of(Rank rank, ShareSize size) const { return speed ? speed(rank, size) : speeds[index(rank)]; }
  /// Time of one iteration on a share, in seconds if speeds are in blocks/s.
  double time(Rank rank, ShareSize size) const { return size.blocks() / speed_of(rank, size); }
  /// Throws DomainError if a time is not positive.
  BenchmarkRun run(const std::vector<ShareSize>& shares, Seconds cut_off = never) const;
};

}  // namespace orrery
