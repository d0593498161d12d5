/// A partitioner: a grid and the speeds of the ranks in, rectangles out. One catalogue entry per .cpp.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "sim/core/catalogue.hpp"
#include "sim/core/partition.hpp"

namespace orrery {

struct PartitionerEntry {
  std::string name;
  std::string summary;
  std::string source;
  /// columns x rows blocks over ranks of `speeds` [ranks] (any unit; only ratios count).
  std::function<Partition(std::uint32_t columns, std::uint32_t rows, std::span<const double> speeds)> make;
};

Catalogue<PartitionerEntry>& partitioners();

}  // namespace orrery
