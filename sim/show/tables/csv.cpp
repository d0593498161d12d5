#include "sim/show/tables/csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "sim/core/printable.hpp"
#include "sim/core/setting_quantity.hpp"
#include "sim/show/summary/numeric_settings.hpp"
#include "sim/show/summary/summary.hpp"
#include "sim/show/tables/metric_table.hpp"
#include "sim/show/tables/part_tables.hpp"

namespace orrery::show {

namespace {

std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }
std::string number(const std::optional<Seconds>& t) { return t ? number(t->si()) : ""; }

/// What distinguishes a point: its settings as they were written, then those with a unit as numbers.
class SettingColumns {
 public:
  explicit SettingColumns(const ScenarioResult& result)
      : settings_(setting_values(result)), numeric_(numeric_settings(settings_)) {}

  /// A setting may share its name with a column of ours; the prefix keeps header names unique.
  std::string header() const {
    std::string names = "point";
    for (const auto& setting : settings_) names += "," + csv_field("setting." + setting.key);
    for (const auto& setting : numeric_) names += "," + csv_field("setting." + setting.column);
    return names;
  }
  std::string row(const PointResult& point) const {
    std::string fields = csv_field(point.id);
    for (const auto& setting : settings_) fields += "," + csv_field(setting_of(point.settings, setting.key));
    for (const auto& setting : numeric_) {
      const auto si = quantity_of(setting_of(point.settings, setting.key));
      fields += "," + (si ? number(*si) : "");
    }
    return fields;
  }

 private:
  std::vector<SettingValues> settings_;
  std::vector<NumericSetting> numeric_;
};

/// Columns that are the same in every row of a point.
std::string opening(const PointResult& point, const SettingColumns& settings) {
  std::string row = settings.row(point);
  for (const std::string* text : {&point.kernel, &point.platform, &point.network, &point.layout_name})
    row += "," + csv_field(*text);
  row += fmt::format(",{},{},{},{},{}", point.layout.ranks() > 0 ? fmt::format("{}", point.layout.ranks()) : "",
                     csv_field(point.compared_phase), number(point.simulated), number(point.measured),
                     point.published_time_s ? number(*point.published_time_s) : "");
  return row;
}

std::string errors(const Prediction& prediction, const std::optional<Seconds>& real) {
  if (!real) return ",";
  return number(relative_error(prediction.time, *real)) + "," + number(proportional_error(prediction.time, *real));
}

/// "energy_J"; of a metric whose name has its unit as a word, "tokens/s", the name alone.
std::string metric_head(const ScenarioResult& result, const std::string& name) {
  const auto is_word = [&](const std::string& unit) {
    return (" " + name + " ").find(" " + unit + " ") != std::string::npos;
  };
  for (const PointResult& point : result.points)
    for (const Metric& metric : point.metrics)
      if (metric.name == name && !metric.unit.empty() && !is_word(metric.unit))
        return fmt::format("{}_{}", name, metric.unit);
  return name;
}

/// A field for each of the metrics, empty where the point has none of this name.
std::string metric_fields(const PointResult& point, const std::vector<std::string>& metrics) {
  std::string fields;
  for (const auto& name : metrics) {
    const auto its = std::ranges::find(point.metrics, name, &Metric::name);
    fields += "," + (its == point.metrics.end() ? "" : number(its->value));
  }
  return fields;
}

/// What is predicted, what of it is computation and overlap, and what holds with reserve.
std::string parts(const Prediction& prediction) {
  return fmt::format("{},{},{},{},{}", prediction.of_run ? "run" : "phase", prediction.fitted,
                     number(prediction.computation.si()), number(prediction.overlap.si()),
                     csv_field(fmt::format("{}", fmt::join(prediction.notes, "; "))));
}

}  // namespace

std::string csv_field(std::string_view text) {
  if (text.starts_with('=') || text.starts_with('@')) return csv_field("'" + std::string(text));
  const std::string field = visible(text);
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string to_csv(const ScenarioResult& result) {
  const SettingColumns settings(result);
  std::string out = settings.header();
  out +=
      ",kernel,platform,network,layout,ranks,compared_phase,simulated_s,measured_s,published_s,model,mode,predicted_s,"
      "relative_error_to_simulated,mu_to_simulated,relative_error_to_measured,mu_to_measured,predicts,fitted,"
      "predicted_computation_s,predicted_overlap_s,prediction_notes,makespan_s,messages,binding,failure";
  const auto metrics = metric_columns(result);
  for (const auto& metric : metrics) out += "," + csv_field(metric_head(result, metric));
  const bool repeated = std::ranges::any_of(result.points, [](const auto& point) { return point.repeats.has_value(); });
  if (repeated) out += repeats_csv_header();
  out += "\r\n";
  for (const auto& point : result.points) {
    const std::string front = opening(point, settings);
    const std::string back =
        fmt::format(",{},{},{},{}", point.run.engine.empty() ? "" : number(point.run.makespan.si()),
                    point.run.engine.empty() ? "" : fmt::format("{}", point.run.messages), csv_field(point.binding),
                    csv_field(point.failure.text())) +
        metric_fields(point, metrics) + (repeated ? repeats_csv(point) : "") + "\r\n";
    if (point.predictions.empty()) out.append(front).append(",,,,,,,,,,,,").append(back);
    for (const auto& prediction : point.predictions)
      out +=
          fmt::format("{},{},{},{},{},{},{}{}", front, csv_field(prediction.model), csv_field(prediction.mode),
                      number(prediction.time.si()), errors(prediction, simulated_time(point, prediction)),
                      errors(prediction, prediction.of_run ? std::nullopt : point.measured), parts(prediction), back);
  }
  return out;
}

std::string collectives_csv(const ScenarioResult& result) {
  if (std::ranges::all_of(result.points, [](const auto& point) { return point.run.collectives.empty(); })) return {};
  const SettingColumns settings(result);
  std::string out = settings.header();
  out +=
      ",operation,algorithm,ranks,size_B,calls,messages,steps,each_s,longest_s,bandwidth_B_per_s,bus_B_per_s,name,late_"
      "s\r\n";
  for (const auto& point : result.points)
    for (const CollectiveRecord& record : point.run.collectives) {
      out += settings.row(point);
      out += fmt::format(",{},{},{},{},{},{},{}", operation_name(record.operation), csv_field(record.algorithm),
                         record.ranks, number(record.bytes.si()), record.calls, record.messages, record.steps);
      const auto calls = static_cast<double>(record.calls);
      out += fmt::format(",{},{},{},{},{},{}\r\n", number(record.time.si() / calls), number(record.time_max.si()),
                         number(record.bandwidth().si()), number(record.bus_bandwidth().si()), csv_field(record.name),
                         number(record.late.si() / calls));
    }
  return out;
}

std::string jobs_csv(const ScenarioResult& result) {
  if (std::ranges::all_of(result.points, [](const auto& point) { return point.run.jobs.empty(); })) return {};
  const SettingColumns settings(result);
  std::string out = settings.header();
  out +=
      ",job,kernel,first_rank,ranks,start_s,end_s,repetitions,together_s,together_p5_s,together_p95_s,"
      "alone_repetitions,alone_s,alone_p5_s,alone_p95_s,slowdown,messages,sent_B,links,shared_links\r\n";
  const auto times = [](const JobTimes& of) {
    return fmt::format("{},{},{},{}", of.count, number(of.median.si()), number(of.low.si()), number(of.high.si()));
  };
  for (const auto& point : result.points)
    for (std::size_t j = 0; j < point.run.jobs.size(); ++j) {
      const JobRecord& job = point.run.jobs[j];
      std::uint32_t most = 0;
      for (std::size_t k = 0; k < job.shared.size(); ++k)
        if (k != j) most = std::max(most, job.shared[k]);
      out += settings.row(point);
      out += fmt::format(",{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n", csv_field(job.name), csv_field(job.kernel),
                         index(job.first), job.ranks, number(job.start.si()), number((job.start + job.time()).si()),
                         times(job.together), times(job.alone), number(job.slowdown()), job.sent.messages,
                         number(job.sent.bytes.si()), j < job.shared.size() ? job.shared[j] : 0, most);
    }
  return out;
}

}  // namespace orrery::show
