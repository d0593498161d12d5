/// Whether the nodes of a run have power and prices. A sum without some of them would mislead: they must be given for
/// all node types of a run, or for none; InputError otherwise.
///
/// A node with a power cap lowers its clocks when its ranks compute, so that it stays within the cap, whichever of its
/// cores and GPUs with ranks do so:
///
///   f = min over what computes  ((cap - other) / dynamic)^(1/3)      at most 1
///
///   f        speed of all computation on the node, of what it is without a cap                                1
///   computes cores with ranks, GPUs with ranks, or both; who does not communicates
///   dynamic  what those draw more than idle as they compute                                                   W
///   other    what the node and its GPUs draw idle, and what those that communicate, and cores that drive GPUs,
///            draw more; `cap` likewise                                                                        W
///
/// Source   voltage goes with the clock, so power with its cube: Mudge, Power: a first-class architectural design
///          constraint, IEEE Computer 34(4), 2001
/// Valid    while voltage can still fall; cap above what the node draws communicating, which is not slowed; adapters
///          are apart
/// Differs  f is the same while some of the ranks wait
/// Checked  tests/replay/energy_test.cpp
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platforms/description.hpp"
#include "sim/core/layout.hpp"
#include "sim/core/refusal.hpp"

namespace orrery {

/// Nodes with an adapter on the network. They share the power of its switches: another network of the same file does
/// not count.
std::uint32_t nodes_on(const Platform& platform, const Network& network);

/// For a type with GPUs, also their power.
bool power_stated(const Platform& platform, const Layout& layout);
bool prices_stated(const Platform& platform, const Layout& layout);

/// The problem with the cap of such a node, "'power-cap' is 100 W, and ..."; empty: the cap is valid.
Refusal cap_problem(const NodeType& type);
/// f of the node of each rank, for nodes with valid caps; empty: no cap slows any node.
std::vector<double> capped_speeds(const Platform& platform, const Layout& layout);
/// Factor by which the caps lengthen the work of each rank: 1 / f; empty: no change.
std::vector<double> slowed_by_caps(const Platform& platform, const Layout& layout);

}  // namespace orrery
