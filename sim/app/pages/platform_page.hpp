/// A platform as people read it: what it is, what a message costs between each kind of pair, where its figures come
/// from.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "platforms/graph.hpp"
#include "platforms/point_to_point.hpp"

namespace orrery::app {

/// Cost of a message between two ranks of some kind: one row of the point-to-point table.
struct PairFacts {
  std::string pair;                ///< "xeon12, one node", "xeon12 - xeon8"
  std::string channel;             ///< "shared memory" or the network's name
  PointToPoint nearest, farthest;  ///< by latency, among up to 32 x 32 pairs of nodes
};

struct NetworkFacts {
  std::string name;
  Diameter diameter;
  std::optional<Bisection> bisection;
  std::uint32_t switches = 0;
};

std::vector<PairFacts> pair_facts(const Platform& platform);
NetworkFacts network_facts(const Platform& platform, const Network& network);
std::string topology_name(const Network& network);

/// `all_sources` lists every figure; otherwise each source once with the number of its figures. Tables are as wide as
/// `terminal_width` allows.
std::string platform_page(const Platform& platform, bool all_sources, std::size_t terminal_width);
/// The same facts as JSON, units in the keys.
std::string platform_json(const Platform& platform);

}  // namespace orrery::app
