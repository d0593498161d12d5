/// Helpers of the replay tests: one run on both engines, and what must hold of every result.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/core/program.hpp"
#include "sim/engine/engine.hpp"
#include "tests/support/cluster.hpp"

namespace orrery::test {

/// What a result says of kinds of resources and of ranks must be the sums of what it says of each and over time, and no
/// load is over 1.
/// Checked by `play`; needs load curves of each resource, and compares time lines unless the options ask for a part of
/// them.
void check_sums(const RunResult& run, std::uint32_t ranks);

/// The path of the run has no gap from start to end, and of it and of each phase the parts make up the time, which is
/// that of the run and of the phase; at least so much of the time of its flows is explained. Needs
/// options.critical_path.
void check_path(const RunResult& run, double least_explained = 1.0);

/// Plays on both engines, checks that they agree and that their sums are right, and returns what SimGrid told (in a
/// forked child). Compute steps take `flops` seconds.
RunResult play(const Cluster& cluster, const Program& program);
RunResult play(const Cluster& cluster, std::function<Generator<Step>(Rank)> steps);
/// The critical path, which both engines must find alike, so only of programs where nothing is tied: of chains that are
/// equally long, and of resources that are equally tight, each engine may take another.
CriticalPath path_of(const Cluster& cluster, std::function<Generator<Step>(Rank)> steps);
double makespan(const Cluster& cluster, std::function<Generator<Step>(Rank)> steps);

}  // namespace orrery::test
