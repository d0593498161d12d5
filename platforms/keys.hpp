/// Every key of a platform file and of a layout file (sim/config/keys.hpp): used by the loaders and by the reference
/// page.
#pragma once

#include "sim/config/keys.hpp"

namespace orrery {

const config::Mapping& platform_keys();
/// The form around a parameter: {value, source} or {value, assumed}.
const config::Mapping& parameter_keys();

const config::Mapping& layout_keys();
/// One row, also the `layout` of a scenario.
const config::Mapping& layout_row_keys();

}  // namespace orrery
