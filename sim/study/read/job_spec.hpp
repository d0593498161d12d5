/// One of several programs that a scenario plays at once: `jobs` instead of `kernel` and `layout`.
///
///   jobs:
///     - {name: stencil, kernel: {name: stencil, points: 4096}, layout: {ranks: 16, per-node: 1}}
///     - {name: noise, kernel: {name: collective, operation: alltoall}, layout: {ranks: 16, per-node: 1},
///        nodes: interleaved, start: 1ms, repeat: until-others-end}
///
/// A job has ranks, nodes, a partition and a compute model of its own; platform, network and whatever else the
/// scenario says are of all of them. Its layout is built as if it had the machine for itself; `nodes` then says which
/// nodes of the same types it gets instead, in which order:
///
///   contiguous    the first ones that no job before it has
///   interleaved   jobs that say so take turns, a node each
///   random        drawn from those left; ranks go in the order in which they are drawn
///   (a layout that names its nodes: 'node-list', 'placement')  those
///
/// Nodes are of one job, unless `share: true`: such a job takes nodes as if it were alone, others do not mind it.
///
/// Checked  tests/unit/study/jobs_test.cpp, tests/replay/several_jobs_test.cpp
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/config/reader.hpp"
#include "sim/core/units.hpp"

namespace orrery {

struct PointSpec;

struct JobSpec {
  enum class Nodes : std::uint8_t { contiguous, interleaved, random };
  static constexpr const char* endless = "until-others-end";

  std::string name, where, nodes_where;    ///< `nodes_where`: empty where the file says nothing of them
  std::shared_ptr<const PointSpec> point;  ///< what it would be as a scenario of its own
  Nodes nodes = Nodes::contiguous;
  std::uint64_t seed = 1;  ///< of random ones
  Seconds start{};
  std::uint32_t repeat = 1;  ///< 0: until all others have ended
  bool share = false;
};

/// The jobs of a scenario; none where it has no 'jobs'. Throws InputError.
std::vector<JobSpec> read_jobs(const config::Document& document);

}  // namespace orrery
