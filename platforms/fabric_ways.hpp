/// Parallel routes inside a node, merged into one: parallel cables, and switches that connect the same GPUs.
///
///   B(g) = sum over k of b(g, k)
///
///   b(g, k)   B/s   of GPU g to switch k; cable k of two elements
///   B(g)      B/s   of GPU g to the switch that stands for all of them
///
/// A message uses all of these switches at the same time, each for the share b(g, k) / B(g). So every link has the same
/// load as the merged one, for one flow and for many.
///
/// Source   NVIDIA DGX H100 User Guide: the 18 NVLinks of a GPU go to four NVSwitches, as 5, 4, 4 and 5
/// Valid    all GPUs have the same share of their bandwidth to switch k; cables are alike in kind and latency. What is
///          not so is refused
/// Checked  tests/unit/platforms/fabric_ways_test.cpp, tests/replay/fabric_test.cpp
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platforms/description.hpp"
#include "sim/core/refusal.hpp"

namespace orrery {

/// Merges cables of one kind between the same two elements. Returns what is wrong; empty: nothing.
[[nodiscard]] Refusal join_cables(NodeType& type);
/// Merges switches that connect the same GPUs, with a note. Returns what is wrong if GPUs have several different
/// routes.
///   elements  some of the fabric's: replaced by the merged ones
[[nodiscard]] Refusal join_switches(NodeType& type, std::vector<std::uint32_t>& elements);

}  // namespace orrery
