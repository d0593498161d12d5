#include "platforms/energy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/error.hpp"

namespace orrery {

namespace {

std::vector<const NodeType*> types_of(const Platform& platform, const Layout& layout) {
  std::vector<std::uint32_t> used;
  for (const Placement& place : layout.placements) used.push_back(place.node_type);
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  std::vector<const NodeType*> types;
  for (const std::uint32_t type : used) types.push_back(&platform.node_types[type]);
  return types;
}

bool all_or_none(const Platform& platform, const Layout& layout, const char* key, auto stated) {
  const auto types = types_of(platform, layout);
  const auto with = std::ranges::find_if(types, stated);
  if (with == types.end()) return false;
  const auto without = std::ranges::find_if_not(types, stated);
  if (without != types.end())
    throw InputError(
        fmt::format("platform '{}': node type '{}' states no '{}', '{}' does (all that a run uses do, or "
                    "none). Add it?",
                    platform.name, (*without)->name, key, (*with)->name));
  return true;
}

}  // namespace

bool power_stated(const Platform& platform, const Layout& layout) {
  if (!all_or_none(platform, layout, "power", [](const NodeType* type) { return type->power.has_value(); }))
    return false;
  for (const NodeType* type : types_of(platform, layout))
    for (const Gpu& gpu : type->gpus)
      if (!gpu.power)
        throw InputError(
            fmt::format("platform '{}': node type '{}' states its power, its GPU '{}' does not (that of a "
                        "node is without its GPUs). Add 'power' to the GPU?",
                        platform.name, type->name, gpu.model));
  return true;
}

bool prices_stated(const Platform& platform, const Layout& layout) {
  return all_or_none(platform, layout, "price", [](const NodeType* type) { return type->price.has_value(); });
}

}  // namespace orrery
