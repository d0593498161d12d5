#include "sim/study/fit/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "kernels/micro_benchmark.hpp"
#include "platforms/layouts.hpp"
#include "sim/core/elapsed.hpp"
#include "sim/core/error.hpp"
#include "sim/engine/batch.hpp"

namespace orrery::study {

namespace {

/// Micro-benchmarks do not compute, but for the time in which messages arrive, which is `elapsed`.
class NoCompute final : public ComputeModel {
 public:
  std::string description() const override { return "no compute steps"; }
  Seconds compute_time(const Compute&, Rank) const override { return {}; }
};

Parameters parameters_of(const Experiment& experiment, const KernelEntry& kernel) {
  Parameters parameters(kernel.parameters);
  for (const auto& [name, value] : experiment.kernel_parameters) parameters.set(name, value, experiment.id);
  return parameters;
}

RunResult run(const Experiment& experiment, const Platform& platform, const Network& network, Engine& engine,
              const ReplayProgress& tell) {
  const KernelEntry& kernel = kernels().at(experiment.kernel, experiment.id);
  const Layout layout = layout_of(experiment.placement, platform);
  const auto program = kernel.make({.parameters = parameters_of(experiment, kernel),
                                    .ranks = layout.ranks(),
                                    .partition = nullptr,
                                    .layout = &layout});
  const auto compute = with_elapsed(std::make_unique<NoCompute>());
  // Messages last microseconds, so SimGrid's default time resolution of 1 ns would show.
  return engine.replay({.program = program.get(),
                        .platform = &platform,
                        .network = &network,
                        .layout = &layout,
                        .compute = compute.get(),
                        .options = {.load_bins = 1, .intervals_max = 0, .tight_precision = true, .progress = tell}});
}

/// The series of an experiment from the times of its iterations: the mean over repetitions of each point.
std::vector<Measurement> series_of(const Experiment& experiment, const RunResult& result) {
  const KernelEntry& kernel = kernels().at(experiment.kernel, experiment.id);
  if (!kernel.benchmark_points)
    throw InputError("{}: kernel '{}' is no micro-benchmark (one has 'benchmark_points'). Plan another?", experiment.id,
                     kernel.name);
  const Parameters parameters = parameters_of(experiment, kernel);
  const auto points = kernel.benchmark_points(parameters);
  const auto repetitions = static_cast<std::size_t>(parameters.integer("repetitions"));
  std::vector<Seconds> times(points.size());
  for (const auto& phase : result.phases)
    if (phase.phase == timed_phase) times.at(phase.iteration / repetitions) += phase.time;
  std::vector<Measurement> all;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string id = points[i].variant.empty() ? experiment.id : experiment.id + "/" + points[i].variant;
    if (all.empty() || all.back().id != id) all.push_back({id, {}});
    all.back().times.emplace_back(points[i].message,
                                  times[i] / (points[i].transmissions * static_cast<double>(repetitions)));
  }
  return all;
}

std::string words_of(const Experiment& experiment) {
  std::string text = fmt::format("kernel {} on {} ranks", experiment.kernel, experiment.placement.size());
  for (const auto& [name, value] : experiment.kernel_parameters) text += fmt::format(", {} {}", name, value);
  return text;
}

/// Series are found by their id: two experiments under one would leave one of the models with the other's times.
void require_same(const Experiment& known, const ModelEntry& planner, const Experiment& other,
                  const ModelEntry& model) {
  if (known.kernel == other.kernel && known.kernel_parameters == other.kernel_parameters &&
      known.placement == other.placement)
    return;
  throw InputError(
      "calibration: models '{}' and '{}' plan different experiments under the id '{}' ({}; {}). Give that of "
      "'{}' an id of its own?",
      planner.name, model.name, known.id, words_of(known), words_of(other), model.name);
}

}  // namespace

std::vector<Bytes> default_sizes() {
  std::vector<Bytes> sizes;
  for (const double size : {1, 64, 128, 256, 512, 1024, 1536, 2048, 3072, 4096, 5120, 6144, 7168, 8192, 16384})
    sizes.emplace_back(size);
  for (double power = 32768; power < 4194304; power *= 2) {
    sizes.emplace_back(power);
    sizes.emplace_back(1.5 * power);
  }
  sizes.emplace_back(4194304);
  return sizes;
}

Layout layout_of(const std::vector<CorePlace>& places, const Platform& platform) {
  Layout layout;
  for (const auto& [node, core] : places) {
    const auto type = platform.type_of(node);
    if (core >= platform.node_types[type].cores())
      throw InputError("calibration: core {} of a node '{}' is planned (it has {}). Plan another?", core,
                       platform.node_types[type].name, platform.node_types[type].cores());
    const std::uint32_t socket = core / platform.node_types[type].cores_per_socket;
    layout.placements.push_back({.node = node,
                                 .host = host_of(platform, node, false, socket),
                                 .node_type = type,
                                 .cores = 1,
                                 .gpu = false,
                                 .socket_of_node = socket});
  }
  return layout;
}

std::vector<Experiment> plan_of(const std::vector<const ModelEntry*>& models, const Platform& platform,
                                const Network& network, const CalibrationRange& range) {
  std::vector<Experiment> all;
  std::vector<const ModelEntry*> planner;  // of each experiment
  for (const auto* model : models)
    for (auto& experiment : model->plan(platform, network, range)) {
      const auto known = std::ranges::find(all, experiment.id, &Experiment::id);
      if (known != all.end()) {
        require_same(*known, *planner[static_cast<std::size_t>(known - all.begin())], experiment, *model);
        continue;
      }
      all.push_back(std::move(experiment));
      planner.push_back(model);
    }
  return all;
}

Measured measure(const std::vector<Experiment>& plan, const Platform& platform, const Network& network,
                 const CalibrationOptions& options) {
  std::vector<std::optional<Measured>> measured(plan.size());
  std::vector<std::size_t> open;  // experiments that nobody has measured yet
  std::vector<engine::Simulation> simulations;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (options.known) measured[i] = options.known(plan[i]);
    if (measured[i]) continue;
    open.push_back(i);
    simulations.push_back({plan[i].id, [&, i](const ReplayProgress& tell) {
                             return run(plan[i], platform, network, *options.engine(), tell);
                           }});
  }
  const std::size_t before = plan.size() - open.size();
  const auto poll = [&](const engine::BatchState& state) {
    if (options.progress && state.done > 0)
      options.progress(before + state.done, plan.size(), plan[open[state.last_done]].id);
    return !options.keep_going || options.keep_going();
  };
  std::map<std::size_t, engine::Played> failed;
  const auto on_ended = [&](std::size_t n, engine::Played played) {
    const std::size_t i = open[n];
    if (played.exit_code != 0) {
      failed.emplace(i, std::move(played));
      return;
    }
    measured[i] = Measured{played.result.engine, series_of(plan[i], played.result)};
    if (options.keep) options.keep(plan[i], *measured[i]);
  };
  if (!open.empty())
    engine::play_each({.jobs = options.jobs, .threads = options.engine()->reentrant()}, simulations, on_ended, poll);
  if (!failed.empty()) failed.begin()->second.value();  // throws that of the first one
  Measured all;
  for (auto& one : measured) {
    all.origin = one->origin;
    for (auto& series : one->series) all.series.push_back(std::move(series));
  }
  return all;
}

std::size_t add_unmeasurable(Measured& measured, const std::vector<Experiment>& plan, const Platform& platform,
                             const Network& network) {
  std::vector<Experiment> missing;
  for (const auto& experiment : plan) {
    std::set<std::pair<NodeId, std::uint32_t>> places;
    for (const auto& [node, core] : experiment.placement) places.emplace(node, core);
    const bool known = std::ranges::any_of(measured.series, [&](const Measurement& series) {
      return series.id == experiment.id || series.id.starts_with(experiment.id + "/");
    });
    if (places.size() < experiment.placement.size() && !known) missing.push_back(experiment);
  }
  const Measured simulated = measure(missing, platform, network, {.engine = make_flow_engine});
  measured.series.insert(measured.series.end(), simulated.series.begin(), simulated.series.end());
  return missing.size();
}

namespace {

/// A parameter that is no number would make each prediction none.
void require_numbers(const ModelParameters& set) {
  const auto check = [&](double value, const std::string& name) {
    if (!std::isfinite(value))
      throw InputError("{}: '{}' comes out as {} (a parameter is a number). Are the measured times right?", set.model,
                       name, value);
  };
  for (const auto& table : set.tables)
    for (const auto& row : table.rows)
      for (std::size_t i = 0; i < row.size(); ++i) check(row[i], table.columns[i]);
  for (const auto& matrix : set.matrices)
    for (const auto& row : matrix.values)
      for (const double value : row) check(value, matrix.name);
}

}  // namespace

std::vector<ModelParameters> fit(const std::vector<const ModelEntry*>& models, const Platform& platform,
                                 const Network& network, const CalibrationRange& range, const Measured& measured) {
  std::vector<ModelParameters> sets;
  for (const auto* model : models) {
    sets.push_back(model->fit(platform, network, range, measured.series));
    sets.back().origin = measured.origin;
    require_numbers(sets.back());
  }
  return sets;
}

ModelParameters calibrate(const ModelEntry& model, const Platform& platform, const Network& network,
                          const CalibrationRange& range, const CalibrationOptions& options) {
  const std::vector<const ModelEntry*> one{&model};
  return fit(one, platform, network, range, measure(plan_of(one, platform, network, range), platform, network, options))
      .front();
}

}  // namespace orrery::study
