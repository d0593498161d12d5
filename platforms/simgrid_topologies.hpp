/// Private to the import of SimGrid platforms: links and routes inside a <cluster> that is a fat tree, torus or dragonfly.
///
/// Source   SimGrid 3.32, src/kernel/routing: FatTreeZone, TorusZone, DragonflyZone
/// Checked  tests/replay/simgrid_platforms_test.cpp, route by route against SimGrid
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platforms/simgrid_elements.hpp"

namespace orrery {

/// Numbers of a place are those of the cluster's hosts.
class SimgridTopology {
 public:
  virtual ~SimgridTopology() = default;
  virtual void append_way(std::uint32_t from, std::uint32_t to, SimgridWay& into) const = 0;
  /// As a platform file says it: "kind: torus, dimensions: [4, 4]". Empty where none of our topologies is like it.
  virtual std::string ours() const = 0;
  /// Cables between routers, for those that are written as a graph.
  struct Cable {
    std::uint32_t from = 0, to = 0, link = 0;  ///< `link`: the way there
  };
  virtual std::vector<Cable> cables() const { return {}; }
  virtual std::uint32_t router_of(std::uint32_t place) const { return place; }
};

/// Adds the links of the cluster to the elements. Throws InputError.
void add_topology_links(SimgridElements& elements, SimgridCluster& cluster);

}  // namespace orrery
