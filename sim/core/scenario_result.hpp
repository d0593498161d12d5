/// The result of a scenario: for each point of its sweep the predicted, simulated, measured and published times.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/layout.hpp"
#include "sim/core/metric.hpp"
#include "sim/core/network_outline.hpp"
#include "sim/core/partition.hpp"
#include "sim/core/partition_rounds.hpp"
#include "sim/core/refusal.hpp"
#include "sim/core/repeated.hpp"
#include "sim/core/replay_result.hpp"
#include "sim/core/words.hpp"

namespace orrery {

/// rho = |e - r| / r and mu = max(r, e) / min(r, e) (Rico-Gallego et al. 2016, section 5.5).
/// Two equal times agree, also when both are 0.
inline double relative_error(Seconds estimated, Seconds real) {
  return estimated == real ? 0.0 : std::abs((estimated - real) / real);
}
inline double proportional_error(Seconds estimated, Seconds real) {
  return estimated == real ? 1.0 : std::max(estimated, real) / std::min(estimated, real);
}

using Settings = std::vector<std::pair<std::string, std::string>>;  ///< {"kernel.blocks", "256"}, in sweep order

/// One term of a prediction as text, with its cost; `repeat` iterations share it.
struct PredictionTerm {
  std::string text;
  Seconds cost;
  std::uint64_t repeat = 1;
};

struct Prediction {
  std::string model;                    ///< "taulop"
  std::string mode;                     ///< and options: "timeline", "timeline overhead=per-slice" or empty
  Seconds time;                         ///< all iterations of the compared phase, or the whole run
  Seconds computation = {};             ///< the part of `time` that is computation, where the model has it
  Seconds overlap = {};                 ///< in which both overlap: time = communication + computation - overlap
  bool fitted = false;                  ///< to this run: `time` shows how well the curve fits, and is no prediction
  bool of_run = false;                  ///< `time` is compared with the makespan, not with the compared phase
  std::vector<PredictionTerm> terms;    ///< the most expensive ones, for the report
  std::vector<std::string> notes = {};  ///< reservations: sizes outside a calibration
  double wall_s = 0.0;                  ///< time the model itself took (not reproducible)

  std::string label() const { return mode.empty() ? model : model + " (" + mode + ")"; }
};

/// One phase of one iteration in two engines.
struct PhasePair {
  std::uint32_t iteration = 0;
  Seconds shown, other;

  Seconds absolute() const { return other < shown ? shown - other : other - shown; }
  double relative() const { return relative_error(other, shown); }
};

/// Difference between the run of a second engine and the one that is shown (`--engine both`).
struct EngineDifference {
  struct OfPhase {
    std::string phase;
    std::uint64_t records = 0;  ///< iterations of it
    Seconds shown, other;       ///< their sums
    PhasePair largest_absolute, largest_relative;
  };
  std::string engine;  ///< the other one, as it describes itself
  Seconds shown_makespan, makespan;
  std::vector<OfPhase> phases;  ///< in order of their first start
  std::string failure;          ///< why the other engine could not finish, or how its program differed
  Imbalance imbalance;          ///< of the other engine
  double wall_s = 0.0;          ///< of the other engine (not reproducible)
};

/// Least and largest of several measured times.
struct TimeSpread {
  double least_s = 0.0, most_s = 0.0;
};

/// A measured time of a point: of a phase, or of its whole run.
struct MeasuredTime {
  std::string phase;  ///< empty: the whole run
  Seconds time;
};

/// One point of the sweep. Times are the sum over iterations of the compared phase.
struct PointResult {
  std::string id;     ///< hash of everything that determines the point
  Settings settings;  ///< what distinguishes it within the scenario
  Settings asked;     ///< parameters of its kernel and partition as written; above 200 points, only for the first one
  std::string kernel, platform, network, layout_name;
  std::string compared_phase;
  std::optional<Seconds> simulated, measured;
  std::vector<MeasuredTime> measured_times;  ///< all of them, if more than the compared phase was measured
  std::optional<double> published_time_s;
  std::optional<TimeSpread> published_spread;  ///< of the runs that the published time is a mean of
  std::vector<Prediction> predictions;
  std::optional<EngineDifference> other_engine;  ///< with `--engine both`
  RunResult run;                                 ///< empty (no phases) when the point failed or nothing was simulated
  std::optional<Repeats> repeats;                ///< `simulated` is then their median, `run` the median run
  std::vector<Metric> metrics;                   ///< as the kernel itself would print them
  Layout layout;
  std::vector<std::string> node_names;  ///< [nodes of the platform that the layout uses], "xeon12-0"
  std::optional<Partition> partition;
  std::vector<PartitionRound> rounds;         ///< of a partitioner that measured, for the picture of its rounds
  std::vector<std::vector<Traffic>> traffic;  ///< [groups x groups] from, to; ranks in a group, which are consecutive:
  std::uint32_t traffic_group = 1;            ///< 1 up to 128 ranks, then as few as make at most 128 groups
  std::shared_ptr<const NetworkOutline> network_outline;  ///< shared by the points on one network
  std::vector<NetworkLoads> network_loads;                ///< of the whole run, then by phase
  std::string binding;  ///< one sentence: what limits the run ("memory of node xeon12-3 busy 93 %")
  std::string bound_by;  ///< kind of the limiting resource: points with the same one are reported together
  Refusal failure;       ///< why the point could not finish
};

/// The simulated time that a prediction is compared with: the compared phase, or the whole run.
inline std::optional<Seconds> simulated_time(const PointResult& point, const Prediction& prediction) {
  return prediction.of_run && point.simulated ? point.run.makespan : point.simulated;
}

/// The median if the point was repeated. Empty if its run has no such phase; an empty name: the whole run.
inline std::optional<Seconds> time_of(const PointResult& point, const std::string& phase) {
  if (point.run.phases.empty()) return std::nullopt;
  if (point.repeats)
    if (const RepeatedTime* time = point.repeats->of_phase(phase)) return time->median;
  if (phase.empty()) return point.run.makespan;
  const bool has = std::ranges::any_of(point.run.phases, [&](const auto& record) { return record.phase == phase; });
  return has ? std::optional(point.run.phase_time(phase)) : std::nullopt;
}

/// Average of mu over the points that agree on `settings`, and the published average.
struct AverageRow {
  Settings settings;  ///< e.g. {"kernel", "summa"}, {"network", "infiniband"}, {"kernel.blocks", "128"}
  std::string model, mode;
  std::size_t points = 0;
  double mu = 0.0, mu_min = 0.0, mu_max = 0.0;
  std::optional<double> published_mu;
};

/// The value that a tolerance is for, and the reference (sim/study/read/stated.hpp explains each).
enum class ToleranceOf : std::uint8_t { prediction, average, simulated, makespan, metric };
enum class ToleranceAgainst : std::uint8_t { simulated, published, reference };
inline constexpr Word<ToleranceOf> tolerance_of_words[] = {{"prediction", ToleranceOf::prediction},
                                                           {"average", ToleranceOf::average},
                                                           {"simulated", ToleranceOf::simulated},
                                                           {"makespan", ToleranceOf::makespan},
                                                           {"metric", ToleranceOf::metric}};
inline constexpr Word<ToleranceAgainst> tolerance_against_words[] = {{"simulated", ToleranceAgainst::simulated},
                                                                     {"published", ToleranceAgainst::published},
                                                                     {"reference", ToleranceAgainst::reference}};

struct ToleranceBound {
  bool is_mu = false;  ///< at most this mu; else at most this relative error
  double value = 0.0;
  std::optional<double> least = {};   ///< for `between`: the signed difference over the second is in least .. value
  std::optional<double> median = {};  ///< also at most this median of the relative errors
};

/// One tolerance of the scenario and how close the run came to its bound.
struct ToleranceCheck {
  std::string where;  ///< "scenarios/hpl-small.yaml:16:5"
  ToleranceOf of{};
  ToleranceAgainst against{};
  std::string model, mode;  ///< of a prediction or average; an empty mode matches every mode
  std::string metric;       ///< of a metric
  Settings conditions;      ///< settings of the points that it covers
  ToleranceBound bound;
  std::size_t compared = 0;  ///< points or averages
  double worst = 0.0;        ///< mu or relative error, like the bound; 0 if none was compared
  std::string worst_at;      ///< the point or average with the worst value
  double median = 0.0;       ///< of the relative errors; 0 if none was compared
  bool broken = false;
};

/// A number that a paper prints, and the value found here.
struct PrintedValue {
  std::string what;  ///< "rounds", "average mu of taulop (timeline)"
  std::string at;    ///< the point or average; empty if there is only one
  double ours = 0.0, published = 0.0;
  std::string unit;   ///< "s", "%" of a share; empty: a number
  std::string bound;  ///< the tolerance, "within 10 %"; empty: none
  std::string why;    ///< the cause of the difference, as given in the scenario

  double error() const { return ours == published ? 0.0 : (ours - published) / published; }
};

/// A model as the report introduces it.
struct ModelDescription {
  std::string name, summary, source;
  std::vector<std::string> assumptions;
};

struct ScenarioResult {
  std::string name, title, source, file;
  std::string version;  ///< of orrery
  std::string engine;
  std::string platform_summary, compute_description, communication_description;
  std::vector<ModelDescription> models;
  std::vector<PointResult> points;
  std::vector<AverageRow> averages;
  std::vector<std::string> notes;     ///< warnings and assumptions of this run
  std::vector<PrintedValue> printed;  ///< every published value with a value of ours to compare
  std::vector<ToleranceCheck> tolerances;
  std::vector<std::string> broken_tolerances;  ///< one sentence for each point outside a tolerance
  double wall_s = 0.0;                         ///< not reproducible
};

}  // namespace orrery
