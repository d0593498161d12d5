/// Routes of a free graph that are listed in the file: their links and media in order. Private to platforms/.
///
/// A link begins where the one before it ended. A medium is entered from a switch on it, or from a link that ends at
/// it, and is left in the same ways. The opposite route has the same links unless the file lists a route for it.
///
/// Checked  tests/unit/platforms/graph_stated_test.cpp
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "platforms/description.hpp"

namespace orrery {

/// The parts of a graph that routes may name.
struct GraphParts {
  struct Link {
    std::uint32_t from = 0, to = 0;  ///< switches or media
    std::uint32_t number = 0;        ///< of the link there; the one back has the next
  };
  const std::vector<std::string>& names;  ///< of switches, then media
  std::uint32_t first_medium = 0;
  const std::map<std::string, std::uint32_t>& numbers;  ///< of names
  std::map<std::string, Link> links;
  /// Medium, switch -> number of the link from the medium; the link to it has the next number.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> wires;
};

struct StatedRoute {
  std::uint32_t from = 0, to = 0;
  std::vector<std::uint32_t> links;
};

/// Both directions of each. Throws InputError for an unknown name and for links that are not consecutive.
std::vector<StatedRoute> stated_routes(const GraphTopology& topology, const GraphParts& parts);

}  // namespace orrery
