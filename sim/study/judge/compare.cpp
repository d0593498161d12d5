#include "sim/study/judge/compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/core/quantity_text.hpp"
#include "sim/core/trace_streams.hpp"
#include "sim/show/summary/summary.hpp"
#include "sim/study/judge/measured_factor.hpp"
#include "sim/study/read/measured_times.hpp"

namespace orrery::study {

namespace {

constexpr std::uint32_t matrix_rows_max = 128;
/// Large programs are not pulled again for a picture: about a second.
constexpr std::uint64_t pulled_max = 10'000'000;

Settings without(const Settings& settings, const std::vector<std::string>& keys) {
  Settings rest;
  for (const auto& setting : settings)
    if (std::ranges::find(keys, setting.first) == keys.end()) rest.push_back(setting);
  return rest;
}

}  // namespace

bool meets(const Condition& condition, const PointSpec& point) {
  return orrery::meets(condition.where_equal, point.flat);
}

bool about(const Condition& condition, const std::string& model, const std::string& mode) {
  return condition.model == model && (condition.mode.empty() || condition.mode == mode);
}

std::uint32_t traffic_group(std::uint32_t ranks) {
  return std::max(1u, (ranks + matrix_rows_max - 1) / matrix_rows_max);
}

std::vector<std::vector<Traffic>> traffic_matrix(const Program& program) {
  const std::uint32_t ranks = program.ranks(), group = traffic_group(ranks), groups = (ranks + group - 1) / group;
  std::vector<std::vector<Traffic>> matrix(groups, std::vector<Traffic>(groups));
  std::uint64_t pulled = 0;
  for (std::uint32_t r = 0; r < ranks; ++r) {
    auto steps = program.steps(Rank{r});
    while (const Step* step = steps.next()) {
      if (++pulled > pulled_max) return {};
      const Send* sent = std::get_if<Send>(step);
      if (const auto* isend = std::get_if<Isend>(step)) sent = &isend->send;
      if (sent == nullptr || index(sent->to) >= ranks || sent->communicator == between_streams) continue;
      auto& cell = matrix[r / group][index(sent->to) / group];
      cell.messages += sent->repeat;
      cell.bytes += static_cast<double>(sent->repeat) * sent->message;
    }
  }
  return matrix;
}

void describe(ScenarioResult& result, const LoadedPoint& point) {
  const Platform& platform = *point.platform;
  std::vector<std::string> nodes;
  for (std::size_t t = 0; t < platform.node_types.size(); ++t)
    nodes.push_back(fmt::format("{} x {}", platform.node_counts[t], platform.node_types[t].name));
  result.platform_summary = fmt::format("{}: {} ({})", platform.name, fmt::join(nodes, ", "), platform.source);
  std::vector<std::string> networks;
  for (const auto& p : result.points)
    if (p.platform == platform.name && std::ranges::find(networks, p.network) == networks.end())
      networks.push_back(p.network);  // another platform's networks are its own
  for (auto& name : networks) {
    const auto& network = platform.network(name, "result");
    name =
        fmt::format("{} ({}, {}, {})", name, network.technology, to_text(network.bandwidth), to_text(network.latency));
  }
  result.communication_description = fmt::format("{}", fmt::join(networks, "; "));
}

void add_speed_ups(ScenarioResult& result, const Scenario& scenario) {
  if (scenario.speed_up_over.empty()) return;
  std::map<Settings, Seconds> first;  // settings without the axes -> makespan; points come in the order of the axes
  for (auto& point : result.points) {
    const Settings others = without(point.settings, scenario.speed_up_over);
    const bool ran = point.simulated && point.run.makespan > Seconds{};
    const auto [base, new_one] = first.try_emplace(others, ran ? point.run.makespan : Seconds{});
    if (ran && base->second > Seconds{}) point.metrics.push_back({"speed-up", base->second / point.run.makespan, ""});
  }
}

/// Papers print times of whole runs: a metric of any kernel where one is stated.
void add_whole_run(PointResult& point) {
  const bool there = std::ranges::find(point.metrics, whole_run, &Metric::name) != point.metrics.end();
  if (!there && point.simulated) point.metrics.push_back({whole_run, point.run.makespan.si(), "s"});
}

void apply_published(ScenarioResult& result, const Scenario& scenario) {
  const auto is_time = [](const Published& stated) { return stated.time_s && stated.model == "measured"; };
  const auto is_metric = [](const Published& stated) { return !stated.metric.empty(); };
  if (std::ranges::none_of(scenario.published, [&](const auto& s) { return is_time(s) || is_metric(s); })) return;
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    const PointSpec spec = scenario.points[i];
    for (const auto& stated : scenario.published)
      if (is_time(stated) && meets(stated, spec)) {
        result.points[i].published_time_s = stated.time_s;
        result.points[i].published_spread = stated.spread;
      } else if (is_metric(stated) && meets(stated, spec)) {
        if (stated.metric == whole_run) add_whole_run(result.points[i]);
        for (Metric& metric : result.points[i].metrics)
          if (metric.name == stated.metric) metric.published = stated.time_s ? stated.time_s : stated.value;
      }
  }
}

namespace {

/// A time that was measured of the scenario's metric. Beside it that of the compared phase, where benchmarks print the
/// metric instead of it: a phase has a fixed number of them.
void apply_measured_metric(PointResult& point, const Scenario& scenario, Seconds time) {
  if (!point.simulated) return;
  const Seconds simulated = metric_time(scenario, point.kernel, point.metrics, point.run);
  const bool whole = scenario.measured_metric == whole_run;
  point.measured_times.push_back({whole ? "" : scenario.measured_metric, time});
  const PrintedTime* printed = printed_of(point.kernel);
  if (printed != nullptr && printed->metric == scenario.measured_metric && simulated > Seconds{})
    point.measured = time * (point.run.phase_time(point.compared_phase) / simulated);
}

}  // namespace

void apply_measured(ScenarioResult& result, const Scenario& scenario) {
  if (!scenario.measured) return;
  std::set<std::string> phases;
  for (const auto& point : result.points)
    for (const auto& record : point.run.phases) phases.insert(record.phase);
  const std::vector<std::string> known(phases.begin(), phases.end());
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    auto& point = result.points[i];
    scenario.measured->require_phase(point.compared_phase, known);
    const PointSpec spec = scenario.points[i];
    for (const auto& time : scenario.measured->times({spec.flat, spec.settings})) {
      if (time.phase.empty() && !scenario.measured_metric.empty()) {
        apply_measured_metric(point, scenario, time.time);
        continue;
      }
      const std::string phase = time.of_run() ? "" : time.phase.empty() ? point.compared_phase : time.phase;
      if (phase == point.compared_phase) point.measured = time.time;
      point.measured_times.push_back({phase, time.time});
    }
    const bool more = point.measured_times.size() > 1 || !scenario.measured_metric.empty();
    if (!more && point.measured) point.measured_times.clear();  // nothing more to say
  }
}

namespace {

std::optional<Seconds> metric_of(const PointResult& point, const std::string& name) {
  const auto found = std::ranges::find(point.metrics, name, &Metric::name);
  return found == point.metrics.end() ? std::nullopt : std::optional(Seconds(found->value));
}

}  // namespace

std::string measured_factor(const ScenarioResult& result, const Scenario& scenario) {
  if (!scenario.measured) return {};
  std::vector<TimePair> pairs;
  ComparedAs as{.file = scenario.measured_file, .metric = scenario.measured_metric, .printed = {}};
  for (const PointResult& point : result.points) {
    if (const PrintedTime* printed = printed_of(point.kernel)) as.printed = printed->metric;
    if (!point.measured || !point.simulated) {
      for (const auto& [name, time] : point.measured_times)
        if (const auto simulated = name.empty() ? time_of(point, name) : metric_of(point, name))
          pairs.push_back({*simulated, time});
      continue;
    }
    std::set<std::uint32_t> iterations;
    for (const PhaseRecord& record : point.run.phases)
      if (scenario.measured_metric.empty() && record.phase == point.compared_phase) iterations.insert(record.iteration);
    pairs.push_back({*point.simulated, *point.measured, std::max<std::uint64_t>(1, iterations.size())});
  }
  return factor_note(pairs, as);
}

std::vector<AverageRow> average_rows(const ScenarioResult& result, const Scenario& scenario) {
  std::vector<AverageRow> rows;
  if (scenario.average_over.empty()) return rows;
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    const auto& point = result.points[i];
    const Settings settings = without(point.settings, {scenario.average_over});
    for (const auto& prediction : point.predictions) {
      const auto simulated = simulated_time(point, prediction);
      if (!simulated || prediction.fitted) continue;
      auto row = std::ranges::find_if(rows, [&](const AverageRow& r) {
        return r.settings == settings && r.model == prediction.model && r.mode == prediction.mode;
      });
      if (row == rows.end()) {
        rows.push_back({.settings = settings, .model = prediction.model, .mode = prediction.mode, .mu_min = 1e300});
        row = std::prev(rows.end());
        for (const auto& condition : scenario.published)
          if (condition.mu && about(condition, row->model, row->mode) && meets(condition, scenario.points[i]))
            row->published_mu = condition.mu;
      }
      const double mu = proportional_error(prediction.time, *simulated);
      row->mu += mu;
      row->mu_min = std::min(row->mu_min, mu);
      row->mu_max = std::max(row->mu_max, mu);
      ++row->points;
    }
  }
  for (auto& row : rows) row.mu /= static_cast<double>(row.points);
  return rows;
}

std::vector<std::string> unused_published(const Scenario& scenario) {
  std::vector<std::string> notes;
  for (const auto& published : scenario.published) {
    const bool met = std::ranges::any_of(scenario.points, [&](const PointSpec& p) { return meets(published, p); });
    if (!met)
      notes.push_back(fmt::format("{}: this published value matches no point", published.where));
    else if (published.mu && scenario.average_over.empty())
      notes.push_back(
          fmt::format("{}: a published mu is an average, but the scenario has no 'average-over'", published.where));
  }
  return notes;
}

}  // namespace orrery::study
