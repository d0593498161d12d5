/// Which nodes a job gets: the first ones, drawn at random, as many from each cell, or listed.
///
/// A cell is a group of a dragonfly, a cell of a dragonfly+, a leaf of a fat tree: of the first network that has such.
/// Chosen nodes keep the order of their numbers, as schedulers hand them out; listed ones the order of the list.
///
/// Checked  tests/unit/platforms/node_choice_test.cpp
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platforms/description.hpp"

namespace orrery {

enum class NodeOrder : std::uint8_t { contiguous, random, by_cell };

struct NodeChoice {
  NodeOrder order = NodeOrder::contiguous;
  std::uint64_t seed = 1;
  std::vector<NodeId> listed;      ///< not empty: these
  std::vector<std::string> named;  ///< or these, by the names that the platform's nodes have
  bool of_ranks = false;           ///< the node of each rank in turn, as host files have them: one may come again

  struct Place {
    std::size_t first = 0;  ///< of the nodes listed, or named, that stand there
    std::string where;
  };
  std::vector<Place> places = {};  ///< by `first`; none where nothing is listed or named

  /// Where a node that is listed, or named, stands.
  const std::string& where(std::size_t entry) const;
};

/// All nodes of the platform in the order in which a job takes them.
std::vector<NodeId> order_of_nodes(const Platform& platform, const NodeChoice& choice);

/// Nodes of a cell; all of the platform where no network has cells.
std::uint32_t cell_size(const Platform& platform);

}  // namespace orrery
