#include "sim/core/error.hpp"
#include "sim/engine/isolate.hpp"

namespace orrery::engine {

const std::string& Outcome::value() const {
  switch (exit_code) {
    case 0:
      return bytes;
    case 2:
      throw InputError(error);
    case 3:
      throw DomainError(error);
    case 4:
      throw ReplayError(error);
    case 5:
      throw BoundError(error);
    case 77:
      throw Skipped(error);
    case 130:
      throw Interrupted(error);
    default:
      throw std::runtime_error(error.text());
  }
}

std::string run_isolated(const std::string& name, const std::function<std::string()>& body) {
  return run_isolated(1, {{name, [&](const ReplayProgress&) { return body(); }}}).front().value();
}

}  // namespace orrery::engine
