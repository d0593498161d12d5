/// Private to the import of SimGrid platforms: the declared routes of a file, between points of a graph.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "platforms/simgrid_elements.hpp"

namespace orrery {

struct SimgridSegment {
  std::uint32_t from = 0, to = 0;  ///< points of `SimgridSegments`
  SimgridWay links;
};

/// A point stands for a host, for a router, or for the middle of a star with its router.
struct SimgridSegments {
  std::uint32_t points = 0;
  std::vector<std::string> names;  ///< [points]
  std::vector<SimgridSegment> list;
  std::vector<std::uint32_t> point_of;            ///< [hosts]; for a host with an adapter, the adapter's end
  std::vector<bool> has_adapter;                  ///< [hosts] its own links are left out of the segments
  std::map<std::uint32_t, std::uint32_t> middle;  ///< backbone, which is a medium -> its point
};

SimgridSegments segments_of(const SimgridElements& elements);

}  // namespace orrery
