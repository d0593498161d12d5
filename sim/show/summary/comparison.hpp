/// Comparison of two results: the pairs of points, their times in both, and what limits them.
///
///   difference = B - A      ratio = B / A      over points: the geometric mean of the ratios, exp(mean(ln(B / A)))
///
/// Points form a pair if they agree on every axis that both results sweep. "1KiB" and "1024B" agree. An axis that has
/// one value in each result, and these differ, is the difference; it does not separate points. If only one result has
/// an axis, each of its points is compared with the same point of the other result. The comparison reports all of this,
/// and points without a partner and pairs whose times are of different things (another kernel, another compared phase).
///
/// A Comparison points into both results, which must outlive it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

/// One side with its user-visible name: "out/full", "with network=ethernet".
struct ComparedSide {
  std::string name;
  const ScenarioResult* result = nullptr;
};

/// One time in both: of the whole run, of a job, of a phase, or a model's prediction.
struct ComparedTime {
  enum class Of : unsigned char { run, job, phase, model };
  Of of{};
  std::string name;  ///< of the job, phase or model; empty: the whole run
  std::optional<Seconds> a, b;
  std::string binds_a, binds_b;  ///< "incoming NICs 61 %", of its critical path; empty without one

  std::optional<Seconds> difference() const;
  std::optional<double> ratio() const;
};

/// One metric in both: printed by the program, energy, power, cost, ...
struct ComparedMetric {
  std::string name, unit;
  std::optional<double> a, b;  ///< in `unit`

  std::optional<double> ratio() const;
};

struct ComparedPoint {
  Settings settings;                             ///< of both, in the order of A's sweep
  const PointResult *a = nullptr, *b = nullptr;  ///< null: no such point in that result
  std::vector<ComparedTime> times;  ///< run, jobs, phases by their first start, models; empty without a partner
  std::vector<ComparedMetric> metrics = {};  ///< in A's order, then those only in B; empty without a partner

  bool paired() const { return a != nullptr && b != nullptr; }
};

struct Comparison {
  ComparedSide a, b;
  std::vector<ComparedPoint> points;     ///< pairs in A's order, then points only in A, then points only in B
  std::vector<std::string> differences;  ///< changed settings: "network: infiniband / ethernet"
  std::vector<std::string> notes;        ///< reasons why numbers are not comparable, then notes of the two runs

  std::size_t pairs() const;
};

Comparison compare(const ComparedSide& a, const ComparedSide& b);

/// "B takes 1.32 times as long as A: 12.1 ms instead of 9.17 ms." Over several points with mean, least and most.
std::string comparison_sentence(const Comparison& comparison);

/// The title of a side, without the changes that are part of its name.
std::string title_of(const ComparedSide& side);

/// "run", "phase 'panel'", "taulop (timeline)".
std::string words_of(const ComparedTime& time);

std::string comparison_table(const Comparison& comparison, std::size_t width, bool color);
std::string comparison_csv(const Comparison& comparison);
std::string comparison_json(const Comparison& comparison);
/// A self-contained page without scripts; all its bars have one scale.
std::string comparison_html(const Comparison& comparison);

}  // namespace orrery::show
