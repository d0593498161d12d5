#include "platforms/fabric_loader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "platforms/fabric.hpp"
#include "platforms/fields.hpp"
#include "platforms/node_elements.hpp"

namespace orrery {

namespace {

using config::Value;

constexpr std::uint32_t cables_max = 4096;

/// One of each for each of the longer list, the shorter one's in equal runs.
std::vector<std::pair<std::uint32_t, std::uint32_t>> paired(const std::vector<std::uint32_t>& a,
                                                            const std::vector<std::uint32_t>& b, const Value& where) {
  const std::size_t most = std::max(a.size(), b.size()), least = std::min(a.size(), b.size());
  if (most % least != 0)
    where.refuse(fmt::format("{} and {} elements (the one is divided evenly among the other). Name {} and {}?",
                             a.size(), b.size(), a.size(), a.size()));
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::size_t i = 0; i < most; ++i) pairs.emplace_back(a[i * a.size() / most], b[i * b.size() / most]);
  return pairs;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> ends_of(const ParameterReader& cable, NodeElements& elements) {
  const auto& section = cable.section();
  const auto among = section.optional("among");
  const auto between = section.optional_list("between");
  if (among.has_value() == !between.empty())
    section.refuse("between", "a cable has either 'between' or 'among'. Write 'between: [gpus, nvswitch]'?");
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  if (among) {
    const auto all = elements.of(*among, true);
    if (all.size() < 2) among->refuse("a single element (each is joined to each). Write 'between', or name several?");
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t k = i + 1; k < all.size(); ++k) pairs.emplace_back(all[i], all[k]);
  } else {
    if (between.size() != 2)
      section.refuse("between", fmt::format("{} ends (two). Write 'between: [gpus, nvswitch]'?", between.size()));
    const auto first = elements.of(between[0], true), second = elements.of(between[1], true);
    pairs = paired(first, second, between[1]);
    for (const auto& [a, b] : pairs)
      if (a == b) between[1].refuse("a cable to itself. Name another end?");
  }
  return pairs;
}

void read_span(const ParameterReader& cable, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs,
               NodeType& type) {
  const std::uint32_t span = cable.count("spans");
  if (span < 2) return;
  const std::uint32_t shared = pairs.front().second;
  const bool one = std::ranges::all_of(pairs, [&](const auto& pair) { return pair.second == shared; });
  if (!one || shared < type.sockets + type.gpus.size() || type.fabric.span > 1)
    cable.section().refuse(
        "spans", "several nodes share one switch, at the second end of 'between'. Write 'between: [gpus, nvswitch]'?");
  type.fabric.span = span;
  type.fabric.shared = shared;
}

void require_reached(const ParameterReader& parameters, const NodeType& type) {
  const FabricRoutes routes(type);
  for (std::uint32_t gpu = 0; gpu < type.gpus.size(); ++gpu)
    if (!routes.joined(routes.gpu(gpu), routes.home(routes.gpu(gpu))))
      parameters.section().refuse("fabric",
                                  fmt::format("no cable joins GPU {} of '{}' to a socket (its rank holds a core). "
                                              "Add one, or 'link-bandwidth' to the GPU?",
                                              gpu, type.name));
}

}  // namespace

void load_fabric(const ParameterReader& parameters, NodeType& type) {
  NodeElements elements(type);
  for (const Value& item : parameters.section().optional_list("fabric")) {
    const ParameterReader cable = parameters.inside(item);
    const auto pairs = ends_of(cable, elements);
    Fabric::Cable made;
    cable.read(cable_fields(), made);
    read_span(cable, pairs, type);
    cable.finish();
    for (const auto& pair : pairs) {
      std::tie(made.from, made.to) = pair;
      type.fabric.cables.push_back(made);
    }
    if (type.fabric.cables.size() > cables_max)
      item.refuse(
          fmt::format("so that a node has {} cables (at most {}). Use fewer?", type.fabric.cables.size(), cables_max));
  }
  if (!type.fabric.described()) return;
  const auto gpus = static_cast<std::uint32_t>(type.gpus.size());
  for (std::uint32_t g = 0; g < gpus; ++g)
    if (const Gpu& gpu = type.gpus[g]; gpu.link_bandwidth > BytesPerSecond{})
      type.fabric.cables.push_back({ResourceKind::pcie,
                                    static_cast<std::uint32_t>(std::uint64_t{g} * type.sockets / gpus),
                                    type.sockets + g, gpu.link_bandwidth, gpu.link_latency});
  require_reached(parameters, type);
}

}  // namespace orrery
