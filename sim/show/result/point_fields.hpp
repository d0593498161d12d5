/// The fields of a point and of a scenario's result in result.json, like those of a run in sim/core/result_fields.hpp.
/// Private to json_write and json_read.
///
/// A point has more members than these: its settings as numbers, its traffic, and the loads of the network. They need
/// the other points, or are no fields (json_write.cpp, json_network.cpp).
#pragma once

#include <cmath>

#include "sim/core/result_fields.hpp"
#include "sim/show/result/json_kinds.hpp"

namespace orrery {

inline bool any(const Refusal& refusal) { return !refusal.empty(); }
inline bool any(const RunResult& run) { return !run.engine.empty(); }

template <class Codec, maybe_const<PhasePair> Record>
void fields(Codec& codec, Record& record) {
  auto& [iteration, shown, other] = record;
  codec("iteration", iteration)("shown_s", shown)("other_s", other);
}

template <class Codec, maybe_const<EngineDifference::OfPhase> Record>
void fields(Codec& codec, Record& record) {
  auto& [phase, records, shown, other, largest_absolute, largest_relative] = record;
  codec("phase", phase)("iterations", records)("shown_s", shown)("other_s", other);
  codec("largest_absolute", largest_absolute)("largest_relative", largest_relative);
}

template <class Codec, maybe_const<EngineDifference> Record>
void fields(Codec& codec, Record& record) {
  auto& [engine, shown_makespan, makespan, phases, failure, imbalance, wall_s] = record;
  codec("engine", engine)("shown_makespan_s", shown_makespan)("makespan_s", makespan);
  codec.derived("makespan_relative_difference",
                [&record] { return relative_error(record.makespan, record.shown_makespan); });
  codec("failure", failure).rows("phases", phases).if_any("imbalance_fractions", imbalance);
  codec.wall_clock("simulation_s", wall_s);
}

template <class Codec, maybe_const<TimeSpread> Record>
void fields(Codec& codec, Record& record) {
  auto& [least_s, most_s] = record;
  codec("least_s", least_s)("most_s", most_s);
}

template <class Codec, maybe_const<TimeRange> Record>
void fields(Codec& codec, Record& record) {
  auto& [least, most] = record;
  codec("least_s", least)("most_s", most);
}

template <class Codec, maybe_const<MeasuredTime> Record>
void fields(Codec& codec, Record& record) {
  auto& [phase, time] = record;
  codec("phase", phase)("time_s", time);
}

template <class Codec, maybe_const<RepeatedTime> Record>
void fields(Codec& codec, Record& record) {
  auto& [phase, times, median, low, high, median_within] = record;
  codec("phase", phase)("times_s", times)("median_s", median)("p5_s", low)("p95_s", high);
  codec.if_any("median_within_95_s", median_within);
}

template <class Codec, maybe_const<Repeats> Record>
void fields(Codec& codec, Record& record) {
  auto& [seeds, shown, times] = record;
  codec("seeds", seeds)("shown_seed", shown)("times", times);
}

template <class Codec, maybe_const<Metric> Record>
void fields(Codec& codec, Record& record) {
  auto& [name, value, unit, published] = record;
  codec("name", name)("value", value)("unit", unit).if_any("published", published);
}

template <class Codec, maybe_const<Placement> Record>
void fields(Codec& codec, Record& record) {
  auto& [node, host, node_type, cores, gpu, socket_of_node, local_work] = record;
  codec("node", node)("host", host)("node_type", node_type)("cores", cores)("gpu", gpu);
  codec("socket_of_node", socket_of_node).inside(local_work);
}

template <class Codec, maybe_const<Layout> Record>
void fields(Codec& codec, Record& record) {
  auto& [name, placements, gpus, gpus_missing] = record;
  codec("name", name).table("ranks", placements).inside(gpus).inside(gpus_missing);
}

template <class Codec, maybe_const<Rectangle> Record>
void fields(Codec& codec, Record& record) {
  auto& [x, y, width, height] = record;
  codec("x", x)("y", y)("width", width)("height", height);
}

template <class Codec, maybe_const<Partition> Record>
void fields(Codec& codec, Record& record) {
  auto& [columns, rows, rectangles] = record;
  codec("columns_blocks", columns)("rows_blocks", rows).table("ranks", rectangles);
}

template <class Codec, maybe_const<ShareSize> Record>
void fields(Codec& codec, Record& record) {
  auto& [columns, rows] = record;
  codec("columns", columns)("rows", rows);
}

template <class Codec, maybe_const<SpeedPoint> Record>
void fields(Codec& codec, Record& record) {
  auto& [size, speed] = record;
  codec("size", size)("speed", speed);
}

template <class Codec, maybe_const<PartitionRound> Record>
void fields(Codec& codec, Record& record) {
  auto& [shares, run, cut_off, known, predicted, imbalance, outer, columns] = record;
  auto& [times, cost] = run;
  codec("shares_blocks", shares)("times_s", times)("cost_s", cost)("predicted_s", predicted);
  codec("imbalance", imbalance)("outer", outer);
  if (codec.has("columns", columns > 1)) codec("columns", columns);
  if (codec.has("cut_off_s", std::isfinite(cut_off.si()))) codec("cut_off_s", cut_off);
  codec("known", known);
}

template <class Codec, maybe_const<NetworkOutline::SwitchGroup> Record>
void fields(Codec& codec, Record& record) {
  auto& [label, words, switches, level] = record;
  codec("label", label)("words", words)("switches", switches)("level", level);
}

template <class Codec, maybe_const<NetworkOutline::Cables> Record>
void fields(Codec& codec, Record& record) {
  auto& [from, to, count, bandwidth] = record;
  codec("from", from)("to", to)("count", count)("bandwidth_B_per_s", bandwidth);
}

template <class Codec, maybe_const<NetworkOutline::Cell> Record>
void fields(Codec& codec, Record& record) {
  auto& [place, first, last, count, type, adapters] = record;
  codec("place", place)("first", first)("last", last)("count", count)("type", type)("adapters", adapters);
}

template <class Codec, maybe_const<NetworkOutline::NodeKind> Record>
void fields(Codec& codec, Record& record) {
  auto& [name, words, count] = record;
  codec("name", name)("words", words)("count", count);
}

template <class Codec, maybe_const<NetworkOutline> Record>
void fields(Codec& codec, Record& record) {
  auto& [title, words, form, levels, dimensions, nic, rails, nodes, switches, places, cables, cells, kinds] = record;
  codec("title", title)("words", words)("form", form)("levels", levels)("dimensions", dimensions)("nic_B_per_s", nic);
  codec("rails", rails)("nodes", nodes)("switches", switches)("places", places)("cables", cables)("cells", cells);
  codec("kinds", kinds);
}

template <class Codec, maybe_const<PointResult> Record>
void fields(Codec& codec, Record& record) {
  auto& [id, settings, asked, kernel, platform, network, layout_name, compared_phase, simulated, measured,
         measured_times, published_time_s, published_spread, predictions, other_engine, run, repeats, metrics, layout,
         node_names, partition, rounds, traffic, traffic_group, network_outline, network_loads, binding, bound_by,
         failure] = record;
  codec("id", id)("settings", settings)("kernel", kernel)("platform", platform)("network", network);
  codec("layout_name", layout_name)("compared_phase", compared_phase).if_any("simulated_s", simulated);
  codec.if_any("repeats", repeats).if_any("measured_s", measured).if_any("measured_times", measured_times);
  codec.if_any("published_s", published_time_s).if_any("published_spread_s", published_spread);
  codec("predictions", predictions).if_any("metrics", metrics);
  codec("binding", binding).if_any("bound_by", bound_by).if_any("failure", failure);
  codec.if_any("asked", asked)("layout", layout)("node_names", node_names)
      .if_any("partition", partition)
      .if_any("rounds", rounds);
  codec.if_any("other_engine", other_engine).if_any("run", run);
  codec.inside(traffic).inside(traffic_group).inside(network_outline).inside(network_loads);
}

template <class Codec, maybe_const<AverageRow> Record>
void fields(Codec& codec, Record& record) {
  auto& [settings, model, mode, points, mu, mu_min, mu_max, published_mu] = record;
  codec("settings", settings)("model", model)("mode", mode)("points", points)("mu", mu)("mu_min", mu_min);
  codec("mu_max", mu_max).if_any("published_mu", published_mu);
}

/// The bound and the worst value found, with the names for their kind.
template <class Codec, maybe_const<ToleranceCheck> Record>
void fields(Codec& codec, Record& record) {
  auto& [where, of, against, model, mode, metric, conditions, bound, compared, worst, worst_at, median, broken] =
      record;
  auto& [is_mu, value, least, most_median] = bound;
  codec("where", where)("of", of)("against", against)("conditions", conditions).flag("mu_max", is_mu);
  codec(is_mu ? "mu_max" : "relative_error_max", value)("compared", compared)("broken", broken);
  codec.if_any(is_mu ? "mu_min" : "relative_error_min", least).if_any("median_max", most_median);
  codec.if_any("model", model).if_any("mode", mode).if_any("metric", metric);
  if (compared > 0) codec(is_mu ? "mu" : "relative_error", worst)("at", worst_at).later("median", median);
}

template <class Codec, maybe_const<PrintedValue> Record>
void fields(Codec& codec, Record& record) {
  auto& [what, at, ours, published, unit, bound, why] = record;
  codec("what", what)("at", at)("ours", ours)("published", published)("unit", unit);
  codec.if_any("bound", bound).if_any("why", why);
}

template <class Codec, maybe_const<ModelDescription> Record>
void fields(Codec& codec, Record& record) {
  auto& [name, summary, source, assumptions] = record;
  codec("name", name)("summary", summary)("source", source)("assumptions", assumptions);
}

/// `codec.points` handles the points and the networks that they share.
template <class Codec, maybe_const<ScenarioResult> Record>
void fields(Codec& codec, Record& record) {
  auto& [name, title, source, file, version, engine, platform_summary, compute_description, communication_description,
         models, points, averages, notes, printed, tolerances, broken_tolerances, wall_s] = record;
  codec("orrery", version)("engine", engine)("name", name)("title", title)("source", source)("file", file);
  codec("platform_summary", platform_summary)("compute_description", compute_description);
  codec("communication_description", communication_description)("models", models);
  codec.points(points);
  codec("averages", averages).later("printed", printed).later("tolerances", tolerances)("notes", notes);
  codec("broken_tolerances", broken_tolerances);
  codec.wall_clock("total_s", wall_s);
}

}  // namespace orrery

namespace orrery::show {

template <>
inline constexpr bool always_a_row<TimeSpread> = true;
template <>
inline constexpr bool always_a_row<TimeRange> = true;
template <>
inline constexpr bool always_a_row<ShareSize> = true;
template <>
inline constexpr bool always_a_row<SpeedPoint> = true;
template <>
inline constexpr bool always_a_row<NetworkOutline::SwitchGroup> = true;
template <>
inline constexpr bool always_a_row<NetworkOutline::Cables> = true;
template <>
inline constexpr bool always_a_row<NetworkOutline::Cell> = true;
template <>
inline constexpr bool always_a_row<NetworkOutline::NodeKind> = true;

}  // namespace orrery::show
