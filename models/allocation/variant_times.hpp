/// What a variant of model np-t asks of the times of a kernel: "np-t fit=ls basis=n^3/p,1".
///
/// Checked  tests/unit/models/np_t_test.cpp
#pragma once

#include <string>

#include "models/allocation/execution_times.hpp"

namespace orrery {

/// The word of an option that leaves the choice to the kernel's basis, and how glitches are not left out.
inline constexpr const char* by_kernel = "kernel";
inline constexpr const char* glitches_kept = "kept";

/// Throws InputError, opened by 'np-t', for options that mean nothing and where nobody has declared the kernel's terms.
TimeModelChoice variant_times(const std::string& variant, const std::string& kernel);

/// Where the size is among the kernel's parameters: "kernel.order", "2^kernel.log2-points".
std::string variant_size(const std::string& variant, const std::string& kernel);

}  // namespace orrery
