/// Helpers of the replay tests: small platforms with round figures, and one run in a child of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "platforms/description.hpp"
#include "sim/core/program.hpp"
#include "sim/replay/engine.hpp"

namespace orrery::test {

/// What the closed forms are written in. Two node types would only blur them: there is one.
struct Cluster {
  Platform platform;
  Layout layout;
  ReplayOptions options;

  /// `nodes` nodes in a star; NIC 1 GB/s, latency 10 us; memory 4 GB/s, one core copies at 1 GB/s, shared memory 1 us.
  /// No overheads, no copies, everything eager and detached, until a test says otherwise.
  explicit Cluster(std::uint32_t nodes, std::uint32_t cores = 16);
  NodeType& type() { return platform.node_types.front(); }
  Network& network() { return platform.networks.front(); }
  ChannelProperties& wire() { return network().protocol; }
  ChannelProperties& shared() { return type().shared_memory; }
  /// One rank of one core on the node, first free core of its first socket.
  Cluster& place(const std::vector<std::uint32_t>& nodes);
};

class SecondsAsFlops final : public ComputeModel {
 public:
  std::string description() const override { return "flops are seconds"; }
  Seconds compute_time(const Compute& compute, Rank) const override { return Seconds{compute.flops.si()}; }
};

/// What a result says of kinds of resources and of ranks must be the sums of what it says of each and over time.
/// Checked by `play`; needs load curves of each resource, and compares time lines unless the options ask for a part of
/// them.
void check_sums(const RunResult& run, std::uint32_t ranks);

/// Plays on both engines, checks that they agree and that their sums are right, and returns what SimGrid told (in a
/// forked child). Compute steps take `flops` seconds.
RunResult play(const Cluster& cluster, const Program& program);
RunResult play(const Cluster& cluster, std::function<Generator<Step>(Rank)> steps);
double makespan(const Cluster& cluster, std::function<Generator<Step>(Rank)> steps);

inline Step compute_for(double seconds) { return compute(Work::generic, Flops{seconds}); }

}  // namespace orrery::test
