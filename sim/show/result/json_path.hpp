/// The critical path of a run as JSON, both ways.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/core/critical_path.hpp"

namespace orrery::report {

nlohmann::ordered_json critical_path_json(const CriticalPath& path);
/// Throws what nlohmann-json throws, or std::out_of_range.
CriticalPath critical_path_of(const nlohmann::ordered_json& json);

}  // namespace orrery::report
