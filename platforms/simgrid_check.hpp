/// Private to the import of SimGrid platforms: compares the routes of the built platform with those of the file.
///
/// It compares latency and bandwidth of each pair of hosts (of many hosts, a seeded sample). For sharing it compares
/// the bandwidths of many simultaneous messages, to a random partner and back, by max-min fairness on both sides.
///
/// Checked  tests/unit/platforms/simgrid_check_test.cpp
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "platforms/routes.hpp"
#include "platforms/simgrid_routing.hpp"

namespace orrery {

/// The largest difference of one kind.
struct SimgridDifference {
  std::uint64_t compared = 0, differ = 0;
  double factor = 1.0;             ///< the larger value over the smaller
  std::uint32_t from = 0, to = 0;  ///< hosts, where it is largest
  double in_file = 0.0, built = 0.0;
};

struct SimgridComparison {
  SimgridDifference latency, bandwidth, shared;
  std::uint64_t without_route = 0;
  std::uint32_t route_from = 0, route_to = 0;  ///< the first such pair
};

/// `node_of`: [hosts]
SimgridComparison compare_ways(const SimgridElements& elements, const SimgridRouting& routing, const Routes& routes,
                               std::span<const std::uint32_t> node_of);

/// The load of one message on a resource.
struct SimgridUse {
  std::uint32_t resource = 0;
  double weight = 1.0;
};
/// Simultaneous messages.
struct SimgridLoad {
  std::vector<double> capacity;                ///< [resources]
  std::vector<std::vector<SimgridUse>> flows;  ///< loads of each
  std::vector<double> most;                    ///< [flows] bandwidth without others
};
/// Bandwidth of each, max-min fair.  [flows]
std::vector<double> fair_shares(const SimgridLoad& load);

}  // namespace orrery
