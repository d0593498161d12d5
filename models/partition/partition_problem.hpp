/// What a partitioner is given, and what it may ask as often as it likes.
///
///   grid            columns x rows of blocks to divide
///   speeds[i]       speed of rank i as one number, whatever the size of its share
///   speed(i, x)     speed of rank i on a share of size x: a functional performance model, or a benchmark run when
///   asked time_of(P)      time of the program with candidate P: predicted by a model, or played on an engine
///
///   i  1           rank
///   x  blocks      columns and rows of a share; not whole where a partitioner looks between blocks
///
/// Speeds of speed(i, x) are blocks per second, so that x.blocks() / speed(i, x) is the time of one iteration. Those of
/// `speeds` may have any unit: only ratios count. Questions have no side effects a partitioner could see: the same
/// question gets the same answer. Who makes the problem injects the answers; a partitioner never sees an engine.
///
/// Source   Lastovetsky & Reddy, IJHPCA 21(1), 2007 (speed as a function of size); Lastovetsky, Reddy, Rychkov & Clarke
///          (self-adaptable algorithms, DFPA: measure, divide, measure again); Rico-Gallego, Lastovetsky & Diaz-Martin,
///          2016 (the time of a candidate by tau-Lop)
/// Checked  tests/contract/every_partitioner_test.cpp, tests/unit/scenario/partition_problem_test.cpp
#pragma once

#include <functional>
#include <vector>

#include "sim/core/ids.hpp"
#include "sim/core/partition.hpp"
#include "sim/core/units.hpp"

namespace orrery {

struct PartitionProblem {
  GridSize grid;
  std::vector<double> speeds;                             ///< [ranks]
  std::function<double(Rank, ShareSize)> speed = {};      ///< blocks/s; empty: `speeds` at any size
  std::function<Seconds(const Partition&)> time_of = {};  ///< empty: nobody can tell

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(speeds.size()); }
  double speed_of(Rank rank, ShareSize size) const { return speed ? speed(rank, size) : speeds[index(rank)]; }
  /// Of one iteration on a share, in seconds where speeds are in blocks/s.
  double time(Rank rank, ShareSize size) const { return size.blocks() / speed_of(rank, size); }
};

}  // namespace orrery
