/// A trace in a page: ranks, calls by kind with their volume, what the reader dropped. `orrery import`, `show trace`.
#pragma once

#include <string>

#include "sim/core/trace.hpp"

namespace orrery::cli {

std::string trace_page(const Trace& trace);

}  // namespace orrery::cli
