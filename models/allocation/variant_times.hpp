/// The choices of a variant of model np-t about the times of a kernel: "np-t fit=ls basis=n^3/p,1".
///
/// Checked  tests/unit/models/np_t_test.cpp
#pragma once

#include <string>

#include "models/allocation/execution_times.hpp"

namespace orrery {

/// The value of an option that leaves the choice to the kernel's basis, and the value that keeps glitches.
inline constexpr const char* by_kernel = "kernel";
inline constexpr const char* glitches_kept = "kept";

/// Throws InputError that begins with 'np-t' for invalid options and for kernels without declared terms.
TimeModelChoice variant_times(const std::string& variant, const std::string& kernel);

/// The size among the kernel's parameters: "kernel.order", "2^kernel.log2-points".
std::string variant_size(const std::string& variant, const std::string& kernel);

}  // namespace orrery
