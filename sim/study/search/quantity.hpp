/// The quantities that a search goes by (sim/study/read/search_spec.hpp), of a run and before it was played.
///
/// Before a point is played its run has a least time: the longest that a rank computes, whose steps follow each other.
/// A quantity that is proportional to the time of the run (time, cost) is then at least so much, one that is inversely
/// proportional (Gflop/s) at most. Which of them are is seen from their values for two times.
///
/// Checked  tests/unit/study/search_test.cpp
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"
#include "sim/study/read/point.hpp"

namespace orrery::study {

/// A value and its unit, as metrics have it: "" of a number.
struct Quantity {
  double value = 0.0;
  std::string unit;
};

/// What is known of a point without playing it.
struct PointFacts {
  double ranks = 0.0, nodes = 0.0, memory = 0.0;

  static PointFacts of(const LoadedPoint& point);
};

/// Whether it is one of PointFacts.
bool is_fact(const std::string& quantity);
Quantity fact(const PointFacts& facts, const std::string& quantity);

/// Of a run that was played; nothing where it has no such metric.
std::optional<Quantity> quantity_of(const PointResult& point, const std::string& quantity);

/// Names of what a run has, for messages.
std::vector<std::string> quantities_of(const PointResult& point);

/// A run of which nothing is known but how long it takes, or that it takes so long at least.
PointResult run_of(const PointSpec& spec, const LoadedPoint& point, Seconds time);

enum class Follows { not_at_all, as_time, as_rate };
/// How a quantity of this point follows from the time of its run.
Follows follows(const PointSpec& spec, const LoadedPoint& point, const std::string& quantity);

/// No rank's run is shorter than this: what it computes, one step after another, with the noise that engines draw. 0 for
/// programs whose steps depend on what happens.
Seconds least_time(const LoadedPoint& point);

/// "20kW" for a quantity in W. Throws InputError where the unit is another.
double bound_in(const std::string& text, const std::string& unit, const std::string& quantity,
                const std::string& where);

/// "3.214 s", "80 %", "12.3".
std::string quantity_text(const Quantity& quantity, const std::string& name);

}  // namespace orrery::study
