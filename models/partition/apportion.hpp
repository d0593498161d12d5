/// Whole blocks for real-valued shares: the division of `total` if weights do not divide it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/partition/partition_problem.hpp"
#include "sim/core/partition.hpp"

namespace orrery {

/// Parts that add up to `total` exactly. Each starts at its share rounded down, but at least 1 for a positive weight
/// while there are enough blocks. Remaining blocks go one by one to the part furthest below its share; excess blocks
/// are taken from the part furthest above (never below 1). Ties: the lower index. A zero weight gets nothing.
///
///   total    blocks to share
///   weights  [parts]  any unit, >= 0, at least one > 0
std::vector<std::uint32_t> apportion(std::uint32_t total, std::span<const double> weights);

/// Slices of whole rows, one per rank, top to bottom.
///   heights  [ranks]  adding up to the rows of the grid
Partition slices_of(GridSize grid, std::span<const std::uint32_t> heights);

/// Equal numbers of rows, up to one, for all that take part: boundary i of p is at floor(i n / p).  [ranks]
std::vector<std::uint32_t> even_heights(std::uint32_t rows, const std::vector<bool>& takes_part);

/// [ranks] whether the rank's speed is not 0: the others get nothing.
std::vector<bool> taking_part(const PartitionProblem& problem);

/// Throws DomainError unless there is at least one speed, all are finite and not negative, and one is positive.
void check_speeds(const std::string& partitioner, std::span<const double> speeds);

}  // namespace orrery
