/// The fluid resources of one run and what they carried: links of the network, memories, copying cores, PCIe, cores.
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
/// How loaded they were over time is kept by `loads`, as whoever shares them tells it: the sharing of flows
/// (flow/sharing_loads.cpp, beside SimGrid too) by the rates of all flows as they change, ports as they forward. So no
/// load is over 1.
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

/// Capacity of a link that limits each message by itself: flows have caps for it, and no load fills it.
inline constexpr double not_shared = 1e30;

/// What a resource carried: bytes, and s during which it had any flow.
struct Use {
  double bytes = 0.0, busy = 0.0;
};

class Resources {
 public:
  Resources(const ReplayInput& input, const Routes& routes);

  std::uint32_t count() const { return first_memory_ + static_cast<std::uint32_t>(capacities_.size()); }
  /// B/s; links are asked of the routes, which compute them.
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
  /// That this rank's core copies in, wherever what it copies lies.
  ResourceId memory(Rank rank) const { return memory_of_rank_[index(rank)]; }
  /// Towards the GPU of this rank or away from it; no_resource for a rank on a CPU.
  ResourceId pcie(Rank rank, bool to_gpu) const;
  /// What two ranks have between them, both ways; made when it is first asked for.
  ResourceId connection(Rank a, Rank b);
  /// So many there may be: one for each two ranks.
  std::uint64_t connections_max() const {
    const std::uint64_t ranks = layout_.ranks();
    return pair_bandwidth_ > BytesPerSecond{} ? ranks * (ranks - 1) / 2 : 0;
  }
  /// The time-shared cores of this rank's host; no_resource where every rank has its cores to itself.
  ResourceId cores(Rank rank) const { return cores_of_rank_[index(rank)]; }
  /// How many times as long work takes on them, besides waiting for its turn: 1 + overhead * (ranks to a core - 1).
  double time_sharing(Rank rank) const { return time_sharing_.empty() ? 1.0 : time_sharing_[index(rank)]; }

  /// What they carried when.
  Loads& loads() const { return *loads_; }

  /// `used` tells what a resource carried.
  using UseOf = std::function<Use(ResourceId)>;
  /// Those that carried anything, without the cores and what nobody shares.
  std::vector<ResourceRecord> records(const UseOf& used, double makespan) const;
  /// Each kind that carried anything, over those of its resources that did.
  std::vector<KindLoad> kind_loads(const UseOf& used, double makespan) const;

 private:
  void add_memories();
  void add_pcie(const ReplayInput& input);
  void add_cores(const ReplayInput& input);
  std::uint32_t socket_of(const Placement& placement) const;
  std::string memory_name(Rank rank) const;
  /// Of time-shared cores, whose load nobody is shown.
  bool is_cores(std::uint32_t i) const { return i >= first_cores_ && i < first_connection_; }
  /// Whether it has a load that people are shown.
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
  std::vector<double> capacities_;  ///< of all but the links
  std::vector<ResourceId> memory_of_rank_, cores_of_rank_, pcie_of_rank_;
  std::vector<double> time_sharing_;                 ///< [ranks], see `time_sharing`; empty where no overhead is stated
  std::vector<Rank> rank_of_memory_, rank_of_pcie_;  ///< the first
  std::uint32_t first_memory_ = 0, first_copy_ = 0, first_pcie_ = 0, first_cores_ = 0, first_connection_ = 0;
  BytesPerSecond pair_bandwidth_;
  PairMap<ResourceId> connections_;  ///< lesser rank, greater
  std::vector<std::pair<Rank, Rank>> ranks_of_connection_;
  std::unique_ptr<Loads> loads_;
};

}  // namespace orrery::engine
