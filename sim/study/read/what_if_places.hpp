/// `each` in a `what-if`: the healthy run and then one run for each place, as an axis of the sweep.
///
///   what-if: {node: each, slower: 20%}               every node that has ranks
///   what-if: {gpu: each, slower: 20%}                every GPU that has ranks
///   what-if: {adapter: each, bandwidth: 50%}         every adapter of these nodes on the scenario's network
///   what-if: {rail: each, latency: +1us}             every index that adapters of these nodes have
///   what-if: {link: each, down: true}                every cable, one at a time
///   what-if: {link: each of level 2, down: true}     those whose farther end is N = 2 links from an adapter: cables
///                                                    between leaves and the switches above
///   what-if: {switch: each, down: true}              every switch with such a cable
///
/// With deterministic routing, links and switches are those on a route between two nodes that have ranks; the others
/// have no effect. Several may be in a sweep: {what-if: [{node: each, slower: 10%}, {node: each, slower: 20%}]}.
///
/// Checked  tests/unit/study/what_if_test.cpp
#pragma once

#include <string>
#include <vector>

#include "sim/study/read/overrides.hpp"

namespace orrery {

/// The axes with each `each` replaced by its places; unchanged if there is none.
std::vector<Axis> with_each_place(std::vector<Axis> axes, const config::Document& document, const std::string& folder);

}  // namespace orrery
