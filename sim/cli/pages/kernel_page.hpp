/// The page of a kernel as text: summary, steps and messages, parameters with defaults and ranges, source, an example.
#pragma once

#include <string>

#include "kernels/kernel.hpp"

namespace orrery::app {

std::string kernel_page(const KernelEntry& entry);

/// One line per parameter: name, default, what it means, what it accepts.
std::string parameter_lines(const std::vector<ParameterDescription>& parameters);

/// "256", "8 B", "ideal": a default as a person writes it.
std::string default_text(const ParameterDescription& parameter);

/// What a parameter accepts: "1..1e+07", "one of none, ideal", "true or false".
std::string accepted_text(const ParameterDescription& parameter);

}  // namespace orrery::app
