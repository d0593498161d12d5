/// In the place of the engine where Orrery was built without SimGrid.
#include "sim/core/error.hpp"
#include "sim/engine/engine.hpp"

namespace orrery {

std::unique_ptr<Engine> make_simgrid_engine() {
  throw InputError(
      "engine 'simgrid' is not in this program, which was built without SimGrid (known: flow). Use 'flow'?");
}

}  // namespace orrery
