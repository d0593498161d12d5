/// `--set taper=1`: where a key that is none of a scenario's own might belong.
///
/// Checked  tests/unit/study/overrides_test.cpp
#pragma once

#include <string>

#include "sim/config/reader.hpp"

namespace orrery {

/// "platform.networks.infiniband.topology.taper": of the scenario's kernel and sections, else of its platform's, the
/// nearest to the top, with the name of its network where that is one. Empty where nothing is called so.
std::string full_path_of(const std::string& key, const config::Document& document);

}  // namespace orrery
