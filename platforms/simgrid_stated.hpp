/// Private to the import of SimGrid platforms: routes listed explicitly because the graph's shortest ones differ.
#pragma once

#include <span>
#include <vector>

#include "platforms/routes.hpp"
#include "platforms/simgrid_graph.hpp"
#include "platforms/simgrid_routing.hpp"
#include "platforms/simgrid_writer.hpp"

namespace orrery {

/// `routes` are those of the graph without listed ones. If there are too many places or routes, none are listed: the
/// comparison then reports the differences.
std::vector<SimgridStatedRoute> stated_routes_of(const SimgridElements& elements, const SimgridRouting& routing,
                                                 const SimgridGraph& graph, const Routes& routes,
                                                 std::span<const std::uint32_t> node_of);

/// Throws for hosts that the graph does not connect, with the line of one of them.
void require_joined(const SimgridElements& elements, const SimgridGraph& graph);

}  // namespace orrery
