// Two results side by side for programs: CSV and JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/show/summary/comparison.hpp"
#include "sim/show/summary/summary.hpp"
#include "sim/show/tables/csv.hpp"

namespace orrery::show {

namespace {

using Json = nlohmann::ordered_json;

constexpr int comparison_schema = 1;

std::string number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? fmt::format("{}", *value) : "";
}
std::optional<double> si(const std::optional<Seconds>& time) { return time ? std::optional(time->si()) : std::nullopt; }

const char* kind_of(const ComparedTime& time) {
  constexpr const char* names[] = {"run", "job", "phase", "model"};
  return names[static_cast<std::size_t>(time.of)];
}

const char* side_of(const ComparedPoint& point) { return point.paired() ? "both" : point.a != nullptr ? "A" : "B"; }

std::string failure_of(const PointResult* point) { return point == nullptr ? "" : point->failure.text(); }

Json settings_of_form(const Settings& settings) {
  Json all = Json::array();
  for (const auto& [key, value] : settings) all.push_back({key, value});
  return all;
}

Json side_json(const ComparedSide& side) {
  const ScenarioResult& result = *side.result;
  return {{"called", side.name}, {"name", result.name},     {"title", result.title},
          {"file", result.file}, {"engine", result.engine}, {"orrery", result.version}};
}

Json time_json(const ComparedTime& time) {
  Json json{{"of", kind_of(time)}, {"name", time.name}};
  const auto add = [&](const char* key, const std::optional<double>& value) {
    if (value) json[key] = *value;
  };
  add("a_s", si(time.a));
  add("b_s", si(time.b));
  add("difference_s", si(time.difference()));
  add("ratio", time.ratio());
  if (!time.binds_a.empty()) json["binds_a"] = time.binds_a;
  if (!time.binds_b.empty()) json["binds_b"] = time.binds_b;
  return json;
}

Json metric_json(const ComparedMetric& metric) {
  Json json{{"name", metric.name}, {"unit", metric.unit}};
  const auto add = [&](const char* key, const std::optional<double>& value) {
    if (value && std::isfinite(*value)) json[key] = *value;
  };
  add("a", metric.a);
  add("b", metric.b);
  add("ratio", metric.ratio());
  return json;
}

Json point_json(const ComparedPoint& point) {
  Json json{{"settings", settings_of_form(point.settings)}, {"in", side_of(point)}};
  const auto add = [&](const std::string& side, const PointResult* of) {
    if (of == nullptr) return;
    json["id_" + side] = of->id;
    json["binding_" + side] = of->binding;
    if (!of->failure.empty()) json["failure_" + side] = of->failure.text();
  };
  add("a", point.a);
  add("b", point.b);
  json["times"] = Json::array();
  for (const auto& time : point.times) json["times"].push_back(time_json(time));
  json["metrics"] = Json::array();
  for (const auto& metric : point.metrics) json["metrics"].push_back(metric_json(metric));
  return json;
}

}  // namespace

std::string comparison_csv(const Comparison& comparison) {
  ScenarioResult all;  // only its points' settings are asked
  for (const auto& point : comparison.points) all.points.emplace_back().settings = point.settings;
  const auto settings = setting_values(all);
  std::string out;
  for (const auto& setting : settings) out += csv_field("setting." + setting.key) + ",";
  out += "in,time_of,name,a_s,b_s,difference_s,ratio,binds_a,binds_b,failure_a,failure_b,a,b,unit\r\n";
  for (const auto& point : comparison.points) {
    std::string front;
    for (const auto& setting : settings) front += csv_field(setting_of(point.settings, setting.key)) + ",";
    front += side_of(point);
    const std::string failed = csv_field(failure_of(point.a)) + "," + csv_field(failure_of(point.b));
    const std::string back = failed + ",,,\r\n";  // a time is in the columns that say s
    if (point.times.empty()) out += front + ",,,,,,,,," + back;
    for (const auto& time : point.times)
      out += fmt::format("{},{},{},{},{},{},{},{},{},{}", front, kind_of(time), csv_field(time.name),
                         number(si(time.a)), number(si(time.b)), number(si(time.difference())), number(time.ratio()),
                         csv_field(time.binds_a), csv_field(time.binds_b), back);
    for (const auto& metric : point.metrics)
      out += fmt::format("{},metric,{},,,,{},,,{},{},{},{}\r\n", front, csv_field(metric.name), number(metric.ratio()),
                         failed, number(metric.a), number(metric.b), csv_field(metric.unit));
  }
  return out;
}

std::string comparison_json(const Comparison& comparison) {
  Json points = Json::array();
  for (const auto& point : comparison.points) points.push_back(point_json(point));
  const Json json{
      {"schema", comparison_schema},  {"says", comparison_sentence(comparison)}, {"a", side_json(comparison.a)},
      {"b", side_json(comparison.b)}, {"differences", comparison.differences},   {"notes", comparison.notes},
      {"points", std::move(points)}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace orrery::show
