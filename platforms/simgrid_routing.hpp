/// Private to the import of SimGrid platforms: the route of a message as SimGrid finds it in the zones of the file.
///
/// Source   SimGrid 3.32, src/kernel/routing: NetZoneImpl, FullZone, FloydZone, DijkstraZone, StarZone
/// Checked  tests/replay/simgrid_platforms_test.cpp, route by route against SimGrid
#pragma once

#include <unordered_map>
#include <vector>

#include "platforms/simgrid_elements.hpp"

namespace orrery {

class SimgridRouting {
 public:
  explicit SimgridRouting(const SimgridElements& elements);
  ~SimgridRouting();

  /// The links from one host to another, in order. False if the file has no route.
  bool way(std::uint32_t from_host, std::uint32_t to_host, SimgridWay& into) const;

 private:
  struct Zone;  ///< its routes found by its routing
  /// A route between points of one zone, with the gateways where it leaves and enters zones.
  struct Local {
    SimgridWay links;
    std::uint32_t gateway_from = no_point, gateway_to = no_point;
  };
  bool between(std::uint32_t from, std::uint32_t to, SimgridWay& into, std::uint32_t depth) const;
  bool local(std::uint32_t zone, std::uint32_t from, std::uint32_t to, Local& into, std::uint32_t depth) const;
  bool composed(std::uint32_t zone, std::uint32_t from, std::uint32_t to, Local& into, std::uint32_t depth) const;
  const std::vector<std::uint32_t>& ways_from(std::uint32_t zone, std::uint32_t from) const;
  void floyd(std::uint32_t zone) const;
  std::vector<std::uint32_t> dijkstra(std::uint32_t zone, std::uint32_t from) const;
  bool star(std::uint32_t zone, std::uint32_t from, std::uint32_t to, Local& into) const;
  /// Whether a bypass applies; `found` is then whether the rest of the route exists.
  bool bypass(std::uint32_t zone, std::uint32_t from, std::uint32_t to, SimgridWay& into, std::uint32_t depth,
              bool& found) const;
  std::vector<std::uint32_t> zones_around(std::uint32_t point) const;

  const SimgridElements& elements_;
  std::vector<Zone> zones_;
};

}  // namespace orrery
