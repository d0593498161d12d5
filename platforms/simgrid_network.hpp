/// The network inside one SimGrid <cluster>: flat, fat tree, torus or dragonfly, as one of ours.
#pragma once

#include <string>

#include "platforms/simgrid_elements.hpp"

namespace orrery {

struct SimgridNetwork {
  double bandwidth = 0.0, latency = 0.0;            ///< B/s, s: of a node's NIC, both ways
  double link_bandwidth = 0.0, link_latency = 0.0;  ///< of cables between switches; 0: there are none
  std::string topology = {};                        ///< as a platform file says it: "kind: star"
};

/// What cannot be said the same way goes into the notes of `elements`. Throws InputError.
SimgridNetwork cluster_network(SimgridElements& elements, const SimgridCluster& cluster);

}  // namespace orrery
