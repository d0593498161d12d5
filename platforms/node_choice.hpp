/// The nodes of a job, and their order: the first ones, random ones, of each cell in turn, or listed.
///
/// A cell is a group of a dragonfly, a cell of a dragonfly+, or a leaf of a fat tree: of the first network with cells.
/// Ranks take the nodes in the order in which these are randomized, taken in turn or listed, so that even a job on all
/// nodes differs from a contiguous one.
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
  std::vector<std::string> named;  ///< or these, by the names of the platform's nodes
  bool of_ranks = false;           ///< one entry per rank, as in host files: nodes may repeat

  struct ListedAt {
    std::size_t first = 0;  ///< first of the nodes listed or named there
    std::string where;
  };
  std::vector<ListedAt> places = {};  ///< by `first`; empty if nothing is listed or named
  struct BoundTo {
    bool by_socket = false;  ///< `first` counts from the socket's first core; else from the node's
    std::uint32_t socket = 0, first = 0;
    std::uint32_t cores = 1;  ///< 0: not bound
  };
  std::vector<BoundTo> bound = {};  ///< cores of each rank, as in a rankfile; empty: wherever there is room
  std::string type = {};            ///< only nodes of this type; empty: of any
  std::uint32_t most = 0;             ///< maximum number, the first ones; 0: all

  /// Place in the file of a listed or named node.
  const std::string& where(std::size_t entry) const;
};

/// The nodes that a job may use, in order. Throws InputError that begins with `where` for a type that the platform does
/// not have, and for fewer nodes than `most`.
std::vector<NodeId> order_of_nodes(const Platform& platform, const NodeChoice& choice, const std::string& where = {});

/// Throws InputError that begins with `where` if ranks are on several nodes and one of these is not on the network.
void require_joined(const Platform& platform, const Network& network, const Layout& layout, const std::string& where);

/// Nodes per cell; all nodes of the platform if no network has cells.
std::uint32_t cell_size(const Platform& platform);

}  // namespace orrery
