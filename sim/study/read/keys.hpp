/// Every key of a scenario file (sim/config/keys.hpp): used by scenario.cpp and by the reference page.
#pragma once

#include "sim/config/keys.hpp"

namespace orrery {

const config::Mapping& scenario_keys();

}  // namespace orrery
