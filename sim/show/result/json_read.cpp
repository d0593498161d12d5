#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sim/core/error.hpp"
#include "sim/show/result/json.hpp"
#include "sim/show/result/json_network.hpp"
#include "sim/show/result/json_path.hpp"
#include "sim/show/result/json_rounds.hpp"
#include "sim/show/result/json_timelines.hpp"

namespace orrery::report {

namespace {

using Json = nlohmann::ordered_json;

/// JSON has no infinity and no NaN: the writer leaves null.
double number(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}
Seconds seconds(const Json& json) { return Seconds(number(json)); }
Bytes bytes(const Json& json) { return Bytes(number(json)); }

std::string text(const Json& json, const char* key) { return json.at(key).get<std::string>(); }

double wall_clock(const Json& json, const char* key) {
  return json.contains("wall_clock") ? number(json.at("wall_clock").at(key)) : 0.0;
}

Settings settings_of(const Json& json) {
  Settings settings;
  for (const auto& pair : json) settings.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<std::string>());
  return settings;
}

Prediction prediction_of(const Json& json) {
  Prediction prediction;
  prediction.model = text(json, "model");
  prediction.mode = text(json, "mode");
  prediction.time = seconds(json.at("predicted_s"));
  if (json.contains("predicts")) {
    prediction.of_run = text(json, "predicts") == "run";
    prediction.fitted = json.value("fitted", false);
    prediction.computation = seconds(json.at("computation_s"));
    prediction.overlap = seconds(json.at("overlap_s"));
  }
  for (const auto& term : json.at("terms"))
    prediction.terms.push_back(
        {text(term, "text"), seconds(term.at("cost_s")), term.at("repeat").get<std::uint64_t>()});
  if (json.contains("notes")) prediction.notes = json.at("notes").get<std::vector<std::string>>();
  prediction.wall_s = wall_clock(json, "model_s");
  return prediction;
}

PhaseRecord phase_of(const Json& row) {
  PhaseRecord record;
  record.phase = row.at(0).get<std::string>();
  record.iteration = row.at(1).is_null() ? iterations_together : row.at(1).get<std::uint32_t>();
  record.time = seconds(row.at(2));
  if (!row.at(3).is_null()) record.slowest = Rank{row.at(3).get<std::uint32_t>()};
  record.begin = seconds(row.at(4));
  record.end = seconds(row.at(5));
  for (std::size_t channel = 0; channel < channel_kinds; ++channel)
    record.traffic[channel] = {row.at(6 + 2 * channel).get<std::uint64_t>(), bytes(row.at(7 + 2 * channel))};
  return record;
}

ResourceKind resource_kind_of(const std::string& name) {
  for (unsigned char kind = 0; kind < resource_kinds; ++kind)
    if (name == resource_kind_name(ResourceKind{kind})) return ResourceKind{kind};
  throw std::out_of_range("unknown resource kind '" + name + "'");
}

ResourceRecord resource_of(const Json& json) {
  ResourceRecord record{text(json, "name"),
                        resource_kind_of(text(json, "kind")),
                        BytesPerSecond(number(json.at("capacity_B_per_s"))),
                        bytes(json.at("carried_B")),
                        seconds(json.at("busy_s")),
                        {}};
  for (const auto& load : json.at("load_fraction")) record.load.push_back(number(load));
  return record;
}

KindLoad kind_load_of(const Json& json) {
  KindLoad of_kind{resource_kind_of(text(json, "kind")),
                   json.at("resources").get<std::uint64_t>(),
                   BytesPerSecond(number(json.at("capacity_B_per_s"))),
                   bytes(json.at("carried_B")),
                   {}};
  for (const auto& load : json.at("load_fraction")) of_kind.load.push_back(number(load));
  return of_kind;
}

CollectiveRecord collective_of(const Json& row) {
  CollectiveRecord record;
  const auto operation = find_operation(row.at(0).get<std::string>());
  if (!operation) throw std::out_of_range("unknown operation '" + row.at(0).get<std::string>() + "'");
  record.operation = *operation;
  record.algorithm = row.at(1).get<std::string>();
  record.ranks = row.at(2).get<std::uint32_t>();
  record.bytes = bytes(row.at(3));
  record.calls = row.at(4).get<std::uint64_t>();
  record.time = seconds(row.at(5));
  record.time_max = seconds(row.at(6));
  record.messages = row.at(7).get<std::uint64_t>();
  record.steps = row.at(8).get<std::uint64_t>();
  if (row.size() < 12) return record;  // of an earlier version
  record.name = row.at(10).get<std::string>();
  record.late = seconds(row.at(11));
  return record;
}

/// Results of earlier versions have neither collectives nor loads by kind nor times by rank.
void read_sums(const Json& json, RunResult& run) {
  if (json.contains("collectives"))
    for (const auto& row : json.at("collectives").at("rows")) run.collectives.push_back(collective_of(row));
  if (json.contains("kind_loads"))
    for (const auto& of_kind : json.at("kind_loads")) run.kind_loads.push_back(kind_load_of(of_kind));
  if (!json.contains("activity_times")) return;
  const Json& times = json.at("activity_times");
  run.activity_group = times.at("ranks_per_group").get<std::uint32_t>();
  for (std::size_t a = 0; a < activities; ++a) {
    std::vector<Seconds>& groups = run.activity_times.emplace_back();
    for (const auto& time : times.at(std::string(activity_name(static_cast<Activity>(a))) + "_s"))
      groups.push_back(seconds(time));
    if (groups.size() != run.activity_times.front().size() || run.activity_group == 0)
      throw std::out_of_range("activity_times holds another number of groups for each activity");
  }
}

Imbalance imbalance_of(const Json& found) {
  return {found.at("allowed").get<double>(), found.at("greatest").get<double>(), found.at("mean").get<double>(),
          found.at("samples").get<std::uint64_t>()};
}

FanIn fan_in_of(const Json& json) {
  return {text(json, "port"), json.at("senders").get<std::uint32_t>(), bytes(json.at("arriving_B")),
          bytes(json.at("buffer_B")), seconds(json.at("at_s"))};
}

RunResult run_of(const Json& json) {
  RunResult run;
  run.engine = text(json, "engine");
  run.makespan = seconds(json.at("makespan_s"));
  run.messages = json.at("messages").get<std::uint64_t>();
  run.unexpected_messages = json.at("unexpected_messages").get<std::uint64_t>();
  run.timelines_cut = json.at("timelines_cut").get<bool>();
  for (const auto& row : json.at("phases").at("rows")) run.phases.push_back(phase_of(row));
  for (const auto& resource : json.at("resources")) run.resources.push_back(resource_of(resource));
  read_sums(json, run);
  if (json.contains("activity_fractions"))
    for (std::size_t a = 0; a < activities; ++a)
      run.activity_shares.push_back(
          json.at("activity_fractions").at(activity_name(static_cast<Activity>(a))).get<std::vector<double>>());
  if (json.contains("imbalance_fractions")) run.imbalance = imbalance_of(json.at("imbalance_fractions"));
  if (json.contains("fan_in")) run.fan_in = fan_in_of(json.at("fan_in"));
  if (json.contains("critical_path")) run.critical_path = critical_path_of(json.at("critical_path"));
  read_timelines(json, run);
  run.wall_s = wall_clock(json, "simulation_s");
  return run;
}

PhasePair pair_of(const Json& json) {
  return {json.at(0).get<std::uint32_t>(), seconds(json.at(1)), seconds(json.at(2))};
}

EngineDifference difference_of(const Json& json) {
  EngineDifference difference{.engine = text(json, "engine"),
                              .shown_makespan = seconds(json.at("shown_makespan_s")),
                              .makespan = seconds(json.at("makespan_s")),
                              .phases = {},
                              .failure = text(json, "failure"),
                              .wall_s = wall_clock(json, "simulation_s")};
  if (json.contains("imbalance_fractions")) difference.imbalance = imbalance_of(json.at("imbalance_fractions"));
  for (const auto& row : json.at("phases").at("rows"))
    difference.phases.push_back({row.at(0).get<std::string>(), row.at(1).get<std::uint64_t>(), seconds(row.at(2)),
                                 seconds(row.at(3)), pair_of(row.at(4)), pair_of(row.at(5))});
  return difference;
}

Layout layout_of(const Json& json) {
  Layout layout{text(json, "name"), {}};
  for (const auto& row : json.at("ranks"))
    layout.placements.push_back({NodeId{row.at(0).get<std::uint32_t>()}, HostId{row.at(1).get<std::uint32_t>()},
                                 row.at(2).get<std::uint32_t>(), row.at(3).get<std::uint32_t>(), row.at(4).get<bool>(),
                                 row.at(5).get<std::uint32_t>()});
  return layout;
}

Partition partition_of(const Json& json) {
  Partition partition{json.at("columns_blocks").get<std::uint32_t>(), json.at("rows_blocks").get<std::uint32_t>(), {}};
  for (const auto& row : json.at("ranks"))
    partition.rectangles.push_back({row.at(0).get<std::uint32_t>(), row.at(1).get<std::uint32_t>(),
                                    row.at(2).get<std::uint32_t>(), row.at(3).get<std::uint32_t>()});
  return partition;
}

std::vector<std::vector<Traffic>> traffic_of(const Json& json) {
  const auto groups = json.at("groups").get<std::size_t>();
  std::vector<std::vector<Traffic>> traffic(groups, std::vector<Traffic>(groups));
  for (const auto& row : json.at("rows"))
    traffic.at(row.at(0).get<std::size_t>()).at(row.at(1).get<std::size_t>()) = {row.at(2).get<std::uint64_t>(),
                                                                                 bytes(row.at(3))};
  return traffic;
}

Repeats repeats_of(const Json& json) {
  Repeats repeats{.seeds = json.at("seeds").get<std::vector<std::int64_t>>(), .times = {}};
  repeats.shown = json.value("shown_seed", repeats.seeds.front());
  for (const auto& one : json.at("times")) {
    RepeatedTime& time = repeats.times.emplace_back();
    time.phase = text(one, "phase");
    for (const auto& value : one.at("times_s")) time.times.push_back(seconds(value));
    time.median = seconds(one.at("median_s"));
    time.low = seconds(one.at("p5_s"));
    time.high = seconds(one.at("p95_s"));
    if (one.contains("median_within_95_s")) {
      const auto& within = one.at("median_within_95_s");
      time.median_within = TimeRange{seconds(within.at(0)), seconds(within.at(1))};
    }
  }
  return repeats;
}

PointResult point_of(const Json& json, const std::vector<SharedOutline>& outlines) {
  PointResult point;
  point.id = text(json, "id");
  point.settings = settings_of(json.at("settings"));
  point.kernel = text(json, "kernel");
  point.platform = text(json, "platform");
  point.network = text(json, "network");
  point.layout_name = text(json, "layout_name");
  point.compared_phase = text(json, "compared_phase");
  if (json.contains("simulated_s")) point.simulated = seconds(json.at("simulated_s"));
  if (json.contains("repeats")) point.repeats = repeats_of(json.at("repeats"));
  if (json.contains("measured_s")) point.measured = seconds(json.at("measured_s"));
  if (json.contains("measured_times"))
    for (const auto& one : json.at("measured_times"))
      point.measured_times.push_back({text(one, "phase"), seconds(one.at("time_s"))});
  if (json.contains("published_s")) point.published_time_s = number(json.at("published_s"));
  if (json.contains("published_spread_s")) {
    const auto& spread = json.at("published_spread_s");
    point.published_spread = TimeSpread{number(spread.at(0)), number(spread.at(1))};
  }
  for (const auto& prediction : json.at("predictions")) point.predictions.push_back(prediction_of(prediction));
  if (json.contains("metrics"))
    for (const auto& metric : json.at("metrics")) {
      point.metrics.push_back({text(metric, "name"), number(metric.at("value")), text(metric, "unit")});
      if (metric.contains("published")) point.metrics.back().published = number(metric.at("published"));
    }
  point.binding = text(json, "binding");
  if (json.contains("failure")) point.failure = text(json, "failure");
  point.layout = layout_of(json.at("layout"));
  point.node_names = json.at("node_names").get<std::vector<std::string>>();
  if (json.contains("partition")) point.partition = partition_of(json.at("partition"));
  if (json.contains("rounds")) point.rounds = rounds_of(json.at("rounds"));
  if (json.contains("traffic")) {
    point.traffic = traffic_of(json.at("traffic"));
    point.traffic_group = json.at("traffic").at("ranks_per_group").get<std::uint32_t>();
  }
  if (json.contains("network_loads")) read_network_loads(json.at("network_loads"), outlines, point);
  if (json.contains("other_engine")) point.other_engine = difference_of(json.at("other_engine"));
  if (json.contains("run")) point.run = run_of(json.at("run"));
  return point;
}

AverageRow average_of(const Json& json) {
  AverageRow row{settings_of(json.at("settings")),
                 text(json, "model"),
                 text(json, "mode"),
                 json.at("points").get<std::size_t>(),
                 number(json.at("mu")),
                 number(json.at("mu_min")),
                 number(json.at("mu_max")),
                 {}};
  if (json.contains("published_mu")) row.published_mu = number(json.at("published_mu"));
  return row;
}

template <class Kind, std::size_t count>
Kind tolerance_kind(const Word<Kind> (&words)[count], const Json& json, const char* key) {
  const auto kind = meaning_of(words, text(json, key));
  if (!kind) throw std::out_of_range(fmt::format("unknown '{}' of a tolerance: '{}'", key, text(json, key)));
  return *kind;
}

ToleranceCheck tolerance_of(const Json& json) {
  ToleranceCheck check;
  check.where = text(json, "where");
  check.of = tolerance_kind(tolerance_of_words, json, "of");
  check.against = tolerance_kind(tolerance_against_words, json, "against");
  if (json.contains("model")) check.model = text(json, "model");
  if (json.contains("mode")) check.mode = text(json, "mode");
  if (json.contains("metric")) check.metric = text(json, "metric");
  check.conditions = settings_of(json.at("conditions"));
  const std::string kind = json.contains("mu_max") ? "mu" : "relative_error";
  check.bound = {kind == "mu", number(json.at(kind + "_max"))};
  check.compared = json.at("compared").get<std::size_t>();
  check.broken = json.at("broken").get<bool>();
  if (json.contains(kind + "_min")) check.bound.least = number(json.at(kind + "_min"));
  if (json.contains("median_max")) check.bound.median = number(json.at("median_max"));
  if (check.compared > 0) {
    check.worst = number(json.at(kind));
    check.worst_at = text(json, "at");
    if (json.contains("median")) check.median = number(json.at("median"));  // earlier versions have none
  }
  return check;
}

PrintedValue printed_of(const Json& json) {
  PrintedValue value{.what = text(json, "what"),
                     .at = text(json, "at"),
                     .ours = number(json.at("ours")),
                     .published = number(json.at("published")),
                     .unit = text(json, "unit"),
                     .bound = {},
                     .why = {}};
  if (json.contains("bound")) value.bound = text(json, "bound");
  if (json.contains("why")) value.why = text(json, "why");
  return value;
}

ScenarioResult result_of(const Json& json) {
  ScenarioResult result;
  result.version = text(json, "orrery");
  result.engine = text(json, "engine");
  result.name = text(json, "name");
  result.title = text(json, "title");
  result.source = text(json, "source");
  result.file = text(json, "file");
  result.platform_summary = text(json, "platform_summary");
  result.compute_description = text(json, "compute_description");
  result.communication_description = text(json, "communication_description");
  for (const auto& model : json.at("models"))
    result.models.push_back({text(model, "name"), text(model, "summary"), text(model, "source"),
                             model.at("assumptions").get<std::vector<std::string>>()});
  std::vector<SharedOutline> outlines;
  if (json.contains("networks"))  // earlier versions have none
    for (const auto& outline : json.at("networks")) outlines.push_back(outline_of(outline));
  for (const auto& point : json.at("points")) result.points.push_back(point_of(point, outlines));
  for (const auto& row : json.at("averages")) result.averages.push_back(average_of(row));
  if (json.contains("tolerances"))  // results written before they were kept have none
    for (const auto& check : json.at("tolerances")) result.tolerances.push_back(tolerance_of(check));
  if (json.contains("printed"))
    for (const auto& value : json.at("printed")) result.printed.push_back(printed_of(value));
  result.notes = json.at("notes").get<std::vector<std::string>>();
  result.broken_tolerances = json.at("broken_tolerances").get<std::vector<std::string>>();
  result.wall_s = wall_clock(json, "total_s");
  return result;
}

}  // namespace

ScenarioResult from_json(std::string_view text, const std::string& where) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded())
    throw InputError(where + ": the text is not JSON (a result.json of 'orrery run'). Was the file cut short?");
  if (!json.is_object() || !json.contains("schema") || !json.at("schema").is_number_integer())
    throw InputError(where +
                     ": has no key 'schema' (a result.json of 'orrery run' opens with it). Is it another file?");
  if (const auto schema = json.at("schema").get<long>(); schema != json_schema)
    throw InputError(fmt::format("{}: has schema {}, but this version reads schema {}. Run the scenario again?", where,
                                 schema, json_schema));
  try {
    return result_of(json);
  } catch (const nlohmann::json::exception& e) {
    throw InputError(fmt::format("{}: is not a complete result: {} (a result.json of 'orrery run'). Run it again?",
                                 where, e.what()));
  } catch (const std::out_of_range& e) {
    throw InputError(fmt::format("{}: is not a complete result: {} (a result.json of 'orrery run'). Run it again?",
                                 where, e.what()));
  }
}

}  // namespace orrery::report
