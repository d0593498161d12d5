/// A selection of the points of a sweep: those with a permitted number of ranks, or those without duplicates.
///
///   only: {ranks: [power-of-two]}               # FFTE
///   only: {ranks: [divides kernel.nodes-x]}     # a multiple of the ranks, as in the FEM benchmark
///   only: {distinct: true}                      # one point for all partitions where the kernel divides nothing
///
/// Applied once when the scenario is read; axes, labels and sets of values are unchanged.
#pragma once

#include <string>
#include <vector>

#include "sim/config/reader.hpp"
#include "sim/study/read/points.hpp"

namespace orrery {

struct OnlySpec {
  std::vector<config::Value> ranks;  ///< rules
  bool distinct = false;
};

/// Throws InputError if a rule is unknown, has no number, or excludes every point. `folder`: of the scenario.
Points only_some(Points points, const config::Section& only, const std::string& folder);

}  // namespace orrery
