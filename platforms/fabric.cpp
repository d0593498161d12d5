#include "platforms/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace orrery {

namespace {

constexpr FabricDistance unreachable{std::numeric_limits<double>::infinity(), 0.0, 0};

}  // namespace

FabricRoutes::FabricRoutes(const NodeType& type)
    : fabric_(type.fabric),
      sockets_(type.sockets),
      gpus_(static_cast<std::uint32_t>(type.gpus.size())),
      elements_(sockets_ + gpus_ + static_cast<std::uint32_t>(fabric_.switches.size())) {
  if (!fabric_.described()) return;
  distances_.assign(std::size_t{elements_} * elements_, unreachable);
  routes_.resize(std::size_t{elements_} * elements_);
  for (std::uint32_t root = 0; root < elements_; ++root) find_routes_from(root);
}

/// Dijkstra's algorithm over a handful of elements.
void FabricRoutes::find_routes_from(std::uint32_t root) {
  const auto& cables = fabric_.cables;
  const auto passes_on = [&](std::uint32_t element) { return element < sockets_ || element >= sockets_ + gpus_; };
  std::vector<bool> done(elements_, false);
  distances_[pair(root, root)] = {};
  for (;;) {
    std::uint32_t nearest = elements_;
    for (std::uint32_t e = 0; e < elements_; ++e)
      if (!done[e] && distances_[pair(root, e)] < unreachable &&
          (nearest == elements_ || distances_[pair(root, e)] < distances_[pair(root, nearest)]))
        nearest = e;
    if (nearest == elements_) return;
    done[nearest] = true;
    if (nearest != root && !passes_on(nearest)) continue;
    for (std::uint32_t c = 0; c < cables.size(); ++c) {
      const bool onward = cables[c].from == nearest;
      if (!onward && cables[c].to != nearest) continue;
      const std::uint32_t next = onward ? cables[c].to : cables[c].from;
      FabricDistance there = distances_[pair(root, nearest)];
      there.seconds_per_byte += 1.0 / cables[c].bandwidth.si();
      there.latency += cables[c].latency.si();
      there.links += 1;
      if (!(there < distances_[pair(root, next)])) continue;
      distances_[pair(root, next)] = there;
      routes_[pair(root, next)] = routes_[pair(root, nearest)];
      routes_[pair(root, next)].push_back(2 * c + (onward ? 0 : 1));
    }
  }
}

bool FabricRoutes::joined(std::uint32_t from, std::uint32_t to) const {
  return from == to || (!distances_.empty() && distances_[pair(from, to)] < unreachable);
}

std::span<const std::uint32_t> FabricRoutes::route(std::uint32_t from, std::uint32_t to) const {
  if (routes_.empty()) return {};
  return routes_[pair(from, to)];
}

bool FabricRoutes::by_own_links(std::uint32_t from, std::uint32_t to) const {
  if (!joined(from, to)) return false;
  return std::ranges::all_of(route(from, to), [&](std::uint32_t link) {
    const Fabric::Cable& cable = fabric_.cables[link / 2];
    return cable.kind != ResourceKind::pcie && cable.from >= sockets_ && cable.to >= sockets_;
  });
}

std::optional<std::uint32_t> FabricRoutes::common_switch(std::span<const std::uint32_t> elements) const {
  const auto joins = [&](std::uint32_t number, std::uint32_t element) {
    return std::ranges::any_of(fabric_.cables, [&](const Fabric::Cable& cable) {
      const bool ends = (cable.from == element && cable.to == number) || (cable.from == number && cable.to == element);
      return ends && cable.kind != ResourceKind::pcie;
    });
  };
  for (std::uint32_t number = sockets_ + gpus_; number < elements_; ++number)
    if (std::ranges::all_of(elements, [&](std::uint32_t element) { return joins(number, element); })) return number;
  return std::nullopt;
}

/// Without a description what is on one socket is near, everything else far.
FabricDistance FabricRoutes::distance(std::uint32_t from, std::uint32_t to) const {
  if (!distances_.empty()) return distances_[pair(from, to)];
  return {home(from) == home(to) ? 0.0 : 1.0, 0.0, 0};
}

std::uint32_t FabricRoutes::home(std::uint32_t element) const {
  if (element < sockets_) return element;
  if (distances_.empty()) return static_cast<std::uint32_t>(std::uint64_t{element - sockets_} * sockets_ / gpus_);
  std::uint32_t nearest = 0;
  for (std::uint32_t socket = 1; socket < sockets_; ++socket)
    if (distance(element, socket) < distance(element, nearest)) nearest = socket;
  return nearest;
}

std::string FabricRoutes::words(std::uint32_t element) const {
  if (element < sockets_) return fmt::format("socket {}", element);
  if (element < sockets_ + gpus_) return fmt::format("GPU {}", element - sockets_);
  return fabric_.switches[element - sockets_ - gpus_];
}

std::string FabricRoutes::link_words(std::uint32_t link) const {
  const Fabric::Cable& cable = fabric_.cables[link / 2];
  const bool back = link % 2 == 1;
  return fmt::format("{} from {} to {}", resource_words(cable.kind).one, words(back ? cable.to : cable.from),
                     words(back ? cable.from : cable.to));
}

std::string element_name(const NodeType& type, std::uint32_t element) {
  if (element < type.sockets) return fmt::format("socket-{}", element);
  const auto gpus = static_cast<std::uint32_t>(type.gpus.size());
  if (element < type.sockets + gpus) return fmt::format("gpu-{}", element - type.sockets);
  return type.fabric.switches[element - type.sockets - gpus];
}

}  // namespace orrery
