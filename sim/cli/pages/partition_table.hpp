/// What a partition gives each rank, beside what its speed entitles it to: as table, as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/core/layout.hpp"
#include "sim/core/partition.hpp"
#include "sim/core/units.hpp"

namespace orrery::cli {

struct PartitionRow {
  std::uint32_t rank = 0;
  std::string node, host;  ///< "xeon12-0"; "socket 1" or "GPU 0"
  std::uint32_t cores = 1;
  FlopsPerSecond speed;
  Rectangle rectangle;
  double share = 0.0, ideal = 0.0;  ///< of all blocks; of all speed
};

struct PartitionTable {
  std::string title;
  std::uint32_t columns = 0, rows = 0;  ///< blocks
  std::vector<PartitionRow> ranks;
  std::uint64_t half_perimeters = 0;   ///< sum over ranks of width + height
  double half_perimeters_least = 0.0;  ///< no rectangles of these areas have less: 2 sqrt(area) each
  double imbalance = 0.0;              ///< slowest rank's time over the time of a perfect split, less 1
  /// Slowest rank's time over the fastest's by their speeds at these very sizes, where speed depends on size.
  std::optional<double> slowest_to_fastest = {};
};

/// speeds  [ranks]  flop/s      node_names  [nodes]  by NodeId
PartitionTable partition_table(const std::string& title, const Partition& partition, const Layout& layout,
                               std::span<const double> speeds, const std::vector<std::string>& node_names);

std::string partition_text(const PartitionTable& table, std::size_t width, bool color);
std::string partition_json(const PartitionTable& table);

}  // namespace orrery::cli
