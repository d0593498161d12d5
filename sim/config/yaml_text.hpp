/// A YAML file written again after changes: sections as blocks, lists in one line. Comments do not survive.
#pragma once

#include <string>

#include "sim/config/reader.hpp"

namespace orrery::config {

std::string yaml_text(const Document& document);

}  // namespace orrery::config
