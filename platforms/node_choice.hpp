/// Which nodes a job gets, and in which order: the first ones, drawn at random, of each cell in turn, or listed.
///
/// A cell is a group of a dragonfly, a cell of a dragonfly+, a leaf of a fat tree: of the first network that has such.
/// Ranks take the nodes in the order in which these are drawn, taken in turn or listed, so that a job on all nodes
/// differs from a contiguous one as well.
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

  struct ListedAt {
    std::size_t first = 0;  ///< of the nodes listed, or named, that stand there
    std::string where;
  };
  std::vector<ListedAt> places = {};  ///< by `first`; none where nothing is listed or named
  struct BoundTo {
    bool by_socket = false;  ///< `first` counts from that socket's first core; else from the node's
    std::uint32_t socket = 0, first = 0;
    std::uint32_t cores = 1;  ///< 0: not bound
  };
  std::vector<BoundTo> bound = {};  ///< cores of each rank, as a rankfile has them; empty: wherever there is room
  std::string type = {};            ///< only nodes of this type; empty: of any
  std::uint32_t most = 0;             ///< the first so many of them; 0: all

  /// Where a node that is listed, or named, stands.
  const std::string& where(std::size_t entry) const;
};

/// The nodes that a job may take, in the order in which it does. Throws InputError, opened by `where`, for a type that the
/// platform does not have, and for fewer nodes than `most`.
std::vector<NodeId> order_of_nodes(const Platform& platform, const NodeChoice& choice, const std::string& where = {});

/// Throws InputError, opened by `where`, where ranks are on several nodes and one of them is not on the network.
void require_joined(const Platform& platform, const Network& network, const Layout& layout, const std::string& where);

/// Nodes of a cell; all of the platform where no network has cells.
std::uint32_t cell_size(const Platform& platform);

}  // namespace orrery
