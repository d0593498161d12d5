#include "sim/engine/resources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace orrery::replay {

namespace {

constexpr std::uint32_t bins_per_asked = 2;  // finer inside, so that resampling to the makespan stays faithful
constexpr std::uint32_t curves_max = 20000;  // beyond, a curve for each would cost more memory than the run itself

/// By an eighth, not to twice as much: these are most of a run's memory.
void grow(std::vector<double>& changes, std::size_t columns) {
  if (changes.capacity() < columns) changes.reserve(columns + columns / 8);
  changes.resize(columns);
}

}  // namespace

Resources::Resources(const ReplayInput& input, const Routes& routes)
    : platform_(*input.platform),
      layout_(*input.layout),
      routes_(routes),
      pair_bandwidth_(input.network->protocol.pair_bandwidth),
      bins_asked_(input.options.load_bins) {
  first_memory_ = routes.links();
  add_nodes(input);
  add_pcie(input);
  add_cores(input);
  first_connection_ = count();
  bins_ = bins_asked_ * bins_per_asked;
  curves_ = bins_ != 0 && count() <= curves_max;
  if (curves_) {
    column_.assign(count(), none);
    changes_.resize(bins_ + 1);
  }
  kinds_.resize(std::max(bins_, 1u));
}

void Resources::add_nodes(const ReplayInput& input) {
  memory_of_node_.assign(platform_.nodes(), no_resource);
  for (const Placement& placement : input.layout->placements) {
    ResourceId& memory = memory_of_node_[index(placement.node)];
    if (memory != no_resource) continue;
    memory = add(platform_.node_types[placement.node_type].memory_bandwidth.si());
    node_of_memory_.push_back(placement.node);
  }
  first_copy_ = count();
  for (const Placement& placement : input.layout->placements)
    add(platform_.node_types[placement.node_type].copy_bandwidth.si());
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
  if (curves_) column_.push_back(none);
  return id;
}

ResourceKind Resources::kind(ResourceId id) const {
  const auto i = static_cast<std::uint32_t>(id);
  if (i >= first_connection_) return ResourceKind::connection;
  if (i < first_memory_) return routes_.figures(LinkId{i}).kind;
  if (i < first_copy_) return ResourceKind::memory;
  return i < first_pcie_ ? ResourceKind::copy : ResourceKind::pcie;
}

std::string Resources::name(ResourceId id) const {
  const auto i = static_cast<std::uint32_t>(id);
  if (i < first_memory_) return routes_.words(LinkId{i}, platform_);
  if (i < first_copy_) return "memory of " + platform_.node_name(node_of_memory_[i - first_memory_]);
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

KindsId Resources::kinds_of(std::span<const ResourceId> route) {
  kinds_of_route_.clear();
  for (const ResourceId id : route) {
    if (is_cores(static_cast<std::uint32_t>(id))) continue;
    const ResourceKind its = kind(id);
    const auto known = std::ranges::find(kinds_of_route_, its, &KindCount::kind);
    if (known == kinds_of_route_.end())
      kinds_of_route_.push_back({its, 1});
    else
      ++known->times;
  }
  const auto number = std::ranges::find(kind_sets_, kinds_of_route_) - kind_sets_.begin();
  if (static_cast<std::size_t>(number) == kind_sets_.size()) kind_sets_.push_back(kinds_of_route_);
  return KindsId{static_cast<std::uint16_t>(number)};
}

void Resources::flow_ended(KindsId kinds, const RouteTable& routes, RouteId route, double bytes, double began,
                           double now) {
  if (bins_ == 0) return;
  const Life spent = life(bytes, began, now);
  for (const auto [kind, times] : kind_sets_[index(kinds)]) {
    const auto k = static_cast<std::size_t>(kind);
    kinds_[spent.first][k].add(times * (spent.head - spent.full), times * spent.full);
    kinds_[spent.last][k].add(times * spent.tail, -times * spent.full);
  }
  if (curves_) spread(routes.resources(route), spent);
}

Resources::Life Resources::life(double bytes, double began, double now) {
  while (now >= bin_width_ * bins_) double_bins();
  const auto first = static_cast<std::uint32_t>(began * bins_per_second_);
  const auto last = static_cast<std::uint32_t>(now * bins_per_second_);
  if (first == last) return {first, last, bytes, 0.0, 0.0};
  const double rate = bytes / (now - began);
  return {first, last, rate * ((first + 1) * bin_width_ - began), rate * bin_width_, rate * (now - last * bin_width_)};
}

void Resources::spread(std::span<const ResourceId> route, const Life& life) {
  columns_of_route_.clear();
  for (const ResourceId id : route) {
    std::uint32_t& column = column_[index(id)];
    if (column == none) column = columns_++;
    columns_of_route_.push_back(column);
  }
  const auto [first, last, head, full, tail] = life;
  change_from(first, head);
  if (first == last) return change_from(first + 1, -head);
  change_from(first + 1, (last > first + 1 ? full : tail) - head);
  if (last > first + 1) change_from(last, tail - full);
  change_from(last + 1, -tail);
}

void Resources::change_from(std::uint32_t bin, double bytes) {
  std::vector<double>& changes = changes_[bin];
  if (changes.size() < columns_) grow(changes, columns_);
  for (const std::uint32_t column : columns_of_route_) changes[column] += bytes;
}

/// A kind carried b(i) = bytes(i) + change(0) + ... + change(i), so in two bins together b(2j) + b(2j+1) =
/// bytes(2j) + bytes(2j+1) - change(2j+1) + 2 (change(0) + ... + change(2j+1)).
void Resources::double_bins() {
  bin_width_ *= 2.0;
  bins_per_second_ *= 0.5;
  if (curves_) double_changes();
  for (std::uint32_t j = 0; j < bins_ / 2; ++j)
    for (std::size_t k = 0; k < kinds_[j].size(); ++k) {
      const Carried first = kinds_[std::size_t{2} * j][k], second = kinds_[std::size_t{2} * j + 1][k];
      kinds_[j][k] = {first.bytes + second.bytes - second.change, 2.0 * (first.change + second.change)};
    }
  std::fill(kinds_.begin() + bins_ / 2, kinds_.end(), decltype(kinds_)::value_type{});
}

/// With bytes b and changes d(i) = b(i) - b(i-1), the sums b(2j) + b(2j+1) change by d(2j-1) + 2 d(2j) + d(2j+1).
void Resources::double_changes() {
  std::vector<double> nothing;
  for (std::size_t j = 0; j <= bins_ / 2; ++j) {
    std::vector<double>& before = j > 0 ? changes_[2 * j - 1] : nothing;
    std::vector<double>& first = changes_[2 * j];
    std::vector<double>& second = 2 * j < bins_ ? changes_[2 * j + 1] : nothing;
    const std::size_t columns = std::max({before.size(), first.size(), second.size()});
    for (auto* row : {&before, &first, &second, &changes_[j]}) grow(*row, columns);
    double* const merged = changes_[j].data();
    for (std::size_t k = 0; k < columns; ++k) merged[k] = before[k] + 2.0 * first[k] + second[k];
  }
  for (std::uint32_t j = bins_ / 2 + 1; j <= bins_; ++j) changes_[j].clear();
}

/// Where the bins up to the makespan go in the curve: one or two parts each, of a very short run more.
std::vector<Resources::Part> Resources::parts(double makespan) const {
  std::vector<Part> parts;
  const double width = makespan / bins_asked_;
  for (std::uint32_t i = 0; i < bins_ && i * bin_width_ < makespan; ++i) {
    const double begin = i * bin_width_, end = std::min(makespan, begin + bin_width_);
    for (auto k = static_cast<std::uint32_t>(begin / width); k < bins_asked_ && k * width < end; ++k) {
      const double overlap = std::min(end, (k + 1) * width) - std::max(begin, k * width);
      if (overlap > 0.0) parts.push_back({i, k, overlap / (end - begin) / width});
    }
  }
  return parts;
}

/// `bytes_of_bin` is asked for one bin after the other.
template <class BytesOfBin>
std::vector<double> Resources::load_curve(const BytesOfBin& bytes_of_bin, double bytes_in_all, double capacity,
                                          const std::vector<Part>& parts) const {
  std::vector<double> load(bins_asked_, 0.0);
  const double rounding = 1e-9 * bytes_in_all;
  std::uint32_t bins = 0;
  double bytes = 0.0;
  for (const Part& part : parts) {
    for (; bins <= part.bin; ++bins) bytes = bytes_of_bin(bins);
    if (bytes > rounding) load[part.slot] += bytes * part.per_second;
  }
  for (double& share : load) share /= capacity;
  return load;
}

std::vector<ResourceRecord> Resources::records(const UseOf& used, double makespan) const {
  std::vector<ResourceRecord> result;
  const std::vector<Part> bins_to_slots = parts(makespan);
  for (std::uint32_t i = 0; i < count(); ++i) {
    if (is_cores(i)) continue;
    const auto [total, busy] = used(ResourceId{i});
    if (total <= 0.0) continue;
    const double most = capacity(ResourceId{i});
    ResourceRecord record{name(ResourceId{i}),
                          kind(ResourceId{i}),
                          BytesPerSecond{most},
                          Bytes{total},
                          Seconds{busy},
                          {},
                          i < first_memory_ ? i : no_link};
    if (curves_) {
      double bytes = 0.0;
      const auto of_bin = [&, column = column_[i]](std::uint32_t bin) {
        return bytes += column < changes_[bin].size() ? changes_[bin][column] : 0.0;
      };
      record.load = load_curve(of_bin, total, most, bins_to_slots);
    }
    result.push_back(std::move(record));
  }
  return result;
}

std::vector<KindLoad> Resources::kind_loads(const UseOf& used, double makespan) const {
  std::array<KindLoad, resource_kinds> all;
  for (std::uint32_t i = 0; i < count(); ++i) {
    if (is_cores(i)) continue;
    const double bytes = used(ResourceId{i}).bytes;
    if (bytes <= 0.0) continue;
    KindLoad& of_kind = all[static_cast<std::size_t>(kind(ResourceId{i}))];
    ++of_kind.resources;
    of_kind.capacity += BytesPerSecond{capacity(ResourceId{i})};
    of_kind.bytes += Bytes{bytes};
  }
  std::vector<KindLoad> result;
  const std::vector<Part> bins_to_slots = parts(makespan);
  for (std::size_t k = 0; k < resource_kinds; ++k) {
    if (all[k].resources == 0) continue;
    all[k].kind = static_cast<ResourceKind>(k);
    double steady = 0.0;
    const auto of_bin = [&](std::uint32_t bin) { return kinds_[bin][k].bytes + (steady += kinds_[bin][k].change); };
    if (bins_ != 0) all[k].load = load_curve(of_bin, all[k].bytes.si(), all[k].capacity.si(), bins_to_slots);
    result.push_back(std::move(all[k]));
  }
  return result;
}

}  // namespace orrery::replay
