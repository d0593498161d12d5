#include "sim/replay/engine.hpp"

#include "sim/core/error.hpp"

namespace orrery {
std::unique_ptr<Engine> make_simgrid_engine() { throw DomainError("engine 'simgrid' is not built yet"); }
}  // namespace orrery
