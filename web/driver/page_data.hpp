/// The data of a report's page, with what the workbench steps through beside them: messages, and the links that they share.
#pragma once

#include "sim/core/scenario_result.hpp"
#include "sim/study/read/point.hpp"

namespace orrery::web {

/// With `point`, which a result of one point was played from, "gantt" of that, "messages", has
///   "shared": of each link that several of them take at once, those first that most take together and at most 32 of a kind,
///     {"name", "kind", "capacity_B_per_s", "at_once": messages under way together, "load": per mille over the run, where it was kept, "messages": their numbers}
void print_page(const ScenarioResult& result, const LoadedPoint* point = nullptr);

}  // namespace orrery::web
