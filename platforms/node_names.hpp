/// Names of nodes as sites write them: "rack[1-4]node[01-32],login,mds.site.fr", the last bracket varies fastest.
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

/// The expression in a file, or a list of expressions as one.
std::string names_of(const config::Value& value);

/// All names of an expression; ranges and lists in brackets, numbers as wide as they are written. Throws if it is none.
std::vector<std::string> expanded_names(const config::Value& value);
std::vector<std::string> expanded_names(const std::string& expression);

/// "gros-[1-4,12].nancy,login" for the names of hosts: its `expanded_names` are these names. Empty if a name contains a
/// comma, a bracket, a quote or a blank.
std::string names_expression(const std::vector<std::string>& hosts);

/// The nodes named in a choice, in order, without repetition unless there is one per rank. A name matches a node's full
/// name, or one of the two matches without its domain, the part after a dot. Nodes of every platform are also called
/// "node-12", by number, as in the files we export. Throws InputError for a name of no node or of several.
std::vector<NodeId> nodes_named(const Platform& platform, const NodeChoice& choice);

}  // namespace orrery
