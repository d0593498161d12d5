#include "sim/study/fit/measured_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "platforms/loader.hpp"
#include "sim/core/error.hpp"
#include "sim/study/judge/choices.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/read/loaded_points.hpp"
#include "sim/study/read/measured_times.hpp"
#include "sim/study/read/played_point.hpp"

namespace orrery::study {

namespace {

/// The time of the compared phase; of the run where that alone was measured. Nothing where neither was.
std::optional<OwnPredictions::Time> measured_of(const Scenario& scenario, const PointSpec& spec) {
  std::optional<OwnPredictions::Time> of_run;
  const std::string phase = kernels().at(spec.kernel.name, spec.kernel.where).communication_phase;
  for (const auto& time : scenario.measured->times({spec.flat, spec.settings})) {
    if (time.of_run())
      of_run = time;
    else if (time.phase.empty() || time.phase == phase)
      return time;
  }
  return of_run;
}

/// Shorter than any computer's: a slip of the pen, and its ratio to a simulated time would outweigh all others.
constexpr Seconds shortest{1e-12};

void require_positive(const OwnPredictions::Time& time) {
  if (time.time < shortest)
    throw InputError("{}: a measured time of {} s (a fit compares ratios: {} s or more). Leave the row out?",
                     time.where, time.time.si(), shortest.si());
}

Seconds metric_of(const Scenario& scenario, const LoadedPoint& point, const RunResult& run) {
  const auto& metrics = kernels().at(point.kernel, scenario.metric_where).metrics;
  return metric_time(scenario, point.kernel, metrics ? metrics(point.parameters, run) : std::vector<Metric>(), run);
}

constexpr std::uint32_t iterations_seen = 2;  // of a steady program: the others do the same

/// Points of scenarios, each once, all on one platform and one network.
class Collected {
 public:
  Collected(MeasuredScenarios& all, const std::string& platform, const std::string& network)
      : all_(all), platform_(platform), network_(network) {}

  /// What was measured of the scenario that was read last.
  void add() {
    const Scenario& scenario = all_.scenarios.back();
    added_.clear();
    const std::size_t before = all_.times.size();
    if (scenario.measured) add_points(scenario);
    if (scenario.choose) add_totals(scenario);
    for (auto& note : notes_of_measured(scenario)) all_.notes.push_back(std::move(note));
    if (all_.times.size() > before) return;
    if (!scenario.measured)
      throw InputError("{}: no measured times (parameters are fitted to them). Name them: 'measured: points.csv'?",
                       scenario.file);
    throw InputError(
        "{}: '{}' has no time of the compared phase or the run for any of the {} points (a fit is "
        "to these). Are its times of another phase?",
        scenario.file, scenario.measured_file, scenario.points.size());
  }

 private:
  void add_points(const Scenario& scenario) {
    std::vector<OwnPredictions::Time> left_out;
    for (std::size_t i = 0; i < scenario.points.size(); ++i) {
      const PointSpec spec = scenario.points[i];
      if (const auto time = measured_of(scenario, spec)) {
        require_positive(*time);
        const std::size_t point = number_of_point(scenario, i, *time);
        all_.times.push_back({time->time, {point}, all_.points[point].label, time->where});
      } else {
        std::ranges::copy(scenario.measured->times({spec.flat, spec.settings}), std::back_inserter(left_out));
      }
    }
    if (!left_out.empty())
      all_.notes.push_back(
          fmt::format("{}: {} of its times {} not fitted to, as a fit is to the compared phase or the run: {} is of "
                      "phase '{}'",
                      scenario.measured_file, left_out.size(), left_out.size() == 1 ? "is" : "are",
                      left_out.front().where, left_out.front().phase));
  }

  void add_totals(const Scenario& scenario) {
    for (const auto& average : scenario.choose->averages) {
      if (!average.runs_s) continue;
      MeasuredTime total{.measured = Seconds(*average.runs_s), .points = {}, .label = {}, .where = average.model.where};
      for (const std::size_t i : runs_of_total(average, scenario))
        total.points.push_back(number_of_point(scenario, i, {.time = {}, .phase = "run", .where = {}}));
      if (total.points.empty()) continue;
      total.label = fmt::format("{}, {} runs{}", scenario.name, total.points.size(),
                                average.runs_on_one_type ? " on one type of node" : "");
      all_.times.push_back(std::move(total));
    }
  }

  std::size_t number_of_point(const Scenario& scenario, std::size_t i, const OwnPredictions::Time& time) {
    const bool of_run = time.of_run(), of_metric = time.phase.empty() && !scenario.measured_metric.empty();
    if (const auto known = added_.find({i, of_run, of_metric}); known != added_.end()) return known->second;
    PointSpec spec = scenario.points[i];
    if (!platform_.empty()) spec.platform = {.name = platform_, .where = "--platform", .changes = {}};
    if (!network_.empty()) std::tie(spec.network, spec.network_where) = std::pair(network_, "--network");
    require_same_machine(scenario, spec);
    all_.points.push_back({.scenario = all_.scenarios.size() - 1,
                           .spec = std::move(spec),
                           .of_run = of_run,
                           .of_metric = of_metric,
                           .label = label_of(scenario.points.settings(i), scenario)});
    return added_[{i, of_run, of_metric}] = all_.points.size() - 1;
  }

  void require_same_machine(const Scenario& scenario, const PointSpec& spec) {
    const std::string file = data_path("platforms", spec.platform.name, "yaml", spec.platform.where, scenario.folder());
    if (all_.points.empty()) {
      all_.platform_file = file;
      all_.platform = spec.platform;
      all_.network = spec.network;
    }
    const std::string label = all_.platform.name + all_.platform.label(),
                      own = spec.platform.name + spec.platform.label();
    if (file != all_.platform_file || spec.platform.label() != all_.platform.label() || spec.network != all_.network)
      throw InputError(
          "{}: a point on '{}', network '{}', beside others on '{}', network '{}' (parameters are those of one "
          "platform and one network). Fit them apart?",
          scenario.file, own, spec.network, label, all_.network);
  }

  MeasuredScenarios& all_;
  const std::string &platform_, &network_;
  std::map<std::tuple<std::size_t, bool, bool>, std::size_t> added_;  ///< of the last scenario
};

}  // namespace

MeasuredScenarios read_measured(const std::vector<std::string>& files, const std::string& platform,
                                const std::string& network, const std::vector<std::string>& overrides) {
  MeasuredScenarios all;
  Collected collected(all, platform, network);
  for (const auto& file : files) {
    all.scenarios.push_back(read_scenario(file, overrides));
    collected.add();
  }
  return all;
}

FittedMachine see_points(MeasuredScenarios& measured, const Platform& platform, const Network& network) {
  FittedMachine machine{&platform, &network};
  std::set<std::uint32_t> types, of_gpus;
  const auto shared = std::make_shared<const Platform>(platform);
  for (auto& point : measured.points) {
    const Scenario& scenario = measured.scenarios[point.scenario];
    PointLoader loader(scenario.folder(), "flow", scenario.ignore_memory);
    loader.put_on(shared);
    const LoadedPoint loaded = loader.load(point.spec);
    const auto few = scenario.steady > 0.0 ? program_of_few(loaded, iterations_seen) : nullptr;
    point.uses = uses_of(build_phases(few ? *few : *loaded.program), loaded.layout, machine);
    for (const auto& place : loaded.layout.placements) (place.gpu ? of_gpus : types).insert(place.node_type);
  }
  if (types.size() == 1) machine.type = &platform.node_types[*types.begin()];
  if (of_gpus.size() == 1) machine.gpus = &platform.node_types[*of_gpus.begin()];
  return machine;
}

MeasuredSimulator::MeasuredSimulator(MeasuredScenarios& measured, const config::Document& document,
                                     const FittedMachine& machine, std::vector<const PlatformParameter*> parameters,
                                     unsigned jobs)
    : measured_(measured),
      document_(document),
      machine_(machine),
      parameters_(std::move(parameters)),
      jobs_(jobs),
      known_(measured.points.size()) {}

bool MeasuredSimulator::matters(std::size_t parameter) const {
  return std::ranges::any_of(measured_.points, [&](const PlayedPoint& point) {
    return parameters_[parameter]->matters(point.uses, machine_);
  });
}

std::vector<double> MeasuredSimulator::key(std::size_t point, const std::vector<double>& values) const {
  std::vector<double> key;
  for (std::size_t f = 0; f < parameters_.size(); ++f)
    if (parameters_[f]->matters(measured_.points[point].uses, machine_)) key.push_back(values[f]);
  return key;
}

RunResult MeasuredSimulator::played(const PlayedPoint& point, const std::shared_ptr<const Platform>& platform,
                                    const ReplayProgress& tell) {
  const Scenario& scenario = measured_.scenarios[point.scenario];
  PointLoader loader(scenario.folder(), "flow", scenario.ignore_memory);
  loader.put_on(platform);
  const LoadedPoint loaded = loader.load(point.spec);
  ReplayOptions options{.load_bins = 1, .intervals_max = 0};
  options.staging_in_compute_model = point.spec.staging_in_compute_model;
  options.approximate = scenario.approximate;
  options.progress = tell;
  RunResult result = play_point(loaded, options, "flow", scenario.steady);
  if (point.of_metric)
    result.makespan = metric_of(scenario, loaded, result);
  else if (!point.of_run)
    result.makespan = result.phase_time(loaded.compared_phase);
  return result;
}

void MeasuredSimulator::play(const std::vector<std::size_t>& points, const std::vector<double>& values,
                             const std::function<bool()>& poll) {
  std::map<std::string, double> by_name;
  for (std::size_t f = 0; f < parameters_.size(); ++f) by_name[parameters_[f]->name] = values[f];
  const auto platform = std::make_shared<const Platform>(
      load_platform(with_parameters(document_, machine_, by_name, "assumed: \"tried out\""), measured_.platform_file));
  std::vector<engine::Simulation> simulations;
  for (const std::size_t p : points)
    simulations.push_back({measured_.points[p].label, [this, p, &platform](const ReplayProgress& tell) {
                             return played(measured_.points[p], platform, tell);
                           }});
  std::map<std::size_t, engine::Played> failed;
  const auto keep = [&](std::size_t n, engine::Played one) {
    if (one.exit_code == 0)
      known_[points[n]][key(points[n], values)] = one.result.makespan;
    else
      failed.emplace(n, std::move(one));
  };
  engine::play_each({.jobs = jobs_, .threads = true}, simulations, keep,
                    [&](const engine::BatchState&) { return !poll || poll(); });
  if (!failed.empty()) failed.begin()->second.value();  // throws that of the first one
  simulations_ += points.size();
}

std::vector<Seconds> MeasuredSimulator::times(const std::vector<std::size_t>& of, const std::vector<double>& values,
                                              const std::function<bool()>& poll) {
  std::vector<std::size_t> points;
  for (const std::size_t t : of)
    points.insert(points.end(), measured_.times[t].points.begin(), measured_.times[t].points.end());
  const auto simulated = of_points(points, values, poll);
  std::vector<Seconds> times;
  std::size_t next = 0;
  for (const std::size_t t : of) {
    Seconds& total = times.emplace_back();
    for (std::size_t i = 0; i < measured_.times[t].points.size(); ++i) total += simulated[next++];
  }
  return times;
}

std::vector<Seconds> MeasuredSimulator::of_points(const std::vector<std::size_t>& points,
                                                  const std::vector<double>& values,
                                                  const std::function<bool()>& poll) {
  std::set<std::size_t> open;
  for (const std::size_t p : points)
    if (!known_[p].contains(key(p, values))) open.insert(p);
  if (!open.empty()) play({open.begin(), open.end()}, values, poll);
  std::vector<Seconds> times;
  for (const std::size_t p : points) times.push_back(known_[p].at(key(p, values)));
  return times;
}

}  // namespace orrery::study
