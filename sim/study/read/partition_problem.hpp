/// The problem of a partitioner for a kernel, a layout and a compute model, and functions that answer its questions:
///
///   speeds         of each rank for 10^9 flops of the kernel's kind (typical_work), or as the scenario states them
///   speed(i, x)    blocks of x / time of the kernel's step of such a share on rank i, by the compute model
///   time_of(P)     the kernel made with P, timed by the partitioner's model, else by the flow engine
///   played(P)      the same on the flow engine where a model times, unless the scenario says 'confirm: false'
///
/// Checked  tests/unit/study/partition_problem_test.cpp
#pragma once

#include "models/partition/partition_problem.hpp"
#include "sim/study/read/point.hpp"

namespace orrery {

/// `point` has platform, network, layout, compute model, kernel and parameters; candidates replace its partition and
/// program while they are timed. `point` and `time` must outlive the problem.
PartitionProblem partition_problem(LoadedPoint& point, const PointSpec& spec, const TimeOfPoint& time);

}  // namespace orrery
