/// Private to the import of SimGrid platforms: routes to be written, as the graph's shortest ways are others.
#pragma once

#include <span>
#include <vector>

#include "platforms/routes.hpp"
#include "platforms/simgrid_graph.hpp"
#include "platforms/simgrid_routing.hpp"
#include "platforms/simgrid_writer.hpp"

namespace orrery {

/// `routes` are those of the graph without any written ones. Of too many places, or too many routes, none are written:
/// the comparison then says what differs.
std::vector<SimgridStatedRoute> stated_routes_of(const SimgridElements& elements, const SimgridRouting& routing,
                                                 const SimgridGraph& graph, const Routes& routes,
                                                 std::span<const std::uint32_t> node_of);

/// Hosts that the graph does not join are refused, by the line of one of them.
void require_joined(const SimgridElements& elements, const SimgridGraph& graph);

}  // namespace orrery
