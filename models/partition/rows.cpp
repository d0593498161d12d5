/// Slices of whole rows, top to bottom in rank order, heights in proportion to the speeds.
///
/// Source   the 1-D alternative of Rico-Gallego, Lastovetsky & Diaz-Martin, 2016, section 4.2
/// Valid    any speeds; with more ranks than rows the ones with the least share get nothing
/// Checked  tests/unit/models/partition/rows_test.cpp, tests/contract/every_partitioner_test.cpp
#include "models/partition/apportion.hpp"
#include "models/partition/partitioner.hpp"

namespace orrery {

namespace {

Partition slices(std::uint32_t columns, std::uint32_t rows, std::span<const double> speeds) {
  check_speeds("rows", speeds);
  Partition partition{columns, rows, {}};
  std::uint32_t y = 0;
  for (const std::uint32_t height : apportion(rows, speeds)) {
    partition.rectangles.push_back({0, y, columns, height});
    y += height;
  }
  return partition;
}

const bool entered = partitioners().add({
    .name = "rows",
    .summary = "slices of whole rows in rank order, heights in proportion to speed",
    .source = "Rico-Gallego, Lastovetsky & Diaz-Martin, 2016, section 4.2 (1-D partition)",
    .make = slices,
});

}  // namespace

}  // namespace orrery
