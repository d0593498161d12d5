/// Whether the nodes of a run state what they draw and cost. A sum without some of them would mislead: of all types of
/// node that a run uses, or of none; InputError otherwise.
#pragma once

#include "platforms/description.hpp"
#include "sim/core/layout.hpp"

namespace orrery {

/// Of a type with GPUs theirs, too.
bool power_stated(const Platform& platform, const Layout& layout);
bool prices_stated(const Platform& platform, const Layout& layout);

}  // namespace orrery
