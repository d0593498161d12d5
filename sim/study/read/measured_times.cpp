#include "sim/study/read/measured_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "kernels/kernel.hpp"
#include "sim/config/csv.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/read/keys_detail.hpp"

namespace orrery {

namespace {

constexpr PrintedTime printed_times[] = {{"pingpong", "T(m)", "half the round trip", "osu_latency and IMB PingPong"}};

}  // namespace

const PrintedTime* printed_of(const std::string& kernel) {
  const auto* found = std::ranges::find_if(printed_times, [&](const PrintedTime& one) { return one.kernel == kernel; });
  return found == std::end(printed_times) ? nullptr : found;
}

const config::Fields<Scenario>& scenario_detail::measured_fields() {
  static const config::Fields<Scenario> fields{
      {.name = "measured",
       .about = "Times of real runs, and which time of a run they are. A file name alone is enough."},
      {{&Scenario::measured_file,
        {.name = "file", .example = "latency.csv", .about = "table of times in the form of orrery-mpi"}},
       {&Scenario::measured_metric,
        {.name = "metric",
         .absent = "the compared phase",
         .example = "T(m)",
         .about = "quantity of times without a phase: a time that the kernel reports, such as half the round trip of "
                  "'pingpong' (osu_latency, IMB PingPong)"}}}};
  return fields;
}

void scenario_detail::read_measured_key(Scenario& into, const config::Value& value) {
  into.measured_where = into.metric_where = value.where();
  if (!value.is_section()) {
    into.measured_file = value.text();
    into.measured_metric.clear();
    return;
  }
  const config::Section section = value.section(measured_fields().mapping());
  config::read_fields(section, measured_fields(), into);
  into.measured_where = section.where("file");
  if (section.has("metric")) into.metric_where = section.where("metric");
  section.finish();
}

namespace {

/// Kernels of the points, each once.
std::set<std::string> kernels_of(const Scenario& scenario) {
  std::set<std::string> names;
  for (const PointSpec& point : scenario.points) names.insert(point.kernel.name);
  return names;
}

void require_metrics(const Scenario& scenario) {
  if (scenario.measured_metric.empty() || scenario.measured_metric == whole_run) return;
  for (const std::string& name : kernels_of(scenario))
    if (!kernels().at(name, scenario.metric_where).metrics)
      throw InputError(
          "{}: kernel '{}' prints no metric, and the measured times are of '{}' (without 'metric' they are "
          "of phase '{}'). Leave it out?",
          scenario.metric_where, name, scenario.measured_metric,
          kernels().at(name, scenario.metric_where).communication_phase);
}

/// Times that benchmarks of the kernel's name print otherwise: converted, or where neither a row nor the scenario says
/// what they are.
std::string note_of_printed(const Scenario& scenario) {
  const auto row = scenario.measured->without_phase();
  if (!row) return {};
  for (const std::string& name : kernels_of(scenario)) {
    const KernelEntry& kernel = kernels().at(name, scenario.measured_where);
    const PrintedTime* printed = printed_of(name);
    if (printed == nullptr) continue;
    if (scenario.measured_metric == printed->metric)
      return fmt::format("{}: its times are of '{}', {}. Where they stand beside phase '{}' they are converted to it",
                         scenario.measured_file, printed->metric, printed->what, kernel.communication_phase);
    if (!scenario.measured_metric.empty()) continue;
    return fmt::format(
        "{}: names no phase, so its time is compared with phase '{}' of '{}'. {} print {}, which is '{}': for times of "
        "these write 'measured: {{file: {}, metric: {}}}'. If it is of the phase, a column 'phase' with '{}' says so",
        *row, kernel.communication_phase, name, printed->printer, printed->what, printed->metric,
        scenario.measured_file, printed->metric, kernel.communication_phase);
  }
  return {};
}

}  // namespace

void read_measured_times(Scenario& scenario, const EachPoint& points) {
  if (scenario.measured_file.empty()) return;
  require_metrics(scenario);
  const std::string file =
      data_path("validation", scenario.measured_file, "csv", scenario.measured_where, scenario.folder());
  scenario.measured =
      std::make_shared<const OwnPredictions>(config::read_csv(file), points, OwnPredictions::Covers::some_points);
}

Seconds metric_time(const Scenario& scenario, const std::string& kernel, const std::vector<Metric>& metrics,
                    const RunResult& run) {
  const std::string& name = scenario.measured_metric;
  if (name == whole_run) return run.makespan;
  std::vector<std::string> times{whole_run};
  for (const Metric& metric : metrics) {
    if (metric.unit == "s") times.push_back(metric.name);
    if (metric.name != name) continue;
    if (metric.unit == "s") return Seconds(metric.value);
    throw InputError(
        "{}: '{}' of kernel '{}' is in {} (a measured time is of a metric in s: {}). Write "
        "times, and leave 'metric' out?",
        scenario.metric_where, name, kernel, metric.unit.empty() ? "numbers" : metric.unit, whole_run);
  }
  throw InputError("{}: kernel '{}' prints no '{}' of its run{}", scenario.metric_where, kernel, name,
                   known_names(name, times));
}

std::vector<std::string> notes_of_measured(const Scenario& scenario) {
  if (!scenario.measured) return {};
  std::vector<std::string> notes = scenario.measured->notes();
  if (!scenario.measured->unused().empty()) notes.push_back(scenario.measured->unused());
  if (std::string note = note_of_printed(scenario); !note.empty()) notes.push_back(std::move(note));
  return notes;
}

}  // namespace orrery
