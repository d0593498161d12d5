/// Private to the import of SimGrid platforms: the text of a platform file of ours.
#pragma once

#include <string>
#include <vector>

#include "platforms/simgrid_graph.hpp"
#include "platforms/simgrid_nodes.hpp"
#include "platforms/simgrid_protocol.hpp"

namespace orrery {

/// A route between two places of the graph, over links and media by name.
struct SimgridStatedRoute {
  std::uint32_t from = 0, to = 0;
  std::vector<std::string> over;
};

struct SimgridText {
  const SimgridElements& elements;
  const std::vector<SimgridNodes>& types;
  const SimgridProtocol& protocol;
  const SimgridGraph* graph = nullptr;  ///< null: the file is one cluster
};

std::string simgrid_yaml(const SimgridText& text, const std::string& name,
                         const std::vector<SimgridStatedRoute>& routes);

}  // namespace orrery
