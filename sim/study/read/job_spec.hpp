/// One of several programs that a scenario runs at the same time: `jobs` instead of `kernel` and `layout`.
///
///   jobs:
///     - {name: stencil, kernel: {name: stencil, points: 4096}, layout: {ranks: 16, per-node: 1}}
///     - {name: noise, kernel: {name: collective, operation: alltoall}, layout: {ranks: 16, per-node: 1},
///        nodes: interleaved, start: 1ms, repeat: until-others-end}
///
/// A job has its own ranks, nodes, partition and compute model; platform, network and everything else in the scenario
/// apply to all jobs. Its layout is built as if it had the cluster for itself; `nodes` then selects other nodes of the
/// same types, and their order:
///
///   contiguous    the first ones that no earlier job has
///   interleaved   jobs with this value take turns, a node each
///   random        random ones of those remaining; ranks go in the order in which these are selected
///   (a layout that names its nodes: 'node-list', 'placement')  those
///
/// Nodes belong to one job, unless `share: true`: such a job takes nodes as if it were alone, and others ignore it.
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

  std::string name, where, nodes_where;    ///< `nodes_where`: empty if the file does not have them
  std::shared_ptr<const PointSpec> point;  ///< the job as a scenario of its own
  Nodes nodes = Nodes::contiguous;
  std::uint64_t seed = 1;  ///< of random nodes
  Seconds start{};
  std::uint32_t repeat = 1;  ///< 0: until all others have ended
  bool share = false;
};

/// The jobs of a scenario; empty if it has no 'jobs'. Throws InputError.
std::vector<JobSpec> read_jobs(const config::Document& document);

}  // namespace orrery
