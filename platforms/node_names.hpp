/// Names of nodes as sites write them: "rack[1-4]node[01-32]", the last bracket counting fastest.
///
/// Checked  tests/unit/platforms/node_names_test.cpp
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platforms/description.hpp"
#include "platforms/node_choice.hpp"

namespace orrery {

namespace config {
class Value;
}  // namespace config

/// All names of an expression; ranges and lists in brackets, numbers as wide as they are written. Refuses what is none.
std::vector<std::string> expanded_names(const config::Value& expression);
std::vector<std::string> expanded_names(const std::string& expression);

/// "gros-[1-4,12]" of the names of hosts, without their domains; empty where they differ in more than a last number.
std::string names_expression(const std::vector<std::string>& hosts);

/// The nodes that a choice names, in order, each once unless they are those of ranks. A name counts whole; one
/// that no node has counts without its domain (what follows the first dot), unless two hosts would become one.
/// Nodes of every platform are called "node-12" too, by their numbers, as in the files we export. Throws InputError for
/// a name that no node has.
std::vector<NodeId> nodes_named(const Platform& platform, const NodeChoice& choice);

}  // namespace orrery
