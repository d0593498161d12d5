/// Routes of a free graph as the file writes them: over which links and media, in which order. Private to platforms/.
///
/// A link begins where the one before it ended. A medium is entered from a switch on it, or from a link that ends at it,
/// and left the same ways. The way back is the same links unless the file has a route for it.
///
/// Checked  tests/unit/platforms/graph_stated_test.cpp
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "platforms/description.hpp"

namespace orrery {

/// What of a graph routes may name.
struct GraphParts {
  struct Link {
    std::uint32_t from = 0, to = 0;  ///< switches or media
    std::uint32_t number = 0;        ///< of the link there; the one back has the next
  };
  const std::vector<std::string>& names;  ///< of switches, then media
  std::uint32_t first_medium = 0;
  const std::map<std::string, std::uint32_t>& numbers;  ///< of names
  std::map<std::string, Link> links;
  /// Medium, switch -> number of the link from the medium; the one to it has the next.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> wires;
};

struct StatedRoute {
  std::uint32_t from = 0, to = 0;
  std::vector<std::uint32_t> links;
};

/// Both ways of each. Throws InputError for a name that there is not and for links that do not follow each other.
std::vector<StatedRoute> stated_routes(const GraphTopology& topology, const GraphParts& parts);

}  // namespace orrery
