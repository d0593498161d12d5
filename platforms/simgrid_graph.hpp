/// Private to the import of SimGrid platforms: declared routes as a graph.
///
/// A link has two ends. A route that takes links a, b says that an end of a meets an end of b; what all routes say
/// together are the points where cables meet. A route that contradicts the ones before it (it takes a known link from
/// a point where that link does not end) is counted in `contradictions` and left out.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "platforms/simgrid_elements.hpp"

namespace orrery {

struct SimgridCable {
  std::uint32_t from = 0, to = 0;  ///< points
  std::size_t link = 0;
};

struct SimgridGraph {
  std::uint32_t points = 0;
  std::map<std::string, std::uint32_t> point_of;  ///< hosts, routers, clusters by name
  std::vector<SimgridCable> cables;
  std::uint64_t contradictions = 0;
  std::vector<const SimgridRoute*> kept;
};

SimgridGraph graph_of(const SimgridElements& elements);

}  // namespace orrery
