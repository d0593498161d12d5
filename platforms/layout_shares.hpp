/// How many ranks of a spread come to each of its nodes.
///
/// Nodes that somebody chose, by a list or by their number, are all used: without `per-node` each gets as many ranks as
/// the others. Where that does not come out even it is refused, so that no node that was asked for stays idle unsaid.
///
/// Checked  tests/unit/platforms/layout_shares_test.cpp
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platforms/layouts.hpp"

namespace orrery {

/// How many ranks of a spread a node of this type runs when it is full.
struct NodeShare {
  std::uint32_t on_cores, on_gpus;
  std::uint64_t ranks() const { return std::uint64_t{on_cores} + on_gpus; }
};
NodeShare share_of(const NodeType& type, const LayoutRow::Spread& spread);

/// "as many as fit", "2", "2 on GPUs": of a node.
std::string share_name(const LayoutRow::Spread& spread);

/// The option of which a refusal speaks, where flags made the layout; else `where` the file has it.
std::string option_or(const std::string& where, const char* option);

/// The same spread, with the ranks of a node where `nodes` were chosen and nothing else says how many. Throws
/// InputError where they are not as many on each.
LayoutRow::Spread evenly_spread(const Platform& platform, LayoutRow::Spread spread, const std::vector<NodeId>& nodes,
                                const std::string& where);

/// The first nodes that hold the ranks of a spread; all where it says no number of ranks. Throws InputError where the
/// ranks leave some of the nodes unused whose number was asked for.
std::vector<NodeId> nodes_filled(const Platform& platform, const LayoutRow::Spread& spread, std::vector<NodeId> nodes,
                                 const std::string& where);

/// How many ranks on cores each node gets when those that would fill them in order are dealt out in turn.  [nodes]
std::vector<std::uint32_t> ranks_of_nodes(const Platform& platform, const LayoutRow::Spread& spread,
                                          const std::vector<NodeId>& nodes, std::uint64_t wanted);

/// Throws InputError where the nodes of a spread hold `placed` of its ranks and no more.
void require_placed(const Platform& platform, const LayoutRow::Spread& spread, const std::vector<NodeId>& nodes,
                    std::uint64_t placed, const std::string& where);

}  // namespace orrery
