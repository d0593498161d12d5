/// Private to the import of SimGrid platforms: declared routes as a graph.
///
/// A link has two ends. A route that takes links a, b says that an end of a meets an end of b; what all routes say
/// together are the points where cables meet. A route that contradicts the ones before it (it takes a known link from
/// a point where that link does not end) is counted in `contradictions` and left out.
///
/// A cable has both directions. Two links of equal bandwidth and latency that routes take in one direction alone, one
/// there and one back, are one cable. So two points are one where all links into the one lead out of the other, and where
/// the one link of a host leads into the one and comes back from the other.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "platforms/simgrid_elements.hpp"

namespace orrery {

struct SimgridCable {
  std::uint32_t from = 0, to = 0;  ///< points
  std::size_t link = 0, back = 0;  ///< what routes take from `from` to `to` and the other way
  bool one_way = false;            ///< no route takes it the other way
};

struct SimgridGraph {
  std::uint32_t points = 0;
  std::map<std::string, std::uint32_t> point_of;  ///< hosts, routers, clusters by name
  std::vector<SimgridCable> cables;
  std::uint64_t contradictions = 0;
  std::uint64_t shared = 0;  ///< links that both directions take and share
  std::vector<const SimgridRoute*> kept;
};

SimgridGraph graph_of(const SimgridElements& elements);

}  // namespace orrery
