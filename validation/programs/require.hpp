/// What workers ask of a kernel's parameters.
#pragma once

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/units.hpp"
#include "validation/programs/worker.hpp"

namespace orrery::programs {

inline void require_doubles(const WorkerInput& input) {
  if (const double bytes = input.parameters.bytes("element").si(); bytes != 8.0)
    throw InputError(fmt::format("{}: 'element' is {:g} B (computed in double precision: 8 B). Write 'element: 8B'?",
                                 input.kernel, bytes));
}

inline void require_computation(const WorkerInput& input) {
  if (!input.parameters.boolean("compute"))
    throw InputError(
        fmt::format("{}: 'compute' is false, so that there is nothing to compute (true with '--compute "
                    "real'). Remove it?",
                    input.kernel));
}

}  // namespace orrery::programs
