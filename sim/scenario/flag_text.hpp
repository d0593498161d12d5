/// What users write in one word on the command line, read in one way whatever the flag:
///
///   name=value   --param blocks=64   --set layout.row=M10
///   TABLE:ROW    --layout rico-gallego16-table1:M10; of a table with one row also TABLE
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"

namespace orrery {

struct NameAndValue {
  std::string name, value;
};
/// The value may hold more '='; the name is not empty. Throws InputError.
NameAndValue name_and_value(const std::string& text, const std::string& flag);

/// "name=value" texts of a flag as settings.
std::vector<NamedSpec::Setting> settings_from(const std::vector<std::string>& texts, const std::string& flag);

/// A row of a shipped layout table or of a file. Throws InputError where a table of several rows is named alone.
LayoutSpec layout_from(const std::string& text, const std::string& flag);

}  // namespace orrery
