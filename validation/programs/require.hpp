/// What a kernel must be so that ranks can compute its result: known before any rank is started.
#pragma once

#include <cstdint>
#include <string>

#include "sim/core/parameters.hpp"

namespace orrery::programs {

/// Throws InputError with what is wrong and what to write instead. Needs no library that computes.
void require_computable(const std::string& kernel, const Parameters& parameters, std::uint32_t ranks);

}  // namespace orrery::programs
