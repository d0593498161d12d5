/// Some of the points of a sweep: those whose number of ranks is as a program asks for, or that are not there already.
///
///   only: {ranks: [power-of-two]}               # FFTE
///   only: {ranks: [divides kernel.nodes-x]}     # a multiple of the ranks, as in the FEM benchmark
///   only: {distinct: true}                      # one point for all partitions where the kernel divides nothing
///
/// Looked at once when the scenario is read; axes, labels and sets of values stay what they are.
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

/// Throws InputError where a rule is unknown, names no number, or leaves no point. `folder`: of the scenario.
Points only_some(Points points, const config::Section& only, const std::string& folder);

}  // namespace orrery
