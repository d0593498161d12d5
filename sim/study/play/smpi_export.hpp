/// A program and a platform in the formats of SimGrid's own tools: time-independent traces for `smpirun -replay`,
/// platform XML, and options with which SMPI follows the rules of the replay engines.
///
/// Features that SMPI cannot express are refused or named in `smpi_differences`: memory copies, the handshake of a
/// rendezvous, the unexpected copy. Compute steps are written as flops for hosts of 1 Gf, so that SMPI takes the
/// compute model's time.
///
/// Checked  tests/unit/study/smpi_export_test.cpp, validation/bench
#pragma once

#include <string>
#include <vector>

#include "platforms/description.hpp"
#include "sim/core/layout.hpp"
#include "sim/core/trace.hpp"

namespace orrery::study {

/// Writes <folder>/index.txt (one trace per line), <folder>/rank-<n>.txt, <folder>/hostfile.txt (the node of each rank)
/// and <folder>/platform.xml, which has only the nodes of the layout. The trace's compute amounts are for hosts of 1
/// Gflop/s (trace_of, retimed).
void write_smpi_export(const std::string& folder, const Trace& trace, const Layout& layout, const Platform& platform,
                       const Network& network);

/// These nodes of the platform, or all, on one network. A star becomes a <cluster>; any other topology names the route
/// of each pair of nodes, for at most 512 nodes (InputError beyond). SMPI's host of node n is "node-<n>".
std::string simgrid_xml(const Platform& platform, const Network& network, const std::vector<NodeId>& nodes);
std::string simgrid_xml(const Platform& platform, const Network& network);

/// "--cfg=network/model:CM02 --cfg=smpi/os:... ...". `collectives`: SMPI's selector for the collectives of a trace.
std::string smpi_options(const Network& network, const std::string& collectives = "ompi");

/// Features of this network's protocol that the options cannot express, one sentence each; empty: SMPI is equivalent.
std::vector<std::string> smpi_differences(const Platform& platform, const Network& network);

}  // namespace orrery::study
