/// The fluid resources of one run and their use: links of the network, memories, copying cores, PCIe, cores.
///
///   link      one per LinkId of the routes                    capacity: its bandwidth; carries payload / efficiency
///             `sharing: none`                                 flows are capped, nobody is shown its load
///   memory    one per node that holds a rank                  capacity: memory bandwidth of the node
///             `numa-domain: socket`: per socket               capacity: its equal part. A rank's is that of its core; a
///             rank on a GPU has the socket nearest by the fabric, and without one GPUs are divided in order
///   copy      one per rank                                    capacity: copy bandwidth of one core
///   pcie      two per GPU that holds a rank (up, down)        capacity: link bandwidth of the GPU
///   cores     one per host whose ranks ask for more cores than it has (time-sharing); capacity: cores * core_unit.
///             Work on it is longer by the platform's overhead for each rank beyond one to a core, whether the others
///             compute just then or not: their data have been in the caches
///
///   connection  one per pair of ranks that the network limits, from its first message on; capacity: pair bandwidth
///
/// `loads` keeps their loads over time, as reported by the code that shares them: the sharing of flows
/// (flow/sharing_loads.cpp, also with SimGrid) by the rates of all flows as they change, and ports as they forward. So
/// no load exceeds 1.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "platforms/routes.hpp"
#include "sim/engine/engine.hpp"
#include "sim/engine/loads.hpp"
#include "sim/engine/pair_map.hpp"
#include "sim/engine/route_table.hpp"

namespace orrery::engine {

/// Fluid work of one core in one second, as 'bytes' of a cores resource: fine enough for a picosecond.
inline constexpr double core_unit = 1e12;

/// Capacity of a link that limits each message separately: flows have caps for it, and no load fills it.
inline constexpr double not_shared = 1e30;

/// What a resource carried: bytes, and s during which it had any flow.
struct Use {
  double bytes = 0.0, busy = 0.0;
};

class Resources {
 public:
  Resources(const ReplayInput& input, const Routes& routes);

  std::uint32_t count() const { return first_memory_ + static_cast<std::uint32_t>(capacities_.size()); }
  /// B/s; the capacity of a link comes from the routes, which compute it.
  double capacity(ResourceId id) const {
    const auto i = static_cast<std::uint32_t>(id);
    if (i >= first_memory_) return capacities_[i - first_memory_];
    const LinkProperties link = routes_.parameters(LinkId{i});
    return link.alone ? not_shared : link.bandwidth.si();
  }
  std::string name(ResourceId id) const;
  ResourceKind kind(ResourceId id) const;  ///< not of cores

  static ResourceId link(LinkId id) { return ResourceId{static_cast<std::uint32_t>(id)}; }
  ResourceId copy(Rank rank) const { return ResourceId{first_copy_ + static_cast<std::uint32_t>(rank)}; }
  /// The memory that this rank's core copies in, wherever the copied data lie.
  ResourceId memory(Rank rank) const { return memory_of_rank_[index(rank)]; }
  /// To or from the GPU of this rank; no_resource for a rank on a CPU.
  ResourceId pcie(Rank rank, bool to_gpu) const;
  /// The connection of two ranks, for both directions; created at the first call.
  ResourceId connection(Rank a, Rank b);
  /// Maximum number of connections: one per pair of ranks.
  std::uint64_t connections_max() const {
    const std::uint64_t ranks = layout_.ranks();
    return pair_bandwidth_ > BytesPerSecond{} ? ranks * (ranks - 1) / 2 : 0;
  }
  /// The time-shared cores of this rank's host; no_resource if every rank has its own cores.
  ResourceId cores(Rank rank) const { return cores_of_rank_[index(rank)]; }
  /// Slowdown of work on these cores, without the wait for its turn: 1 + overhead * (ranks per core - 1).
  double time_sharing(Rank rank) const { return time_sharing_.empty() ? 1.0 : time_sharing_[index(rank)]; }

  /// Loads over time.
  Loads& loads() const { return *loads_; }

  /// `used` returns the use of a resource.
  using UseOf = std::function<Use(ResourceId)>;
  /// Those that carried anything, without cores and unshared links.
  std::vector<ResourceRecord> records(const UseOf& used, double makespan) const;
  /// Each kind that carried anything, over its resources that did.
  std::vector<KindLoad> kind_loads(const UseOf& used, double makespan) const;

 private:
  void add_memories();
  void add_pcie(const ReplayInput& input);
  void add_cores(const ReplayInput& input);
  std::uint32_t socket_of(const Placement& placement) const;
  std::string memory_name(Rank rank) const;
  /// Whether it is time-shared cores, whose load is not reported.
  bool is_cores(std::uint32_t i) const { return i >= first_cores_ && i < first_connection_; }
  /// Whether its load is reported.
  bool is_loaded(std::uint32_t i) const {
    return !is_cores(i) && (i >= first_memory_ || !routes_.parameters(LinkId{i}).alone);
  }
  ResourceId add(double capacity) {
    capacities_.push_back(capacity);
    return ResourceId{count() - 1};
  }

  const Platform& platform_;
  const Layout& layout_;
  const Routes& routes_;
  std::vector<double> capacities_;  ///< of all except links
  std::vector<ResourceId> memory_of_rank_, cores_of_rank_, pcie_of_rank_;
  std::vector<double> time_sharing_;                 ///< [ranks], see `time_sharing`; empty if no overhead is given
  std::vector<Rank> rank_of_memory_, rank_of_pcie_;  ///< the first rank of each
  std::uint32_t first_memory_ = 0, first_copy_ = 0, first_pcie_ = 0, first_cores_ = 0, first_connection_ = 0;
  BytesPerSecond pair_bandwidth_;
  PairMap<ResourceId> connections_;  ///< (lower rank, higher rank)
  std::vector<std::pair<Rank, Rank>> ranks_of_connection_;
  std::unique_ptr<Loads> loads_;
};

}  // namespace orrery::engine
