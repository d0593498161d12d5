/// `--set taper=1`: the likely full path of a key that is not at the top of a scenario.
///
/// Checked  tests/unit/study/overrides_test.cpp
#pragma once

#include <string>

#include "sim/config/reader.hpp"

namespace orrery {

/// "platform.networks.infiniband.topology.taper": in the scenario's kernel and sections, else in its platform; the
/// shortest match, with the name of its network if it is in one. Empty if no key has this name.
std::string full_path_of(const std::string& key, const config::Document& document);

}  // namespace orrery
