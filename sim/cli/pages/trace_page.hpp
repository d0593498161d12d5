/// A summary of a trace: ranks, calls by kind with volume, what the reader dropped. `orrery import`, `show trace`.
#pragma once

#include <string>

#include "sim/core/trace.hpp"

namespace orrery::cli {

std::string trace_page(const Trace& trace);

}  // namespace orrery::cli
