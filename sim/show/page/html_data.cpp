#include "sim/show/page/html_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/show/charts/rounds_svg.hpp"
#include "sim/show/page/html_parts.hpp"
#include "sim/show/summary/binding.hpp"
#include "sim/show/summary/bottleneck.hpp"
#include "sim/show/summary/shown_points.hpp"
#include "sim/show/summary/summary.hpp"
#include "sim/show/tables/part_tables.hpp"

namespace orrery::show {

namespace {

using Json = nlohmann::ordered_json;

Json seconds_or_null(const std::optional<Seconds>& t) { return t ? Json(t->si()) : Json(nullptr); }

Json pairs(const Settings& settings) {
  Json all = Json::array();
  for (const auto& [key, value] : settings) all.push_back(Json::array({key, value}));
  return all;
}

Json metrics_json(const PointResult& point) {
  Json all = Json::array();
  for (const auto& metric : point.metrics)
    all.push_back(Json::array(
        {metric.name, metric.value, metric.unit, metric.published ? Json(*metric.published) : Json(nullptr)}));
  return all;
}

/// [time of, runs, median, [5 %, 95 %], the median's confidence]
Json repeats_json(const PointResult& point) {
  Json all = Json::array();
  if (point.repeats)
    for (const auto& time : point.repeats->times)
      all.push_back(
          Json::array({time.phase.empty() ? "whole run" : fmt::format("phase '{}'", time.phase), time.times.size(),
                       time.median.si(), Json::array({time.low.si(), time.high.si()}),
                       time.median_within ? Json::array({time.median_within->least.si(), time.median_within->most.si()})
                                          : Json(nullptr)}));
  return all;
}

Json predictions_json(const PointResult& point) {
  Json all = Json::array();
  for (const auto& prediction : point.predictions) {
    Json terms = Json::array();
    for (const auto& term : prediction.terms) terms.push_back(Json::array({term.text, term.cost.si(), term.repeat}));
    all.push_back({{"label", prediction.label()},
                   {"time_s", prediction.time.si()},
                   {"computation_s", prediction.computation.si()},
                   {"overlap_s", prediction.overlap.si()},
                   {"of_run", prediction.of_run},
                   {"fitted", prediction.fitted},
                   {"terms", std::move(terms)},
                   {"notes", prediction.notes}});
  }
  return all;
}

/// Per name of a phase: how often, how long, slowest iteration, traffic.
Json phases_json(const RunResult& run) {
  Json all = Json::array();
  std::map<std::string, std::size_t> rows;
  for (const auto& record : run.phases) {
    const auto [row, fresh] = rows.emplace(record.phase, all.size());
    if (fresh)
      all.push_back({{"name", record.phase},
                     {"iterations", 0},
                     {"time_s", 0.0},
                     {"longest_s", 0.0},
                     {"longest_iteration", 0},
                     {"messages", Json::array({0, 0})},
                     {"volume_B", Json::array({0.0, 0.0})}});
    Json& total = all[row->second];
    total["iterations"] = total["iterations"].get<std::uint64_t>() + 1;
    total["time_s"] = total["time_s"].get<double>() + record.time.si();
    if (record.time.si() > total["longest_s"].get<double>()) {
      total["longest_s"] = record.time.si();
      total["longest_iteration"] = record.iteration;
    }
    for (std::size_t c = 0; c < channel_kinds; ++c) {
      total["messages"][c] = total["messages"][c].get<std::uint64_t>() + record.traffic[c].messages;
      total["volume_B"][c] = total["volume_B"][c].get<double>() + record.traffic[c].bytes.si();
    }
  }
  return all;
}

constexpr std::size_t collectives_max = 200;  // rows of the table

Json shown_collectives(const RunResult& run) {
  Json all = Json::array();
  for (const auto& [r, least, most] : longest_collectives(run, collectives_max))
    all.push_back({{"operation", operation_name(r.operation)},
                   {"name", r.name},
                   {"algorithm", r.algorithm},
                   {"ranks", r.ranks},
                   {"size_B", r.bytes.si()},
                   {"least_B", least.si()},
                   {"most_B", most.si()},
                   {"calls", r.calls},
                   {"time_s", r.time.si()},
                   {"longest_s", r.time_max.si()},
                   {"late_s", r.late < 1e-9 * r.time ? 0.0 : r.late.si()},  // else rounding is shown as a time
                   {"messages", r.messages},
                   {"steps", r.steps},
                   {"bus_B_per_s", r.bus_bandwidth().si()}});
  return all;
}

Json job_times_json(const JobTimes& times) {
  return Json::array({times.count, times.median.si(), times.low.si(), times.high.si()});
}

/// The jobs of a run; of each the links that it shares, those first that hold it back longest.
Json jobs_json(const RunResult& run) {
  Json all = Json::array();
  for (const JobRecord& job : run.jobs) {
    Json links = Json::array();
    for (const JobLink& link : job.links)
      links.push_back(Json::array({link.name, link.bytes.si(), link.sharers, link.bound.si(), link.alone.si()}));
    all.push_back({{"name", job.name},
                   {"kernel", job.kernel},
                   {"first", index(job.first)},
                   {"ranks", job.ranks},
                   {"start_s", job.start.si()},
                   {"end_s", (job.start + job.time()).si()},
                   {"together", job_times_json(job.together)},
                   {"alone", job_times_json(job.alone)},
                   {"slowdown", job.slowdown()},
                   {"messages", job.sent.messages},
                   {"sent_B", job.sent.bytes.si()},
                   {"shared", job.shared},
                   {"links", std::move(links)}});
  }
  return all;
}

Json matrix_json(const PointResult& point) {
  Json cells = Json::array();
  for (std::size_t from = 0; from < point.traffic.size(); ++from)
    for (std::size_t to = 0; to < point.traffic[from].size(); ++to)
      if (const auto& traffic = point.traffic[from][to]; traffic.messages > 0)
        cells.insert(cells.end(), {Json(from), Json(to), Json(traffic.messages), Json(traffic.bytes.si())});
  return cells;
}

Json shown_partition(const Partition& partition) {
  Json rectangles = Json::array();
  for (const auto& r : partition.rectangles) rectangles.push_back(Json::array({r.x, r.y, r.width, r.height}));
  return {{"columns", partition.columns}, {"rows", partition.rows}, {"rectangles", std::move(rectangles)}};
}

RoundsPicture rounds_picture(const PointResult& point) {
  RoundsPicture picture{.title = "", .moving = true};
  for (std::uint32_t r = 0; r < point.layout.ranks(); ++r)
    picture.rank_names.push_back(
        fmt::format("rank {} on {}", r, point.node_names[index(point.layout.of(Rank{r}).node)]));
  return picture;
}

/// What one point may take of what the page keeps in all.
struct Share {
  std::size_t intervals, rank_bars;
};

void add_details(Json& json, const PointResult& point, const Share& share, const HtmlLimits& limits) {
  Json ranks = Json::array();
  for (const auto& placement : point.layout.placements)
    ranks.push_back(Json::array({index(placement.node), placement.cores, placement.gpu ? 1 : 0}));
  json["ranks"] = std::move(ranks);
  json["nodes"] = point.node_names;
  json["resources"] = resources_json(point.run, limits);
  json["kinds"] = kinds_json(point.run, limits);
  if (point.partition) json["partition"] = shown_partition(*point.partition);
  if (!point.rounds.empty()) json["rounds_svg"] = rounds_svg(point.rounds, rounds_picture(point));
  if (!point.traffic.empty()) {
    json["traffic"] = matrix_json(point);
    json["traffic_group"] = point.traffic_group;
  }
  if (!point.run.activity_shares.empty()) json["activity_shares"] = activity_shares_json(point.run, limits);
  if (!point.run.activity_times.empty() && point.run.makespan > Seconds{})
    json["rank_times"] = rank_times_json(point.run, point.layout.ranks(), share.rank_bars);
  if (!point.run.timelines.empty())
    json["gantt"] = gantt_json(point.run, gantt_window(point.run, share.intervals), limits.messages_max);
}

/// [name, iterations, shown_s, other_s, [iteration, shown_s, other_s] absolute, the same relative]
Json other_engine_json(const PointResult& point) {
  if (!point.other_engine) return nullptr;
  const auto pair = [](const PhasePair& p) { return Json::array({p.iteration, p.shown.si(), p.other.si()}); };
  Json phases = Json::array();
  for (const auto& phase : point.other_engine->phases)
    phases.push_back(Json::array({phase.phase, phase.records, phase.shown.si(), phase.other.si(),
                                  pair(phase.largest_absolute), pair(phase.largest_relative)}));
  return {{"engine", point.other_engine->engine},
          {"makespan_s", point.other_engine->makespan.si()},
          {"failure", point.other_engine->failure},
          {"phases", std::move(phases)}};
}

std::size_t nodes_used(const Layout& layout) {
  std::set<std::size_t> nodes;
  for (const auto& placement : layout.placements) nodes.insert(index(placement.node));
  return nodes.size();
}

/// One sentence of an answer as data, and in words.
Json answer_part_json(const AnswerPart& part) {
  const PathCause& first = part.causes.front();
  return {{"of", part.opening},   {"share", first.share}, {"cause", first.name},
          {"where", first.where}, {"text", part.text()},  {"text_of_it", part.text(" of it is ")}};
}

/// Of the run (of each of its jobs), then of the compared phase; the texts alone without a critical path.
Json answer_json(const PointResult& point) {
  const Answer answer = answer_of(point);
  Json parts = Json::array();
  for (const AnswerPart& part : answer.of_run) parts.push_back(answer_part_json(part));
  const std::string run = answer.of_run.empty() ? point.binding : answer.run_text();
  return {{"run", run},
          {"run_of_it", answer.of_run.size() == 1 ? answer.of_run.front().text(" of it is ") : run},
          {"phase", answer.phase_text()},
          {"parts", std::move(parts)}};
}

/// [name, if free, least, most] of each cause: shares of the run over the points of a group
Json causes_json(const BindingGroup& group) {
  Json all = Json::array();
  for (const CauseRange& cause : group.causes)
    all.push_back(Json::array({cause.name, cause.if_free, cause.least, cause.most}));
  return all;
}

Json answers_json(const ScenarioResult& result) {
  Json all = Json::array();
  for (const BindingGroup& group : binding_groups(result))
    all.push_back({{"points", group.points.size()},
                   {"said", group.said},
                   {"least_id", group.at_least->id},
                   {"most_id", group.at_most->id},
                   {"causes", causes_json(group)},
                   {"id", group.points.front()->id},
                   {"label", point_label(*group.points.front())},
                   {"answer", answer_json(*group.points.front())},
                   {"least", group.least},
                   {"most", group.most}});
  return all;
}

Json point_json(const PointResult& point) {
  return {
      {"id", point.id},
      {"label", point_label(point)},
      {"settings", pairs(point.settings)},
      {"kernel", point.kernel},
      {"platform", point.platform},
      {"network", point.network},
      {"layout", point.layout_name},
      {"phase", point.compared_phase},
      {"simulated_s", seconds_or_null(point.simulated)},
      {"measured_s", seconds_or_null(point.measured)},
      {"published_s", point.published_time_s ? Json(*point.published_time_s) : Json(nullptr)},
      {"published_spread_s",
       point.published_spread ? Json{point.published_spread->least_s, point.published_spread->most_s} : Json(nullptr)},
      {"predictions", predictions_json(point)},
      {"metrics", metrics_json(point)},
      {"repeats", repeats_json(point)},
      {"shown_seed", point.repeats ? Json(point.repeats->shown) : Json(nullptr)},
      {"answer", answer_json(point)},
      {"path", path_json(point)},
      {"failure", point.failure.text()},
      {"makespan_s", point.run.makespan.si()},
      {"rank_count", point.layout.ranks()},
      {"node_count", nodes_used(point.layout)},
      {"messages", point.run.messages},
      {"unexpected", point.run.unexpected_messages},
      {"phases", phases_json(point.run)},
      {"collectives", shown_collectives(point.run)},
      {"jobs", jobs_json(point.run)},
      {"other_engine", other_engine_json(point)}};
}

Json averages_json(const ScenarioResult& result) {
  Json all = Json::array();
  for (const auto& row : result.averages)
    all.push_back({{"settings", pairs(row.settings)},
                   {"label", row.mode.empty() ? row.model : row.model + " (" + row.mode + ")"},
                   {"points", row.points},
                   {"mu", row.mu},
                   {"least", row.mu_min},
                   {"most", row.mu_max},
                   {"published", row.published_mu ? Json(*row.published_mu) : Json(nullptr)}});
  return all;
}

std::size_t failed_points(const ScenarioResult& result) {
  return static_cast<std::size_t>(
      std::ranges::count_if(result.points, [](const PointResult& point) { return !point.failure.empty(); }));
}

}  // namespace

nlohmann::ordered_json html_data(const ScenarioResult& result, const HtmlLimits& limits) {
  const ShownPoints shown = shown_points(result, limits.points_max);
  const std::size_t detailed = std::min(limits.detailed_points_max, shown.numbers.size());
  const std::size_t divided = std::max<std::size_t>(1, detailed);
  const Share share{.intervals = std::max(limits.intervals_per_point_min, limits.intervals_max / divided),
                    .rank_bars = std::clamp<std::size_t>(limits.rank_bars_max / divided, 64, 1024)};
  Json models = Json::array(), points = Json::array();
  for (const auto& model : result.models)
    models.push_back({{"name", model.name},
                      {"summary", model.summary},
                      {"source", model.source},
                      {"assumptions", model.assumptions}});
  std::vector<const PointResult*> with_details;
  for (const std::size_t number : shown.numbers) {
    const PointResult& point = result.points[number];
    points.push_back(point_json(point));
    if (with_details.size() == detailed) continue;
    add_details(points.back(), point, share, limits);
    with_details.push_back(&point);
  }
  Json networks = networks_json(with_details, limits, points);
  return {{"name", result.name},
          {"title", result.title.empty() ? result.name : result.title},
          {"source", result.source},
          {"file", result.file},
          {"version", result.version},
          {"engine", result.engine},
          {"platform", result.platform_summary},
          {"compute", result.compute_description},
          {"communication", result.communication_description},
          {"wall_s", result.wall_s},
          {"engines", engine_sentence(result)},
          {"answers", answers_json(result)},
          {"models", std::move(models)},
          {"prediction_notes", prediction_notes(result)},
          {"notes", result.notes},
          {"broken", result.broken_tolerances},
          {"detailed", detailed},
          {"points_in_all", result.points.size()},
          {"failed_in_all", failed_points(result)},
          {"thinned", shown.thinned},
          {"networks", std::move(networks)},
          {"averages", averages_json(result)},
          {"points", std::move(points)}};
}

}  // namespace orrery::show
