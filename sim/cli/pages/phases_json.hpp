/// The input of analytic models for the points of a scenario, as JSON: `orrery show phases`. For external models.
///
///   {"scenario": "halo", "points": [
///     {"settings": [["network", "infiniband"]], "values": {"kernel.points": "512", ...}, "kernel": "wave2d",
///      "platform": "fermi", "network": {"name": "infiniband", "latency_s": 1.1e-06, "bandwidth_B_per_s": 4e+09},
///      "compared_phase": "communication", "nodes_of_ranks": [0, 0, 1, ...],
///      "phases": [{"name": "communication", "repeat": 10, "messages": {"columns": [...], "rows": [...]}, ...}]}]}
#pragma once

#include "sim/core/text_sink.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::cli {

/// Writes point by point: the phases of all points may be much larger.
void write_phases(const Scenario& scenario, const TextSink& write);

}  // namespace orrery::cli
