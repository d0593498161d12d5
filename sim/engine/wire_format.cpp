#include "sim/engine/wire_format.hpp"

#include "sim/core/byte_codec.hpp"

namespace orrery::engine {

std::string to_bytes(const RunResult& result) { return orrery::to_bytes(result); }
RunResult from_bytes(const std::string& bytes) { return orrery::from_bytes<RunResult>(bytes); }

}  // namespace orrery::engine
