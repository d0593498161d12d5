/// Private to the import of SimGrid platforms: links and routes in a <cluster> that is a fat tree, torus or dragonfly.
///
/// Source   SimGrid 3.32, src/kernel/routing: FatTreeZone, TorusZone, DragonflyZone
/// Checked  tests/replay/simgrid_platforms_test.cpp, route by route against SimGrid
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platforms/simgrid_elements.hpp"

namespace orrery {

/// Numbers of places are those of the cluster's hosts.
class SimgridTopology {
 public:
  virtual ~SimgridTopology() = default;
  virtual void append_way(std::uint32_t from, std::uint32_t to, SimgridWay& into) const = 0;
  /// In the form of a platform file: "kind: torus, dimensions: [4, 4]". Empty if none of our topologies is equivalent.
  virtual std::string ours() const = 0;
  /// Cables between routers, for topologies that become a graph.
  struct Cable {
    std::uint32_t from = 0, to = 0, link = 0;  ///< `link`: direction from -> to
  };
  virtual std::vector<Cable> cables() const { return {}; }
  virtual std::uint32_t router_of(std::uint32_t place) const { return place; }
};

/// Adds the links of the cluster to the elements. Throws InputError.
void add_topology_links(SimgridElements& elements, SimgridCluster& cluster);

}  // namespace orrery
