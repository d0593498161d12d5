#include "platforms/energy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"

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

/// W that a node and its GPUs draw idle, and more than that as they compute or communicate.
struct Draws {
  double idle = 0.0;
  std::array<double, 2> computing{}, communicating{};  ///< of the node, of its GPUs

  explicit Draws(const NodeType& type) {
    add(*type.power, 0);
    for (const Gpu& gpu : type.gpus) add(*gpu.power, 1);
  }
  void add(const PowerDraw& power, std::size_t part) {
    idle += power.idle.si();
    computing[part] += power.computing.si() - power.idle.si();
    communicating[part] += power.communicating.si() - power.idle.si();
  }
};

}  // namespace

double capped_speed(const Platform& platform, const NodeType& type) {
  if (!type.power_cap) return 1.0;
  const auto refuse = [&](const std::string& why) {
    throw InputError(fmt::format("platform '{}': node type '{}' has 'power-cap' {}{}", platform.name, type.name,
                                 to_text(*type.power_cap), why));
  };
  if (!type.power || !std::ranges::all_of(type.gpus, [](const Gpu& gpu) { return gpu.power.has_value(); }))
    refuse(", but it or its GPUs state no 'power'. Add it?");
  const Draws draws(type);
  const double cap = type.power_cap->si(), waiting = draws.idle + draws.communicating[0] + draws.communicating[1];
  if (cap <= waiting)
    refuse(fmt::format(" (more than {}, which it draws communicating: a cap slows computation alone). Raise it?",
                       to_text(Watts(waiting))));
  double left = 1.0;
  for (const auto& [node_computes, gpus_compute] : {std::pair{true, true}, {true, false}, {false, true}}) {
    double slowed = 0.0, other = draws.idle;
    (node_computes ? slowed : other) += node_computes ? draws.computing[0] : draws.communicating[0];
    (gpus_compute ? slowed : other) += gpus_compute ? draws.computing[1] : draws.communicating[1];
    if (slowed > 0.0) left = std::min(left, (cap - other) / slowed);
  }
  return std::cbrt(left);
}

std::vector<double> slowed_by_caps(const Platform& platform, const Layout& layout) {
  std::vector<double> of_type;
  for (const NodeType* type : types_of(platform, layout)) {
    of_type.resize(platform.node_types.size(), 1.0);
    of_type[static_cast<std::size_t>(type - platform.node_types.data())] = 1.0 / capped_speed(platform, *type);
  }
  if (std::ranges::all_of(of_type, [](double factor) { return factor == 1.0; })) return {};
  std::vector<double> factors;
  for (const Placement& place : layout.placements) factors.push_back(of_type[place.node_type]);
  return factors;
}

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
