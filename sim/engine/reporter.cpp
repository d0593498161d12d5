#include "sim/engine/reporter.hpp"

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace orrery::engine {

void Reporter::interrupt(double simulated_s, std::uint64_t messages) {
  throw Interrupted("interrupted: the simulation had reached t={:.6g}s, {} messages", simulated_s, messages);
}

}  // namespace orrery::engine
