#include "platforms/energy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "sim/core/error.hpp"
#include "sim/core/portable_math.hpp"
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
        "platform '{}': node type '{}' states no '{}', '{}' does (all that a run uses do, or "
        "none). Add it?",
        platform.name, (*without)->name, key, (*with)->name);
  return true;
}

/// What draws power on a node: its cores, its GPUs.
enum Part : std::size_t { cores, gpus, parts };

/// W that a node and its GPUs draw idle, and more than that as what ranks have of them computes or communicates.
struct Draws {
  double idle = 0.0, driving = 0.0;  ///< `driving`: of cores that drive GPUs, which are in calls all the time
  std::array<double, parts> computing{}, communicating{};

  explicit Draws(const NodeType& type) : idle(type.power->idle.si()) {
    for (const Gpu& gpu : type.gpus) idle += gpu.power->idle.si();
  }
  void add(Part part, const PowerDraw& power, double share) {
    computing[part] += share * (power.computing.si() - power.idle.si());
    communicating[part] += share * (power.communicating.si() - power.idle.si());
  }
  void drive(const PowerDraw& power, double share) { driving += share * (power.communicating.si() - power.idle.si()); }
};

/// Those of a node with these ranks.
Draws draws_of(const NodeType& type, const std::vector<const Placement*>& ranks) {
  Draws draws(type);
  double held = 0.0;
  std::vector<bool> driven(type.gpus.size(), false);
  for (const Placement* place : ranks) {
    if (!place->gpu) {
      held += place->cores;
      continue;
    }
    if (driven[place->socket_of_node]) continue;
    driven[place->socket_of_node] = true;
    draws.add(gpus, *type.gpus[place->socket_of_node].power, 1.0);
    draws.drive(*type.power, 1.0 / type.cores());
  }
  draws.add(cores, *type.power, std::min(1.0, held / type.cores()));
  return draws;
}

double speed_under(double cap, const Draws& draws) {
  double left = 1.0;
  for (const auto& [cores_compute, gpus_compute] : {std::pair{true, true}, {true, false}, {false, true}}) {
    double slowed = 0.0, other = draws.idle + draws.driving;
    (cores_compute ? slowed : other) += cores_compute ? draws.computing[cores] : draws.communicating[cores];
    (gpus_compute ? slowed : other) += gpus_compute ? draws.computing[gpus] : draws.communicating[gpus];
    if (slowed > 0.0) left = std::min(left, (cap - other) / slowed);
  }
  return portable::cbrt(left);
}

}  // namespace

Refusal cap_problem(const NodeType& type) {
  if (!type.power_cap) return {};
  const std::string cap = fmt::format("'power-cap' is {}", to_text(*type.power_cap));
  if (!type.power) return Refusal("{}, and the node states no 'power' (a cap slows by what it draws). Add it?", cap);
  for (const Gpu& gpu : type.gpus)
    if (!gpu.power)
      return Refusal("{}, and GPU '{}' states no 'power' (a cap is of a node with its GPUs). Add it?", cap, gpu.model);
  Draws all(type);
  all.add(cores, *type.power, 1.0);
  for (const Gpu& gpu : type.gpus) all.add(gpus, *gpu.power, 1.0);
  const Watts waiting(all.idle + all.communicating[cores] + all.communicating[gpus]);
  if (*type.power_cap > waiting) return {};
  return Refusal(
      "{}, and the node draws {} as it communicates (a cap slows computation alone, so it is above that). "
      "Raise it?",
      cap, to_text(waiting));
}

std::vector<double> capped_speeds(const Platform& platform, const Layout& layout) {
  if (std::ranges::none_of(platform.node_types, [](const NodeType& type) { return type.power_cap.has_value(); }))
    return {};
  std::map<NodeId, std::vector<const Placement*>> ranks_of;
  for (const Placement& place : layout.placements)
    if (platform.node_types[place.node_type].power_cap) ranks_of[place.node].push_back(&place);
  std::map<NodeId, double> speed_of;
  bool slowed = false;
  for (const auto& [node, ranks] : ranks_of) {
    const NodeType& type = platform.node_types[ranks.front()->node_type];
    speed_of[node] = speed_under(type.power_cap->si(), draws_of(type, ranks));
    slowed = slowed || speed_of[node] < 1.0;
  }
  if (!slowed) return {};
  std::vector<double> speeds;
  for (const Placement& place : layout.placements) {
    const auto capped = speed_of.find(place.node);
    speeds.push_back(capped == speed_of.end() ? 1.0 : capped->second);
  }
  return speeds;
}

std::vector<double> slowed_by_caps(const Platform& platform, const Layout& layout) {
  std::vector<double> factors = capped_speeds(platform, layout);
  for (double& factor : factors) factor = 1.0 / factor;
  return factors;
}

std::uint32_t nodes_on(const Platform& platform, const Network& network) {
  std::uint32_t nodes = 0;
  for (std::uint32_t type = 0; type < platform.node_types.size(); ++type)
    if (network.adapters.of_type(type) > 0) nodes += platform.node_counts[type];
  return nodes;
}

bool power_stated(const Platform& platform, const Layout& layout) {
  if (!all_or_none(platform, layout, "power", [](const NodeType* type) { return type->power.has_value(); }))
    return false;
  for (const NodeType* type : types_of(platform, layout))
    for (const Gpu& gpu : type->gpus)
      if (!gpu.power)
        throw InputError(
            "platform '{}': node type '{}' states its power, its GPU '{}' does not (that of a "
            "node is without its GPUs). Add 'power' to the GPU?",
            platform.name, type->name, gpu.model);
  return true;
}

bool prices_stated(const Platform& platform, const Layout& layout) {
  return all_or_none(platform, layout, "price", [](const NodeType* type) { return type->price.has_value(); });
}

}  // namespace orrery
