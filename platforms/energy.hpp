/// Whether the nodes of a run state what they draw and cost. A sum without some of them would mislead: of all types of
/// node that a run uses, or of none; InputError otherwise.
///
/// A node with a power cap lowers its clocks as it computes, so that it draws no more, whatever its cores and GPUs do:
///
///   f = min over what computes  ((cap - other) / dynamic)^(1/3)      at most 1
///
///   f        speed of all computation on the node, of what it is without a cap                                1
///   computes the cores, the GPUs, or both; who does not communicates
///   dynamic  what those draw more than idle as they compute                                                   W
///   other    what the node and its GPUs draw idle, and what those that communicate draw more; `cap` likewise  W
///
/// Source   voltage goes with the clock, so power with its cube: Mudge, Power: a first-class architectural design
///          constraint, IEEE Computer 34(4), 2001
/// Valid    while voltage can still fall; cap above what the node draws communicating, which is not slowed; adapters
///          are apart
/// Checked  tests/replay/energy_test.cpp
#pragma once

#include <vector>

#include "platforms/description.hpp"
#include "sim/core/layout.hpp"

namespace orrery {

/// Of a type with GPUs theirs, too.
bool power_stated(const Platform& platform, const Layout& layout);
bool prices_stated(const Platform& platform, const Layout& layout);

/// f; InputError where the cap is below what the node draws otherwise, or no power is stated.
double capped_speed(const Platform& platform, const NodeType& type);
/// How many times as long work of each rank takes by the caps; empty: no node has one that slows it.
std::vector<double> slowed_by_caps(const Platform& platform, const Layout& layout);

}  // namespace orrery
