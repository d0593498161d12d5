/// A partition as a picture: one rectangle per rank with its number, filled by node, like figure 10 of Rico-Gallego,
/// Lastovetsky & Diaz-Martin (2016).
///
/// A node has a colour and a pattern; colours alone repeat after seven nodes, colour and pattern together after 42, and
/// the legend and each rectangle's tooltip name the node. Follows light and dark schemes; readable in grey.
#pragma once

#include <string>
#include <vector>

#include "sim/core/layout.hpp"
#include "sim/core/partition.hpp"

namespace orrery::show {

struct PartitionPicture {
  std::string title;                    ///< "SUMMA, 128 x 128 blocks, M10 on fermi"
  std::vector<std::string> node_names;  ///< [nodes], by NodeId; "node 3" where missing
  double side = 640.0;                  ///< of the longer side of the grid, in pixels
};

std::string partition_svg(const Partition& partition, const Layout& layout, const PartitionPicture& picture);

}  // namespace orrery::show
