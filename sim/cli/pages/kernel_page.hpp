/// The page of a kernel as text: summary, steps and messages, parameters with defaults and ranges, source, an example.
#pragma once

#include <string>

#include "kernels/kernel.hpp"

namespace orrery::cli {

std::string kernel_page(const KernelEntry& entry);

}  // namespace orrery::cli
