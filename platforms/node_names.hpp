/// Names of nodes as sites write them: "rack[1-4]node[01-32],login,mds.site.fr", the last bracket counting fastest.
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

/// The expression that a file writes, or a list of them as one.
std::string names_of(const config::Value& value);

/// All names of an expression; ranges and lists in brackets, numbers as wide as they are written. Refuses what is none.
std::vector<std::string> expanded_names(const config::Value& value);
std::vector<std::string> expanded_names(const std::string& expression);

/// "gros-[1-4,12].nancy,login" of the names of hosts: `expanded_names` of it are they. Empty where a name holds a comma, a
/// bracket, a quote or a blank.
std::string names_expression(const std::vector<std::string>& hosts);

/// The nodes that a choice names, in order, each once unless they are those of ranks. A name is the whole one of a node,
/// or the one or the other without what follows a dot, its domain. Nodes of every platform are called "node-12" too, by
/// their numbers, as in the files we export. Throws InputError for a name that no node has, or several have.
std::vector<NodeId> nodes_named(const Platform& platform, const NodeChoice& choice);

}  // namespace orrery
