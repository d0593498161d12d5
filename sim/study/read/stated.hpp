/// Statements of a scenario about its points: published values, and tolerances that a run must meet.
///
///   published: [{model: taulop, network: infiniband, kernel.blocks: 128, mu: 1.16}]           an average of a paper
///              [{model: measured, kernel.order: 50000, time: 6.5s, spread: [6.1s, 6.7s]}]     a mean of real runs
///              [{metric: rounds, partition.algorithm: dfpa-1d, value: 4, why: "..."}]         a run's metric; why none
///                                                                                             holds it
///   tolerance: [{of: prediction, model: taulop, mode: timeline, mu: 1.5}]                     against simulated
///              [{of: simulated, against: published, within: 5%}]
///              [{of: average, model: hloggp, against: published, within: 20%}]
///              [{of: makespan, against: reference, kernel.blocks: 128, time: 85.13ms, within: 0.3%}]
///              [{of: metric, metric: speed-up, against: published, within: 20%, median: 5%}]
///              [{of: metric, metric: rounds, against: published, between: [-55%, 0%], why: "..."}]
///
///   of           prediction   time of a model, for each of its modes or the one named
///                average      mu of a model averaged over the axis `average-over`
///                simulated    time of the compared phase       makespan   time of the whole run
///                metric       a parameter of the run by its name, as in `published`
///   against      simulated    (the default of a prediction and of an average)
///                published    the time, or the average, that `published` states
///                reference    what Orrery itself said when the file was written, stated here as `time` (`mu` of an
///                             average, `value` of a metric that is no time): it holds a number in place and says
///                             nothing of whether it is right. It is that of the file as it stands: --set of anything
///                             but the engine leaves it out.
///   mu: 1.5      max/min of both at most that (of an average against simulated: the average itself)
///   within: 5%   |a - b| / b at most that
///   between: [-5%, 2%]   (a - b) / b in that window: a difference that is known is held from both sides
///   median: 2%   the median of |a - b| / b over all that is compared, besides: one far point is not many
///   why: "..."   the cause of the difference (docs/papers.md lists it)
///
/// `mode` and options of the model (`overhead: per-slice`) select one of its variants; a published value without them
/// belongs to the model's default.
///
/// Every other key is a condition: a setting of the point and its value, or a list of alternatives.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/reader.hpp"
#include "sim/core/scenario_result.hpp"
#include "sim/study/read/model_spec.hpp"

namespace orrery {

/// The points or averages that a statement applies to.
struct Condition {
  PointConditions where_equal;  ///< path -> alternative values ("network" -> {"infiniband"})
  std::string model;
  std::string mode;   ///< a variant of the model (models/variant.hpp); empty in a tolerance: every listed one
  std::string why;    ///< the cause of the difference
  std::string where;  ///< for messages
};

/// The two ends of a signed range of relative differences.
struct ShareWindow {
  double least = 0.0, most = 0.0;
};

struct Published : Condition {
  std::optional<double> mu, time_s, value;
  std::string metric;                ///< "rounds": a metric of the point; then no model is named
  std::optional<TimeSpread> spread;  ///< of the runs whose mean is time_s
};

struct Tolerance : Condition {
  ToleranceOf of = ToleranceOf::prediction;
  ToleranceAgainst against = ToleranceAgainst::simulated;
  ToleranceBound bound;
  std::optional<double> reference;  ///< s, or mu of an average, or a metric in its unit
  std::string metric;               ///< of a metric
};

/// `own`: names of models that are the scenario's own predictions; all others are of the catalogue.
Published read_published(const config::Value& value, const std::vector<std::string>& own = {});
Tolerance read_tolerance(const config::Value& value, const std::vector<std::string>& own = {});

}  // namespace orrery
