/// The tables below the main one on the terminal, and texts that other forms share with them. Each is empty if a result
/// has nothing of its kind.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

// Collectives: chosen algorithm, time, bandwidth.

/// Records of one kind. If there are many, those that differ only in size are merged: `bytes` is then the mean.
struct CollectiveSum {
  CollectiveRecord record;
  Bytes least, most;
};

/// Those with the longest total time, longest first.
std::vector<CollectiveSum> longest_collectives(const RunResult& run, std::size_t sums_max);

/// For a single point its longest collectives, for a sweep the longest of each point; empty without collectives.
std::string collectives_table(const ScenarioResult& result, std::size_t width, bool color, std::size_t rows_max);

// Two engines (`--engine both`): their differences.

/// The largest relative difference over all points and phases as text; empty if one engine ran.
std::string engine_sentence(const ScenarioResult& result);

/// Per point and name of a phase, the iterations that differ most, absolutely and relatively; then the makespan. Empty
/// if one engine ran.
std::string engine_table(const ScenarioResult& result, std::size_t width, bool color);

// Several jobs: the time of each alone and with the others, and the link that limits it.

/// Empty if every point has one program.
std::string jobs_table(const ScenarioResult& result, std::size_t width, bool color);

/// "uplink of leaf-0 held it back for 3.2 ms (alone 1 ms)": the shared link that limits it longest; empty if none does.
std::string held_back_by(const JobRecord& job);

// Measured phases compared with their simulation.

/// A row for each measured phase of each point, and for its whole run. Empty if only the compared phase was measured.
std::string phases_table(const ScenarioResult& result, std::size_t width, bool color);

// Repetitions with other seeds (sim/core/repeated.hpp).

/// A row for each repeated point: its whole run and, if that differs, its compared phase. Empty without repetitions.
std::string repeats_table(const ScenarioResult& result, std::size_t width, bool color);

/// Names of the columns of a CSV with repeated points, and those of one point; both begin with a comma.
std::string repeats_csv_header();
std::string repeats_csv(const PointResult& point);

// Faults of a sweep over `what-if`, those that hurt most first.

/// Empty without two faults to compare.
std::string what_if_table(const ScenarioResult& result, std::size_t width, bool color);

}  // namespace orrery::show
