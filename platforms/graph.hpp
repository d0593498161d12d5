/// Properties of a network's graph: connectedness, diameter, bisection bandwidth, the path of a pair.
///
/// The graph has the nodes and switches as vertices and the links as edges (`Routes::ends`). Nodes of one switch are
/// interchangeable, so everything is computed on the switches with the number of nodes on each.
///
/// Diameter   most links, NICs included, on a shortest path between two nodes. Exact up to 2e8 edge visits, beyond that
///            the greatest found from 64 switches ("at least").
/// Bisection  least bandwidth, one way, of links whose removal parts the nodes into two halves (equal, or differing by
///            one); NICs and media may be among them. Each split is valued by a maximum flow. Exact when all splits can be tried
///            (up to 3000 different ones); otherwise the least over contiguous, strided and breadth-first orders of the
///            switches, cut in the middle ("at most").
///
/// Checked  tests/unit/platforms/graph_test.cpp
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platforms/routes.hpp"

namespace orrery {

struct Diameter {
  std::uint32_t links = 0;
  bool exact = true;
};

struct Bisection {
  BytesPerSecond bandwidth;
  bool exact = true;
};

/// Whether a path connects every two nodes.
bool connected(const Routes& routes);

Diameter diameter(const Routes& routes);

/// Empty for a single node, above 20000 switches, and if every link limits each message separately.
std::optional<Bisection> bisection_bandwidth(const Routes& routes);

}  // namespace orrery
