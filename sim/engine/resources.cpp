#include "sim/engine/resources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace orrery::engine {

Resources::Resources(const ReplayInput& input, const Routes& routes)
    : platform_(*input.platform),
      layout_(*input.layout),
      routes_(routes),
      pair_bandwidth_(input.network->protocol.pair_bandwidth) {
  first_memory_ = routes.links();
  add_memories();
  add_pcie(input);
  add_cores(input);
  first_connection_ = count();
  loads_ = std::make_unique<Loads>(input.options.load_bins, count(), [this](ResourceId id) {
    return is_loaded(static_cast<std::uint32_t>(id)) ? static_cast<std::uint8_t>(kind(id)) : Loads::no_kind;
  });
}

void Resources::add_memories() {
  std::uint32_t most = 1;
  for (const NodeType& type : platform_.node_types) most = std::max(most, type.numa_domains());
  std::vector<ResourceId> known(std::size_t{platform_.nodes()} * most, no_resource);
  for (std::uint32_t rank = 0; rank < layout_.ranks(); ++rank) {
    const Placement& placement = layout_.placements[rank];
    const NodeType& type = platform_.node_types[placement.node_type];
    const std::uint32_t domain = type.numa_domains() == 1 ? 0 : type.domain_of(socket_of(placement));
    ResourceId& memory = known[index(placement.node) * most + domain];
    if (memory == no_resource) {
      memory = add(type.domain_bandwidth().si());
      rank_of_memory_.push_back(Rank{rank});
    }
    memory_of_rank_.push_back(memory);
  }
  first_copy_ = count();
  for (const Placement& placement : layout_.placements)
    add(platform_.node_types[placement.node_type].copy_bandwidth.si());
}

/// The one that its core is on; for a rank on a GPU the one next to that.
std::uint32_t Resources::socket_of(const Placement& placement) const {
  if (!placement.gpu) return placement.socket_of_node;
  const FabricRoutes& inside = routes_.inside(placement.node);
  return inside.home(inside.gpu(placement.socket_of_node));
}

std::string Resources::memory_name(Rank rank) const {
  const Placement& placement = layout_.of(rank);
  const std::string node = platform_.node_name(placement.node);
  if (platform_.node_types[placement.node_type].numa_domains() == 1) return "memory of " + node;
  return fmt::format("memory of socket {} of {}", socket_of(placement), node);
}

void Resources::add_pcie(const ReplayInput& input) {
  first_pcie_ = count();
  pcie_of_rank_.assign(layout_.ranks(), no_resource);
  std::map<std::pair<std::size_t, std::uint32_t>, ResourceId> known;
  for (std::uint32_t rank = 0; rank < layout_.ranks(); ++rank) {
    const Placement& placement = input.layout->placements[rank];
    if (!placement.gpu || platform_.node_types[placement.node_type].fabric.described()) continue;
    const auto [at, fresh] = known.try_emplace({index(placement.node), placement.socket_of_node}, no_resource);
    if (fresh) {
      const Gpu& gpu = platform_.node_types[placement.node_type].gpus.at(placement.socket_of_node);
      at->second = add(gpu.link_bandwidth.si());
      add(gpu.link_bandwidth.si());
      rank_of_pcie_.push_back(Rank{rank});
    }
    pcie_of_rank_[rank] = at->second;
  }
}

void Resources::add_cores(const ReplayInput& input) {
  first_cores_ = count();
  cores_of_rank_.assign(layout_.ranks(), no_resource);
  std::map<HostId, std::uint32_t> asked;
  for (const Placement& placement : input.layout->placements) asked[placement.host] += placement.cores;
  if (platform_.processors > 0) return;  // shared by all ranks: processors.hpp
  std::map<HostId, ResourceId> shared;
  for (std::uint32_t rank = 0; rank < layout_.ranks(); ++rank) {
    const Placement& placement = input.layout->placements[rank];
    const std::uint32_t owned = placement.gpu ? 1 : platform_.node_types[placement.node_type].cores_per_socket;
    if (asked[placement.host] <= owned) continue;
    const auto [at, fresh] = shared.try_emplace(placement.host, no_resource);
    if (fresh) at->second = add(owned * core_unit);
    cores_of_rank_[rank] = at->second;
    const double overhead = placement.gpu ? 0.0 : platform_.node_types[placement.node_type].time_sharing_overhead;
    if (overhead == 0.0) continue;
    if (time_sharing_.empty()) time_sharing_.assign(layout_.ranks(), 1.0);
    time_sharing_[rank] = 1.0 + overhead * (static_cast<double>(asked[placement.host]) / owned - 1.0);
  }
}

ResourceId Resources::pcie(Rank rank, bool to_gpu) const {
  const ResourceId first = pcie_of_rank_[index(rank)];
  if (first == no_resource) return first;
  return ResourceId{static_cast<std::uint32_t>(first) + (to_gpu ? 0u : 1u)};
}

ResourceId Resources::connection(Rank a, Rank b) {
  const auto [lesser, greater] = std::minmax(a, b);
  const auto [id, fresh] =
      connections_.find_or_add(static_cast<std::uint32_t>(lesser), static_cast<std::uint32_t>(greater));
  if (!fresh) return id;
  id = add(pair_bandwidth_.si());
  ranks_of_connection_.emplace_back(lesser, greater);
  return id;
}

ResourceKind Resources::kind(ResourceId id) const {
  const auto i = static_cast<std::uint32_t>(id);
  if (i >= first_connection_) return ResourceKind::connection;
  if (i < first_memory_) return routes_.parameters(LinkId{i}).kind;
  if (i < first_copy_) return ResourceKind::memory;
  return i < first_pcie_ ? ResourceKind::copy : ResourceKind::pcie;
}

std::string Resources::name(ResourceId id) const {
  const auto i = static_cast<std::uint32_t>(id);
  if (i < first_memory_) return routes_.words(LinkId{i}, platform_);
  if (i < first_copy_) return memory_name(rank_of_memory_[i - first_memory_]);
  if (i < first_pcie_) return fmt::format("copying core of rank {}", i - first_copy_);
  if (i >= first_connection_) {
    const auto [a, b] = ranks_of_connection_[i - first_connection_];
    return fmt::format("connection of ranks {} and {}", index(a), index(b));
  }
  if (i >= first_cores_) return fmt::format("cores {}", i - first_cores_);
  const Placement& placement = layout_.of(rank_of_pcie_[(i - first_pcie_) / 2]);
  return fmt::format("PCIe link {} GPU {} of {}", (i - first_pcie_) % 2 == 0 ? "to" : "from", placement.socket_of_node,
                     platform_.node_name(placement.node));
}

std::vector<ResourceRecord> Resources::records(const UseOf& used, double makespan) const {
  std::vector<ResourceRecord> result;
  std::vector<Loads::Asked> asked;
  for (std::uint32_t i = 0; i < count(); ++i) {
    const auto [total, busy] = used(ResourceId{i});
    if (total <= 0.0 || !is_loaded(i)) continue;
    const double most = capacity(ResourceId{i});
    ResourceRecord record{name(ResourceId{i}),
                          kind(ResourceId{i}),
                          BytesPerSecond{most},
                          Bytes{total},
                          Seconds{busy},
                          {},
                          i < first_memory_ ? i : no_link};
    asked.push_back({ResourceId{i}, total, most});
    result.push_back(std::move(record));
  }
  if (!loads_->of_each()) return result;
  std::vector<std::vector<double>> loads = loads_->of(asked, loads_->parts(makespan));
  for (std::size_t k = 0; k < result.size(); ++k) result[k].load = std::move(loads[k]);
  return result;
}

std::vector<KindLoad> Resources::kind_loads(const UseOf& used, double makespan) const {
  std::array<KindLoad, resource_kinds> all;
  for (std::uint32_t i = 0; i < count(); ++i) {
    const double bytes = used(ResourceId{i}).bytes;
    if (bytes <= 0.0 || !is_loaded(i)) continue;
    KindLoad& of_kind = all[static_cast<std::size_t>(kind(ResourceId{i}))];
    ++of_kind.resources;
    of_kind.capacity += BytesPerSecond{capacity(ResourceId{i})};
    of_kind.bytes += Bytes{bytes};
  }
  loads_->sum_kinds();
  std::vector<KindLoad> result;
  const std::vector<Loads::Part> parts = loads_->parts(makespan);
  for (std::size_t k = 0; k < resource_kinds; ++k) {
    if (all[k].resources == 0) continue;
    all[k].kind = static_cast<ResourceKind>(k);
    if (loads_->kept()) all[k].load = loads_->of(all[k].kind, all[k].bytes.si(), all[k].capacity.si(), parts);
    result.push_back(std::move(all[k]));
  }
  return result;
}

}  // namespace orrery::engine
