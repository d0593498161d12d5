/// Writes a YAML file again after changes: sections as blocks, lists on one line. Comments are lost.
#pragma once

#include <string>

#include "sim/config/reader.hpp"

namespace orrery::config {

std::string yaml_text(const Document& document);

}  // namespace orrery::config
