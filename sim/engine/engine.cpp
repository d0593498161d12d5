#include "sim/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"
#include "sim/core/version.hpp"

namespace orrery {

const std::vector<std::string>& engine_names() {
  static const std::vector<std::string> names =
      with_simgrid ? std::vector<std::string>{"flow", "simgrid"} : std::vector<std::string>{"flow"};
  return names;
}

std::unique_ptr<Engine> make_engine(const std::string& name, const std::string& where) {
  if (name == "simgrid") return make_simgrid_engine();  // throws where it was not built
  if (name == "flow") return make_flow_engine();
  throw InputError("{}: unknown engine '{}'{}", where, name, known_names(name, engine_names()));
}

}  // namespace orrery
