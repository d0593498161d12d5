/// Setups: clusters of different machines written as nodes x cores, and the subset of their processes that run.
///
///   "1x8:beowulf 1x4:lxpara 2x1:lab"   8 cores of one beowulf, then 4 of one lxpara, then 1 of each of two nodes of
///                                      type lab
///
/// A process has one core. Node by node ("unshuffled"), a node is filled before the next; with round robin
/// ("shuffled"), each node gets a process before any gets its second. Fewer ranks than processes are the first ones.
///
/// Source   Belikov, Loidl, Michaelson & Trinder (architecture-aware cost modelling), sections 4.1 and 4.3
/// Differs  the source writes the types in brackets behind the numbers
/// Checked  tests/unit/platforms/setups_test.cpp
#pragma once

#include <string>
#include <vector>

#include "platforms/layouts.hpp"

namespace orrery {

/// The nodes of a setup, in the order in which they are filled; with an empty type if none is given. Throws InputError
/// that begins with `where`.
std::vector<LayoutRow::Nodes> parse_setup(const std::string& text, const std::string& where);

/// Whether the text is a setup: it starts with nodes x cores.
bool is_setup(const std::string& text);

/// Converts a layout from node by node to round robin: every node's first rank, then every node's second ...
Layout in_turn(Layout layout);

/// The processes of a whole setup that run.
Layout taken_of(Layout layout, const LayoutRow& row);

}  // namespace orrery
