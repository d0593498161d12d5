/// Every key of a platform file and of a layout file (sim/config/keys.hpp): what the loaders read, and the reference
/// page.
#pragma once

#include "sim/config/keys.hpp"

namespace orrery {

const config::Mapping& platform_keys();
/// What stands around a parameter: {value, source} or {value, assumed}.
const config::Mapping& parameter_keys();

const config::Mapping& layout_keys();
/// One row, also the `layout` of a scenario.
const config::Mapping& layout_row_keys();

}  // namespace orrery
