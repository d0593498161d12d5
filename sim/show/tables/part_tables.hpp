/// The tables below the main one on the terminal, and what other forms say in their words. Each is empty where a result has
/// nothing of its kind.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

// Collectives: which algorithm was chosen, how long it took, bandwidth.

/// Records of one kind. Those that differ in size alone are one where there are many: `bytes` is then the mean.
struct CollectiveSum {
  CollectiveRecord record;
  Bytes least, most;
};

/// Those that took longest in all, longest first.
std::vector<CollectiveSum> longest_collectives(const RunResult& run, std::size_t sums_max);

/// Of a single point its longest collectives, of a sweep the longest of each point; empty without collectives.
std::string collectives_table(const ScenarioResult& result, std::size_t width, bool color, std::size_t rows_max);

// Two engines (`--engine both`): how far they lie apart.

/// The largest relative difference over all points and phases in words; empty when one engine played.
std::string engine_sentence(const ScenarioResult& result);

/// Per point and name of a phase the iterations that differ most, absolutely and relatively; then the makespan. Empty
/// when one engine played.
std::string engine_table(const ScenarioResult& result, std::size_t width, bool color);

// Several jobs: how long one takes alone, how long beside the others, and which link holds it back.

/// Empty where every point is of one program.
std::string jobs_table(const ScenarioResult& result, std::size_t width, bool color);

/// "uplink of leaf-0 held it back for 3.2 ms (alone 1 ms)": of the links that it shares the one that holds it longest;
/// empty where none does.
std::string held_back_by(const JobRecord& job);

// Phases that were measured beside what was simulated of them.

/// A row for each measured phase of each point, and for its whole run. Empty where no more than the compared phase was
/// measured.
std::string phases_table(const ScenarioResult& result, std::size_t width, bool color);

// Repetitions with other seeds (sim/core/repeated.hpp).

/// A row for each point that was repeated, of its whole run and, where that differs, of its compared phase. Empty
/// without any.
std::string repeats_table(const ScenarioResult& result, std::size_t width, bool color);

/// Names of the columns that a CSV has where points were repeated, and those of one point; both open with a comma.
std::string repeats_csv_header();
std::string repeats_csv(const PointResult& point);

// Faults of a sweep over `what-if`, those that hurt most first.

/// Empty without two faults to compare.
std::string what_if_table(const ScenarioResult& result, std::size_t width, bool color);

}  // namespace orrery::show
