#include "sim/study/read/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"

namespace orrery {

namespace {

struct Load {
  Bytes held;
  std::uint32_t ranks = 0;
};

/// What each node and each GPU of the point holds: `what` tells its name.
void each_memory(const LoadedPoint& point,
                 const std::function<void(const Load&, Bytes memory, const std::function<std::string()>& what)>& see) {
  const Platform& platform = *point.platform;
  std::map<NodeId, Load> nodes;
  for (std::uint32_t r = 0; r < point.layout.ranks(); ++r) {
    const Placement& place = point.layout.of(Rank{r});
    const Bytes held = point.program->memory(Rank{r});
    if (!place.gpu) {
      Load& node = nodes[place.node];
      node.held += held;
      ++node.ranks;
      continue;
    }
    see({held, 1}, platform.node_types[place.node_type].gpus[place.socket_of_node].memory,
        [&] { return fmt::format("GPU {} of {}", place.socket_of_node, platform.node_name(place.node)); });
  }
  for (const auto& [node, load] : nodes)
    see(load, platform.node_types[platform.type_of(node)].memory,
        [&, id = node] { return "node " + platform.node_name(id); });
}

}  // namespace

void require_memory(const LoadedPoint& point, const std::string& where) {
  each_memory(point, [&](const Load& load, Bytes memory, const auto& what) {
    if (load.held > memory)
      throw InputError(
          "{}: kernel '{}' needs at least {} on {} for {} {}, which has {}. Use more nodes or less data, "
          "or --ignore-memory?",
          where, point.kernel, decimal_text(load.held), what(), load.ranks, load.ranks == 1 ? "rank" : "ranks",
          decimal_text(memory));
  });
}

double memory_share(const LoadedPoint& point) {
  double most = 0.0;
  each_memory(point, [&](const Load& load, Bytes memory, const auto&) { most = std::max(most, load.held / memory); });
  return most;
}

}  // namespace orrery
