/// The fluid resources of one run and what they carried: links of the network, memories, copying cores, PCIe, cores.
///
///   link      one per LinkId of the routes                    capacity: its bandwidth; carries payload / efficiency
///   memory    one per node that holds a rank                  capacity: memory bandwidth of the node
///   copy      one per rank                                    capacity: copy bandwidth of one core
///   pcie      two per GPU that holds a rank (up, down)        capacity: link bandwidth of the GPU
///   cores     one per host whose ranks ask for more cores than it has (time-sharing); capacity: cores * core_unit.
///             Work on it is longer by the platform's overhead for each rank beyond one to a core, whether the others
///             compute just then or not: their data have been in the caches
///
///   connection  one per pair of ranks that the network limits, from its first message on; capacity: pair bandwidth
///
/// Load is accounted per flow when it ends: its bytes are spread evenly over its life (a flow whose rate changed on the
/// way is drawn as its average, so a curve may pass 1 where it was slower than that; bytes and busy time are exact).
/// One curve per kind of resource is kept for any number of resources, one per resource for so many as stay small.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "platforms/routes.hpp"
#include "sim/engine/engine.hpp"
#include "sim/engine/pair_map.hpp"
#include "sim/engine/route_table.hpp"

namespace orrery::replay {

/// Fluid work of one core in one second, as 'bytes' of a cores resource: fine enough for a picosecond.
inline constexpr double core_unit = 1e12;

/// What a resource carried: bytes, and s during which it had any flow.
struct Use {
  double bytes = 0.0, busy = 0.0;
};

enum class KindsId : std::uint16_t {};

class Resources {
 public:
  Resources(const ReplayInput& input, const Routes& routes);

  std::uint32_t count() const { return first_memory_ + static_cast<std::uint32_t>(capacities_.size()); }
  /// B/s; links are asked of the routes, which compute them.
  double capacity(ResourceId id) const {
    const auto i = static_cast<std::uint32_t>(id);
    return i < first_memory_ ? routes_.figures(LinkId{i}).bandwidth.si() : capacities_[i - first_memory_];
  }
  std::string name(ResourceId id) const;
  ResourceKind kind(ResourceId id) const;  ///< not of cores

  static ResourceId link(LinkId id) { return ResourceId{static_cast<std::uint32_t>(id)}; }
  ResourceId copy(Rank rank) const { return ResourceId{first_copy_ + static_cast<std::uint32_t>(rank)}; }
  ResourceId memory(NodeId node) const { return memory_of_node_[index(node)]; }
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

  /// Which kinds of resource a route crosses, as a small number.
  KindsId kinds_of(std::span<const ResourceId> route);
  void flow_ended(KindsId kinds, const RouteTable& routes, RouteId route, double bytes, double began, double now);

  /// `used` tells what a resource carried.
  using UseOf = std::function<Use(ResourceId)>;
  /// Those that carried anything, without the cores.
  std::vector<ResourceRecord> records(const UseOf& used, double makespan) const;
  /// Each kind that carried anything, over those of its resources that did.
  std::vector<KindLoad> kind_loads(const UseOf& used, double makespan) const;

 private:
  struct KindCount {
    ResourceKind kind;
    std::uint16_t times;
    bool operator==(const KindCount&) const = default;
  };
  /// What a kind carried in a bin: these bytes and the sum of the changes up to here.
  struct Carried {
    double bytes = 0.0, change = 0.0;
    void add(double more, double changed) { bytes += more, change += changed; }
  };
  /// Which bins the life of a flow touches, and its bytes in the first, in each between and in the last.
  struct Life {
    std::uint32_t first = 0, last = 0;
    double head = 0.0, full = 0.0, tail = 0.0;
  };
  static constexpr std::uint32_t none = 0xffffffffu;
  void add_nodes(const ReplayInput& input);
  void add_pcie(const ReplayInput& input);
  void add_cores(const ReplayInput& input);
  /// Of time-shared cores, whose load nobody is shown.
  bool is_cores(std::uint32_t i) const { return i >= first_cores_ && i < first_connection_; }
  ResourceId add(double capacity) {
    capacities_.push_back(capacity);
    return ResourceId{count() - 1};
  }
  Life life(double bytes, double began, double now);
  void spread(std::span<const ResourceId> route, const Life& life);
  void change_from(std::uint32_t bin, double bytes);
  void double_bins();  ///< neighbours merge
  void double_changes();
  /// B/s that a byte of a bin is in a slot of the curve asked for.
  struct Part {
    std::uint32_t bin = 0, slot = 0;
    double per_second = 0.0;
  };
  std::vector<Part> parts(double makespan) const;
  template <class BytesOfBin>
  std::vector<double> load_curve(const BytesOfBin& bytes_of_bin, double bytes_in_all, double capacity,
                                 const std::vector<Part>& parts) const;

  const Platform& platform_;
  const Layout& layout_;
  const Routes& routes_;
  std::vector<double> capacities_;  ///< of all but the links
  std::vector<ResourceId> memory_of_node_, cores_of_rank_, pcie_of_rank_;
  std::vector<double> time_sharing_;  ///< [ranks], see `time_sharing`; empty where no overhead is stated
  std::vector<NodeId> node_of_memory_;
  std::vector<Rank> rank_of_pcie_;
  std::uint32_t first_memory_ = 0, first_copy_ = 0, first_pcie_ = 0, first_cores_ = 0, first_connection_ = 0;
  BytesPerSecond pair_bandwidth_;
  PairMap<ResourceId> connections_;  ///< lesser rank, greater
  std::vector<std::pair<Rank, Rank>> ranks_of_connection_;
  std::vector<std::vector<KindCount>> kind_sets_;           ///< [KindsId]
  std::vector<std::array<Carried, resource_kinds>> kinds_;  ///< [bins]
  std::vector<std::uint32_t> column_;  ///< [resources] of `changes_`, in order of first use; none: never used
  /// [bins + 1][columns] change of the bytes of a bin against the bin before: a flow costs the same however long
  /// it lasts, and what happens now lies together.
  std::vector<std::vector<double>> changes_;
  std::uint32_t columns_ = 0;
  // scratch
  std::vector<std::uint32_t> columns_of_route_;
  std::vector<KindCount> kinds_of_route_;
  bool curves_ = false;  ///< whether each resource has one
  std::uint32_t bins_ = 0, bins_asked_ = 0;
  double bin_width_ = 0x1p-30, bins_per_second_ = 0x1p30;  ///< powers of two, so that times and bins convert exactly
};

}  // namespace orrery::replay
