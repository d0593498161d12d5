#include "sim/show/result/json.hpp"
#include "sim/show/result/json_bounds.hpp"
#include "sim/show/result/json_network.hpp"
#include "sim/show/result/json_writer.hpp"
#include "sim/show/result/point_fields.hpp"
#include "sim/show/summary/bottleneck.hpp"
#include "sim/core/setting_quantity.hpp"
#include "sim/show/summary/numeric_settings.hpp"

namespace orrery::show {

namespace {

/// Settings with a unit as numbers: {"kernel.message_B": 8192}.
Json quantities_json(const Settings& settings, const std::vector<NumericSetting>& numeric) {
  Json all = Json::object();
  for (const auto& setting : numeric)
    if (const auto si = quantity_of(setting_of(settings, setting.key))) all[setting.column] = *si;
  return all;
}

Json against_json(Seconds predicted, Seconds real) {
  return {{"relative_error", relative_error(predicted, real)}, {"mu", proportional_error(predicted, real)}};
}

void add_errors(Json& json, const Prediction& prediction, const PointResult& point) {
  if (const auto simulated = simulated_time(point, prediction))
    json["against_simulated"] = against_json(prediction.time, *simulated);
  if (point.measured && !prediction.of_run) json["against_measured"] = against_json(prediction.time, *point.measured);
}

/// What the run would have gained at most had each cause cost nothing.
void add_if_free(Json& json, const CriticalPath& path, const PathTotals& totals) {
  Json less = Json::object();
  for (const PathCause& cause : path_causes(path, totals))
    if (!cause.if_free.empty()) less[cause.name] = cause.share;
  json["if_free_at_most_less_fraction"] = std::move(less);
}

void add_if_free(Json& json, const CriticalPath& path) {
  add_if_free(json["run"], path, path.run);
  for (std::size_t i = 0; i < path.phases.size(); ++i) add_if_free(json["phases"][i], path, path.phases[i]);
}

Json point_json(const PointResult& whole, const std::vector<NumericSetting>& numeric,
                const std::vector<SharedOutline>& outlines, const JsonOptions& options) {
  const Bounded bounded(whole, options);
  const PointResult& point = bounded.point();
  Json json = object_of(point, options);
  json["quantities"] = quantities_json(point.settings, numeric);
  for (std::size_t i = 0; i < point.predictions.size(); ++i)
    add_errors(json["predictions"][i], point.predictions[i], point);
  if (!point.traffic.empty()) json["traffic"] = traffic_json(point);
  if (!point.network_loads.empty()) json["network_loads"] = network_loads_json(point, outlines);
  if (point.run.critical_path.kept && any(point.run))
    add_if_free(json["run"]["critical_path"], point.run.critical_path);
  if (const auto rows = bounded.phases_left_out()) json["run"]["phases"]["rows_left_out"] = rows;
  if (const auto ranks = bounded.ranks_left_out()) json["layout"]["ranks_left_out"] = ranks;
  return json;
}

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// Writes field by field, a list with one element a line, so that a diff names the point.
class ResultWriter {
 public:
  ResultWriter(const ScenarioResult& result, const JsonOptions& options, const TextSink& write)
      : result_(result), options_(options), write_(write) {
    write_("{\n\"schema\": " + std::to_string(json_schema));
  }

  ResultWriter& operator()(const char* name, const std::string& text) {
    write_(opening(name) + text_of(text));
    return *this;
  }
  template <class T>
  ResultWriter& operator()(const char* name, const std::vector<T>& values) {
    return lines(name, values, [this](const T& value) { return object_of(value, options_); });
  }
  ResultWriter& later(const char* name, const auto& values) { return (*this)(name, values); }
  void points(const std::vector<PointResult>& points) {
    if (const auto left_out = options_.full ? std::string() : left_out_of_json(result_); !left_out.empty())
      (*this)("left_out", left_out);
    const auto outlines = distinct_outlines(result_);
    const auto numeric = numeric_settings(setting_values(result_));
    lines("networks", outlines, [this](const SharedOutline& outline) { return object_of(*outline, options_); });
    lines("points", points, [&](const PointResult& point) { return point_json(point, numeric, outlines, options_); });
  }
  void wall_clock(const char* name, double seconds) {
    if (options_.wall_clock) write_(opening("wall_clock") + text_of(Json{{name, seconds}}));
    write_("\n}\n");
  }

 private:
  static std::string opening(const char* name) { return std::string(",\n\"") + name + "\": "; }
  /// One at a time: as JSON values all points are many times as large as in memory.
  ResultWriter& lines(const char* name, const auto& values, const auto& json_of_one) {
    write_(opening(name) + "[");
    bool first = true;
    for (const auto& value : values) {
      write_((first ? "\n" : ",\n") + text_of(json_of_one(value)));
      first = false;
    }
    write_("\n]");
    return *this;
  }

  const ScenarioResult& result_;
  const JsonOptions& options_;
  const TextSink& write_;
};

}  // namespace

void write_json(const ScenarioResult& result, const JsonOptions& options, const TextSink& write) {
  ResultWriter writer(result, options, write);
  fields(writer, result);
}

std::string to_json(const ScenarioResult& result, const JsonOptions& options) {
  std::string text;
  write_json(result, options, [&text](std::string_view piece) { text += piece; });
  return text;
}

}  // namespace orrery::show
