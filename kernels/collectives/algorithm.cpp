#include "kernels/collectives/algorithm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace orrery::collectives {

Operation operation_named(std::string_view name, std::string_view where) {
  const auto found = find_operation(name);
  if (found && static_cast<std::size_t>(*found) < planned_operations) return *found;
  const std::vector<std::string> known(operation_names.begin(), operation_names.begin() + planned_operations);
  throw InputError("{}: unknown collective operation '{}'{}", where, name, known_names(name, known));
}

Nodes Nodes::of(const std::vector<std::uint32_t>& node_of) {
  Nodes nodes;
  auto map = std::make_shared<Map>();
  std::map<std::uint32_t, std::uint32_t> numbers;
  for (Member member = 0; member < node_of.size(); ++member) {
    const auto [found, fresh] = numbers.emplace(node_of[member], static_cast<std::uint32_t>(map->members.size()));
    if (fresh) map->members.emplace_back();
    map->node_of.push_back(found->second);
    map->members[found->second].push_back(member);
  }
  nodes.map_ = std::move(map);
  return nodes;
}

Nodes Nodes::blocks(std::uint32_t members, std::uint32_t per_node) {
  std::vector<std::uint32_t> node_of(members);
  for (Member member = 0; member < members; ++member) node_of[member] = member / per_node;
  return of(node_of);
}

Nodes Nodes::with_local_work(std::vector<LocalWork> of_members) const {
  Nodes nodes = *this;
  nodes.local_work_ = std::make_shared<const std::vector<LocalWork>>(std::move(of_members));
  return nodes;
}

Nodes Nodes::without_local_work() const {
  Nodes nodes = *this;
  nodes.local_work_ = nullptr;
  return nodes;
}

Nodes Nodes::with_gpus(std::shared_ptr<const GpuParameters> gpus) const {
  Nodes nodes = *this;
  nodes.gpus_ = std::move(gpus);
  return nodes;
}

Nodes Nodes::without_gpus(const std::string& reason) const {
  Nodes nodes = *this;
  nodes.gpus_missing_ = std::make_shared<const std::string>(reason);
  return nodes;
}

Nodes Nodes::with_rings(std::vector<std::vector<GpuRing>> of_nodes) const {
  Nodes nodes = *this;
  nodes.rings_ = std::make_shared<const std::vector<std::vector<GpuRing>>>(std::move(of_nodes));
  return nodes;
}

std::uint64_t Task::segment_or(Bytes usual) const {
  if (segment > 0) return segment;
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::floor(usual / element)));
}

Catalogue<Algorithm>& algorithms(Operation operation) {
  static std::array<Catalogue<Algorithm>, planned_operations> catalogues = [] {
    const auto make = []<std::size_t... I>(std::index_sequence<I...>) {
      return std::array{Catalogue<Algorithm>(std::string(operation_names[I]) + " algorithm")...};
    };
    return make(std::make_index_sequence<planned_operations>{});
  }();
  return catalogues[static_cast<std::size_t>(operation)];
}

bool enter(const std::vector<Operation>& of, const Algorithm& algorithm) {
  for (const Operation operation : of) algorithms(operation).add(algorithm);
  return true;
}

const Algorithm& resolve(const Algorithm& algorithm, const Task& task) {
  const Algorithm* chosen = &algorithm;
  while (chosen->instead != nullptr) {
    const std::string_view other = chosen->instead(task);
    if (other.empty()) break;
    chosen = &algorithms(task.operation).at(other, chosen->name);
  }
  return *chosen;
}

std::uint32_t power_below(std::uint32_t n) { return std::bit_floor(n); }
std::uint32_t log2_above(std::uint32_t n) { return n <= 1 ? 0u : static_cast<std::uint32_t>(std::bit_width(n - 1)); }

}  // namespace orrery::collectives
