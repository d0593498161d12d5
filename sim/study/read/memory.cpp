#include "sim/study/read/memory.hpp"

#include <fmt/format.h>

#include <map>

#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"

namespace orrery {

namespace {

struct Load {
  Bytes held;
  std::uint32_t ranks = 0;
};

[[noreturn]] void refuse(const LoadedPoint& point, const std::string& where, const Load& load, const std::string& what,
                         Bytes memory) {
  throw InputError(
      fmt::format("{}: kernel '{}' needs at least {} on {} for {} {}, which has {}. Use more nodes or less data, or "
                  "--ignore-memory?",
                  where, point.kernel, decimal_text(load.held), what, load.ranks, load.ranks == 1 ? "rank" : "ranks",
                  decimal_text(memory)));
}

}  // namespace

void require_memory(const LoadedPoint& point, const std::string& where) {
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
    const Gpu& gpu = platform.node_types[place.node_type].gpus[place.socket_of_node];
    if (held > gpu.memory)
      refuse(point, where, {held, 1}, fmt::format("GPU {} of {}", place.socket_of_node, platform.node_name(place.node)),
             gpu.memory);
  }
  for (const auto& [node, load] : nodes) {
    const Bytes memory = platform.node_types[platform.type_of(node)].memory;
    if (load.held > memory) refuse(point, where, load, "node " + platform.node_name(node), memory);
  }
}

}  // namespace orrery
