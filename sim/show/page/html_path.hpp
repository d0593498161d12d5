/// The numbers of the page about the critical path.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/core/scenario_result.hpp"
#include "sim/show/charts/ticks.hpp"

namespace orrery::show {

/// What the paths of the compared phase and of the run consist of; null without one.
nlohmann::ordered_json path_json(const PointResult& point);

/// Segments that begin before `end`, drawn over the time lines: kind, rank, receiver or -1, begin and end in ticks,
/// resource or -1 (its own limit) or -2; six numbers each.
nlohmann::ordered_json path_segments_json(const CriticalPath& path, Seconds end, const Ticks& ticks);

}  // namespace orrery::show
