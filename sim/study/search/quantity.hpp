/// The quantities of a search (sim/study/read/search_spec.hpp), of a run and before the run.
///
/// Before a point is simulated, its run has a minimum time: the longest computation of a rank, whose steps run one
/// after another. A quantity proportional to the time (time, cost) then has a lower bound, one that is inversely
/// proportional (Gflop/s) an upper bound. The kind of a quantity is seen from its values for two times.
///
/// Checked  tests/unit/study/search_test.cpp
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"
#include "sim/study/read/point.hpp"

namespace orrery::study {

/// A value and its unit, as in metrics: "" for a plain number.
struct Quantity {
  double value = 0.0;
  std::string unit;
};

/// Facts about a point that need no simulation.
struct PointFacts {
  double ranks = 0.0, nodes = 0.0, memory = 0.0;

  static PointFacts of(const LoadedPoint& point);
};

/// Whether it is one of PointFacts.
bool is_fact(const std::string& quantity);
Quantity fact(const PointFacts& facts, const std::string& quantity);

/// The quantity of a finished run; empty if it has no such metric.
std::optional<Quantity> quantity_of(const PointResult& point, const std::string& quantity);

/// Names of the quantities of a run, for messages.
std::vector<std::string> quantities_of(const PointResult& point);

/// A run of which only the time is known, or a lower bound of it.
PointResult run_of(const PointSpec& spec, const LoadedPoint& point, Seconds time);

enum class Follows { not_at_all, as_time, as_rate };
/// How a quantity of this point depends on the time of its run.
Follows follows(const PointSpec& spec, const LoadedPoint& point, const std::string& quantity);

/// A lower bound for the run: the computation of a rank, one step after another, with the noise of engines. 0 for
/// programs whose steps depend on events.
Seconds least_time(const LoadedPoint& point);

/// "20kW" for a quantity in W. Throws InputError if the unit differs.
double bound_in(const std::string& text, const std::string& unit, const std::string& quantity,
                const std::string& where);

/// "3.214 s", "80 %", "12.3".
std::string quantity_text(const Quantity& quantity, const std::string& name);

}  // namespace orrery::study
