#include <nlohmann/json.hpp>

#include "sim/show/result/json.hpp"
#include "sim/show/result/json_bounds.hpp"
#include "sim/show/result/json_network.hpp"
#include "sim/show/result/json_path.hpp"
#include "sim/show/result/json_rounds.hpp"
#include "sim/show/result/json_timelines.hpp"
#include "sim/show/summary/numeric_settings.hpp"

namespace orrery::report {

namespace {

using Json = nlohmann::ordered_json;

Json settings_json(const Settings& settings) {
  Json all = Json::array();
  for (const auto& [key, value] : settings) all.push_back({key, value});
  return all;
}

/// Those with a unit as numbers: {"kernel.message_B": 8192}.
Json quantities_json(const Settings& settings, const std::vector<NumericSetting>& numeric) {
  Json all = Json::object();
  for (const auto& setting : numeric)
    if (const auto si = quantity_of(setting_of(settings, setting.key))) all[setting.column] = *si;
  return all;
}

Json prediction_json(const Prediction& prediction, const PointResult& point, const JsonOptions& options) {
  Json json{{"model", prediction.model}, {"mode", prediction.mode}, {"predicted_s", prediction.time.si()}};
  json["predicts"] = prediction.of_run ? "run" : "phase";
  json["fitted"] = prediction.fitted;
  json["computation_s"] = prediction.computation.si();
  json["overlap_s"] = prediction.overlap.si();
  const auto compare = [&](const char* real_name, const std::optional<Seconds>& real) {
    if (!real) return;
    json["against_" + std::string(real_name)] = {{"relative_error", relative_error(prediction.time, *real)},
                                                 {"mu", proportional_error(prediction.time, *real)}};
  };
  compare("simulated", simulated_time(point, prediction));
  if (!prediction.of_run) compare("measured", point.measured);
  json["terms"] = Json::array();
  for (const auto& term : prediction.terms)
    json["terms"].push_back({{"text", term.text}, {"cost_s", term.cost.si()}, {"repeat", term.repeat}});
  json["notes"] = prediction.notes;
  if (options.wall_clock) json["wall_clock"] = {{"model_s", prediction.wall_s}};
  return json;
}

Json phase_row(const PhaseRecord& record) {
  const bool together = record.iteration == iterations_together;
  Json row{record.phase,      together ? Json(nullptr) : Json(record.iteration),
           record.time.si(),  together ? Json(nullptr) : Json(index(record.slowest)),
           record.begin.si(), record.end.si()};
  for (const auto& traffic : record.traffic) row.push_back(traffic.messages), row.push_back(traffic.bytes.si());
  return row;
}

/// Records as rows under named columns: a tenth of the size of objects, and a spreadsheet reads it. A row without an
/// iteration sums up those that were left out.
Json phases_json(const RunResult& run, const JsonOptions& options) {
  const std::size_t shown = kept(run.phases.size(), phases_max, options);
  Json rows = Json::array();
  for (std::size_t i = 0; i < shown; ++i) rows.push_back(phase_row(run.phases[i]));
  for (const auto& sum : phase_sums(run.phases, shown)) rows.push_back(phase_row(sum));
  Json json{{"columns",
             {"phase", "iteration", "time_s", "slowest_rank", "begin_s", "end_s", "shared_memory_messages",
              "shared_memory_B", "network_messages", "network_B"}}};
  if (shown < run.phases.size()) json["rows_left_out"] = run.phases.size() - shown;
  json["rows"] = std::move(rows);
  return json;
}

/// `bus_B_per_s` follows from the others and is for readers without the formula.
Json collectives_json(const RunResult& run) {
  Json rows = Json::array();
  for (const auto& r : run.collectives)
    rows.push_back({operation_name(r.operation), r.algorithm, r.ranks, r.bytes.si(), r.calls, r.time.si(),
                    r.time_max.si(), r.messages, r.steps, r.bus_bandwidth().si(), r.name, r.late.si()});
  return {{"columns",
           {"operation", "algorithm", "ranks", "size_B", "calls", "time_s", "longest_s", "messages", "steps",
            "bus_B_per_s", "name", "late_s"}},
          {"rows", std::move(rows)}};
}

Json resources_json(const RunResult& run, const JsonOptions& options) {
  const auto shown = shown_resources(run, options);
  Json all = Json::array();
  for (std::size_t i = 0; i < run.resources.size(); ++i) {
    if (!shown[i]) continue;
    const ResourceRecord& resource = run.resources[i];
    all.push_back({{"name", resource.name},
                   {"kind", resource_kind_name(resource.kind)},
                   {"capacity_B_per_s", resource.capacity.si()},
                   {"carried_B", resource.bytes.si()},
                   {"busy_s", resource.busy.si()},
                   {"load_fraction", resource.load}});
  }
  return all;
}

Json kind_loads_json(const RunResult& run) {
  Json all = Json::array();
  for (const auto& of_kind : run.kind_loads)
    all.push_back({{"kind", resource_kind_name(of_kind.kind)},
                   {"resources", of_kind.resources},
                   {"capacity_B_per_s", of_kind.capacity.si()},
                   {"carried_B", of_kind.bytes.si()},
                   {"load_fraction", of_kind.load}});
  return all;
}

Json activity_times_json(const RunResult& run) {
  Json json{{"ranks_per_group", run.activity_group}};
  for (std::size_t a = 0; a < run.activity_times.size(); ++a) {
    Json& groups = json[std::string(activity_name(static_cast<Activity>(a))) + "_s"] = Json::array();
    for (const Seconds time : run.activity_times[a]) groups.push_back(time.si());
  }
  return json;
}

Json imbalance_json(const Imbalance& found) {
  return {{"allowed", found.allowed}, {"greatest", found.greatest}, {"mean", found.mean}, {"samples", found.samples}};
}

Json fan_in_json(const FanIn& most) {
  return {{"port", most.port},
          {"senders", most.senders},
          {"arriving_B", most.bytes.si()},
          {"buffer_B", most.buffer.si()},
          {"at_s", most.at.si()}};
}

Json run_json(const RunResult& run, const JsonOptions& options) {
  Json json{{"engine", run.engine},
            {"makespan_s", run.makespan.si()},
            {"messages", run.messages},
            {"unexpected_messages", run.unexpected_messages},
            {"timelines_cut", run.timelines_cut},
            {"phases", phases_json(run, options)},
            {"resources", resources_json(run, options)}};
  if (!run.collectives.empty()) json["collectives"] = collectives_json(run);
  if (!run.kind_loads.empty()) json["kind_loads"] = kind_loads_json(run);
  for (std::size_t a = 0; a < run.activity_shares.size(); ++a)
    json["activity_fractions"][activity_name(static_cast<Activity>(a))] = run.activity_shares[a];
  if (!run.activity_times.empty()) json["activity_times"] = activity_times_json(run);
  if (run.critical_path.kept) json["critical_path"] = critical_path_json(run.critical_path);
  if (run.imbalance.allowed > 0.0) json["imbalance_fractions"] = imbalance_json(run.imbalance);
  if (!run.fan_in.port.empty()) json["fan_in"] = fan_in_json(run.fan_in);
  if (options.timelines) add_timelines(run, json);
  if (options.wall_clock) json["wall_clock"] = {{"simulation_s", run.wall_s}};
  return json;
}

Json layout_json(const PointResult& point, const JsonOptions& options) {
  Json rows = Json::array();
  if (!lists_ranks(point.layout.ranks(), options))
    return {{"name", point.layout.name}, {"ranks_left_out", point.layout.ranks()}, {"ranks", std::move(rows)}};
  for (const auto& placement : point.layout.placements)
    rows.push_back({index(placement.node), index(placement.host), placement.node_type, placement.cores, placement.gpu,
                    placement.socket_of_node});
  return {{"name", point.layout.name},
          {"columns", {"node", "host", "node_type", "cores", "gpu", "socket_of_node"}},
          {"ranks", std::move(rows)}};
}

Json traffic_json(const PointResult& point) {
  Json rows = Json::array();
  for (std::size_t from = 0; from < point.traffic.size(); ++from)
    for (std::size_t to = 0; to < point.traffic[from].size(); ++to)
      if (const auto& traffic = point.traffic[from][to]; traffic.messages > 0)
        rows.push_back({from, to, traffic.messages, traffic.bytes.si()});
  Json json = {{"groups", point.traffic.size()},
               {"ranks_per_group", point.traffic_group},
               {"columns", {"from", "to", "messages", "volume_B"}}};
  json["rows"] = std::move(rows);
  return json;
}

Json partition_json(const Partition& partition) {
  Json rows = Json::array();
  for (const auto& r : partition.rectangles) rows.push_back({r.x, r.y, r.width, r.height});
  return {{"columns_blocks", partition.columns},
          {"rows_blocks", partition.rows},
          {"columns", {"x", "y", "width", "height"}},
          {"ranks", std::move(rows)}};
}

Json pair_json(const PhasePair& pair) { return {pair.iteration, pair.shown.si(), pair.other.si()}; }

/// The engine that is not shown; a pair is [iteration, shown_s, other_s].
Json other_engine_json(const EngineDifference& difference, const JsonOptions& options) {
  Json rows = Json::array();
  for (const auto& phase : difference.phases)
    rows.push_back({phase.phase, phase.records, phase.shown.si(), phase.other.si(), pair_json(phase.largest_absolute),
                    pair_json(phase.largest_relative)});
  Json json{{"engine", difference.engine},
            {"shown_makespan_s", difference.shown_makespan.si()},
            {"makespan_s", difference.makespan.si()},
            {"makespan_relative_difference", relative_error(difference.makespan, difference.shown_makespan)},
            {"failure", difference.failure},
            {"phases",
             {{"columns", {"phase", "iterations", "shown_s", "other_s", "largest_absolute", "largest_relative"}},
              {"rows", std::move(rows)}}}};
  if (difference.imbalance.allowed > 0.0) json["imbalance_fractions"] = imbalance_json(difference.imbalance);
  if (options.wall_clock) json["wall_clock"] = {{"simulation_s", difference.wall_s}};
  return json;
}

Json repeats_json(const Repeats& repeats) {
  Json times = Json::array();
  for (const auto& time : repeats.times) {
    Json json{{"phase", time.phase},
              {"times_s", Json::array()},
              {"median_s", time.median.si()},
              {"p5_s", time.low.si()},
              {"p95_s", time.high.si()}};
    for (const Seconds one : time.times) json["times_s"].push_back(one.si());
    if (const auto& within = time.median_within) json["median_within_95_s"] = {within->least.si(), within->most.si()};
    times.push_back(std::move(json));
  }
  return {{"seeds", repeats.seeds}, {"shown_seed", repeats.shown}, {"times", std::move(times)}};
}

Json point_json(const PointResult& point, const std::vector<NumericSetting>& numeric,
                const std::vector<SharedOutline>& outlines, const JsonOptions& options) {
  Json json{{"id", point.id},
            {"settings", settings_json(point.settings)},
            {"quantities", quantities_json(point.settings, numeric)},
            {"kernel", point.kernel},
            {"platform", point.platform},
            {"network", point.network},
            {"layout_name", point.layout_name},
            {"compared_phase", point.compared_phase}};
  if (point.simulated) json["simulated_s"] = point.simulated->si();
  if (point.repeats) json["repeats"] = repeats_json(*point.repeats);
  if (point.measured) json["measured_s"] = point.measured->si();
  for (const auto& [phase, time] : point.measured_times)
    json["measured_times"].push_back({{"phase", phase}, {"time_s", time.si()}});
  if (point.published_time_s) json["published_s"] = *point.published_time_s;
  if (const auto& spread = point.published_spread) json["published_spread_s"] = {spread->least_s, spread->most_s};
  json["predictions"] = Json::array();
  for (const auto& prediction : point.predictions)
    json["predictions"].push_back(prediction_json(prediction, point, options));
  for (const auto& metric : point.metrics) {
    json["metrics"].push_back({{"name", metric.name}, {"value", metric.value}, {"unit", metric.unit}});
    if (metric.published) json["metrics"].back()["published"] = *metric.published;
  }
  json["binding"] = point.binding;
  if (!point.failure.empty()) json["failure"] = point.failure;
  json["layout"] = layout_json(point, options);
  json["node_names"] = std::vector<std::string>(
      point.node_names.begin(),
      point.node_names.begin() + static_cast<std::ptrdiff_t>(kept(point.node_names.size(), ranks_max, options)));
  if (point.partition && lists_ranks(point.partition->ranks(), options))
    json["partition"] = partition_json(*point.partition);
  if (!point.rounds.empty() && (options.full || numbers_of_rounds(point) <= rounds_max))
    json["rounds"] = rounds_json(point.rounds);
  if (!point.traffic.empty() && (options.full || traffic_rows(point) <= traffic_max))
    json["traffic"] = traffic_json(point);
  if (!point.network_loads.empty()) json["network_loads"] = network_loads_json(point, outlines);
  if (point.other_engine) json["other_engine"] = other_engine_json(*point.other_engine, options);
  if (!point.run.engine.empty()) json["run"] = run_json(point.run, options);
  return json;
}

Json average_json(const AverageRow& row) {
  Json json{{"settings", settings_json(row.settings)},
            {"model", row.model},
            {"mode", row.mode},
            {"points", row.points},
            {"mu", row.mu},
            {"mu_min", row.mu_min},
            {"mu_max", row.mu_max}};
  if (row.published_mu) json["published_mu"] = *row.published_mu;
  return json;
}

/// The bound and the worst that was found, in the words of their kind.
Json tolerance_json(const ToleranceCheck& check) {
  const std::string kind = check.bound.is_mu ? "mu" : "relative_error";
  Json json{{"where", check.where},
            {"of", word_of(tolerance_of_words, check.of)},
            {"against", word_of(tolerance_against_words, check.against)},
            {"conditions", settings_json(check.conditions)},
            {kind + "_max", check.bound.value},
            {"compared", check.compared},
            {"broken", check.broken}};
  if (check.bound.least) json[kind + "_min"] = *check.bound.least;
  if (check.bound.median) json["median_max"] = *check.bound.median;
  if (!check.model.empty()) json["model"] = check.model;
  if (!check.mode.empty()) json["mode"] = check.mode;
  if (!check.metric.empty()) json["metric"] = check.metric;
  if (check.compared > 0) {
    json[kind] = check.worst;
    json["at"] = check.worst_at;
    json["median"] = check.median;
  }
  return json;
}

Json printed_json(const PrintedValue& value) {
  Json json{{"what", value.what},
            {"at", value.at},
            {"ours", value.ours},
            {"published", value.published},
            {"unit", value.unit}};
  if (!value.bound.empty()) json["bound"] = value.bound;
  if (!value.why.empty()) json["why"] = value.why;
  return json;
}

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// "key": [one element a line], so that a diff names the point.
std::string lines_of(const std::string& key, const Json& elements) {
  std::string out = ",\n\"" + key + "\": [";
  for (std::size_t i = 0; i < elements.size(); ++i) out += (i == 0 ? "\n" : ",\n") + text_of(elements[i]);
  return out + "\n]";
}

}  // namespace

void write_json(const ScenarioResult& result, const JsonOptions& options, const TextSink& write) {
  Json head{{"schema", json_schema},
            {"orrery", result.version},
            {"engine", result.engine},
            {"name", result.name},
            {"title", result.title},
            {"source", result.source},
            {"file", result.file},
            {"platform_summary", result.platform_summary},
            {"compute_description", result.compute_description},
            {"communication_description", result.communication_description}};
  Json models = Json::array(), averages = Json::array(), tolerances = Json::array(), networks = Json::array(),
       printed = Json::array();
  for (const auto& model : result.models)
    models.push_back({{"name", model.name},
                      {"summary", model.summary},
                      {"source", model.source},
                      {"assumptions", model.assumptions}});
  const auto outlines = distinct_outlines(result);
  const auto numeric = numeric_settings(setting_values(result));
  for (const auto& outline : outlines) networks.push_back(outline_json(*outline));
  for (const auto& row : result.averages) averages.push_back(average_json(row));
  for (const auto& check : result.tolerances) tolerances.push_back(tolerance_json(check));
  for (const auto& value : result.printed) printed.push_back(printed_json(value));
  if (const auto left_out = options.full ? std::string() : left_out_of_json(result); !left_out.empty())
    head["left_out"] = left_out;
  std::string out = "{";
  for (const auto& [key, value] : head.items())
    out += (out.size() == 1 ? "\n\"" : ",\n\"") + key + "\": " + text_of(value);
  write(out + lines_of("models", models) + ",\n\"points\": [");
  for (std::size_t i = 0; i < result.points.size(); ++i)  // one at a time: as JSON values they are many times as large
    write((i == 0 ? "\n" : ",\n") + text_of(point_json(result.points[i], numeric, outlines, options)));
  out = "\n]" + lines_of("averages", averages);
  out += lines_of("networks", networks) + lines_of("printed", printed) + lines_of("tolerances", tolerances) +
         lines_of("notes", result.notes) + lines_of("broken_tolerances", result.broken_tolerances);
  if (options.wall_clock) out += ",\n\"wall_clock\": " + text_of(Json{{"total_s", result.wall_s}});
  write(out + "\n}\n");
}

std::string to_json(const ScenarioResult& result, const JsonOptions& options) {
  std::string text;
  write_json(result, options, [&text](std::string_view piece) { text += piece; });
  return text;
}

}  // namespace orrery::report
