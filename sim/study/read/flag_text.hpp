/// The one-word syntaxes of the command line, parsed in one way for every flag:
///
///   name=value   --param blocks=64   --set layout.row=M10
///   TABLE:ROW    --layout rico-gallego16-table1:M10; of a table with one row also TABLE
///   setup        --layout "1x8:beowulf 2x1:lab" (platforms/setups.hpp)
///   numbers      --ranks 64 --per-node 8 --cores 2; --gpus 4
#pragma once

#include <string>
#include <vector>

#include "sim/study/read/scenario.hpp"

namespace orrery {

struct NameAndValue {
  std::string name, value;
};
/// The value may contain further '='; the name is not empty. Throws InputError.
NameAndValue name_and_value(const std::string& text, const std::string& flag);

/// "taulop", "taulop mode=algebra overhead=once". Throws InputError for an option that no model has.
ModelSpec model_from(const std::string& text, const std::string& flag);

/// "name=value" texts of a flag as settings.
std::vector<NamedSpec::Setting> settings_from(const std::vector<std::string>& texts, const std::string& flag);

/// A row of a shipped layout table or file, or a setup. Throws InputError if only a table of several rows is named.
/// alone.
LayoutSpec layout_from(const std::string& text, const std::string& flag);

/// Placement flags: a row of a table, or numbers of ranks.
struct LayoutFlags {
  std::string layout = {};  ///< "TABLE:ROW", or
  int ranks = 0, per_node = 0, cores = 1, gpus = 0;
  std::string order = "node-by-node";  ///< or "round-robin"
  std::string type = {}, node_list = {};
  int nodes = 0;
};
/// Throws InputError for an impossible number, and if both a table and numbers are given.
LayoutSpec layout_from(const LayoutFlags& flags);

}  // namespace orrery
