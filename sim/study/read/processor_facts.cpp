#include "sim/study/read/processor_facts.hpp"

#include <optional>

#include "models/compute/catalogue.hpp"
#include "models/compute/row_groups.hpp"
#include "platforms/routes.hpp"
#include "sim/config/csv.hpp"
#include "sim/study/read/data_path.hpp"

namespace orrery {

namespace {

/// By the platform file alone.
std::vector<ProcessorFacts> platform_facts(const LoadedPoint& point) {
  const auto speeds = peak_speeds(*point.platform, point.layout);
  const auto routes = point.network != nullptr ? build_routes(*point.platform, *point.network) : nullptr;
  const NodeId home = point.layout.placements.front().node;
  std::vector<ProcessorFacts> facts;
  for (std::uint32_t r = 0; r < point.layout.ranks(); ++r) {
    const Placement& place = point.layout.of(Rank{r});
    const NodeType& type = point.platform->node_types[place.node_type];
    ProcessorFacts& own = facts.emplace_back();
    own.cpu = speeds[r].si();
    own.memory = place.gpu ? type.gpus[place.socket_of_node].memory : type.memory;
    if (place.node == home)
      own.latency = type.shared_memory_latency;
    else if (routes)
      own.latency = routes->latency(home, place.node);
  }
  return facts;
}

}  // namespace

std::vector<ProcessorFacts> processor_facts(const LoadedPoint& point, const std::string& file, const std::string& where,
                                            const std::string& folder) {
  auto facts = platform_facts(point);
  if (file.empty()) return facts;
  const DataTable table = config::read_csv(data_path("platforms/processors", file, "csv", where, folder));
  auto known = selector_columns();
  std::erase(known, "work");
  known.insert(known.end(), {"cpu_Hz", "cache_B", "memory_B", "latency_s"});
  table.require_known(known);
  const RowGroups groups(table, *point.platform, point.layout);
  for (std::uint32_t r = 0; r < point.layout.ranks(); ++r) {
    const auto& row = table.rows[groups.rows(groups.group_of(Rank{r}, Work::generic)).front()];
    ProcessorFacts& own = facts[r];
    own.cpu = table.number(row, "cpu_Hz", 1.0, 1e15).value_or(own.cpu);
    if (const auto cache = table.number(row, "cache_B", 1.0, 1e15)) own.cache = Bytes(*cache);
    if (const auto memory = table.number(row, "memory_B", 1.0, 1e18)) own.memory = Bytes(*memory);
    if (const auto latency = table.number(row, "latency_s", 1e-12, 1e3)) own.latency = Seconds(*latency);
  }
  return facts;
}

}  // namespace orrery
