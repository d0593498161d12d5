/// The number of ranks of a spread on each of its nodes.
///
/// Nodes selected by a list or by their number are all used: without `per-node` each gets the same number of ranks. If
/// that is not an integer it is refused, so that no requested node stays idle unnoticed.
///
/// Checked  tests/unit/platforms/layout_shares_test.cpp
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platforms/layouts.hpp"

namespace orrery {

/// Number of ranks of a spread on a full node of this type.
struct NodeShare {
  std::uint32_t on_cores, on_gpus;
  std::uint64_t ranks() const { return std::uint64_t{on_cores} + on_gpus; }
};
NodeShare share_of(const NodeType& type, const LayoutRow::Spread& spread);

/// "as many as fit", "2", "2 on GPUs": of a node.
std::string share_name(const LayoutRow::Spread& spread);

/// The option to name in a refusal, if flags made the layout; else `where`, the place in the file.
std::string option_or(const std::string& where, const char* option);

/// The same spread, with the number of ranks per node set if `nodes` were selected and the file gives no number. Throws
/// InputError if the nodes would have different numbers.
LayoutRow::Spread evenly_spread(const Platform& platform, LayoutRow::Spread spread, const std::vector<NodeId>& nodes,
                                const std::string& where);

/// The first nodes that hold the ranks of a spread; all if it has no number of ranks. Throws InputError if the ranks
/// leave some of the requested nodes unused.
std::vector<NodeId> nodes_filled(const Platform& platform, const LayoutRow::Spread& spread, std::vector<NodeId> nodes,
                                 const std::string& where);

/// Number of ranks on cores of each node if those that would fill them in order are distributed in turn.  [nodes]
std::vector<std::uint32_t> ranks_of_nodes(const Platform& platform, const LayoutRow::Spread& spread,
                                          const std::vector<NodeId>& nodes, std::uint64_t wanted);

/// Throws InputError if the nodes of a spread hold only `placed` of its ranks.
void require_placed(const Platform& platform, const LayoutRow::Spread& spread, const std::vector<NodeId>& nodes,
                    std::uint64_t placed, const std::string& where);

}  // namespace orrery
