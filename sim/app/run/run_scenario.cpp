#include "sim/app/run/run_scenario.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "kernels/kernel.hpp"
#include "sim/app/run/compare.hpp"
#include "sim/app/run/engine_difference.hpp"
#include "sim/app/run/expected_messages.hpp"
#include "sim/app/run/predict.hpp"
#include "sim/app/run/progress.hpp"
#include "sim/app/run/tolerances.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/core/version.hpp"
#include "sim/replay/batch.hpp"
#include "sim/report/bottleneck.hpp"
#include "sim/scenario/engines.hpp"

namespace orrery::app {

namespace {

constexpr std::uint32_t path_ranks_max = 1024;  // up to so many the critical path is kept unasked

struct Piece {
  LoadedPoint point;
  std::vector<Phase> phases;   ///< empty when no model asks for them: they grow with the program
  std::uint64_t messages = 0;  ///< expected
};

/// What one point ended in on each engine asked for.
using PlayedPoint = std::vector<const replay::Played*>;

/// Every point with its phases, loaded before anything is played so that wrong input costs no waiting.
std::vector<Piece> load_pieces(const Scenario& scenario, PointLoader& loader, const RunOptions& options) {
  const bool phases_wanted = std::ranges::any_of(
      scenario.models, [](const ModelSpec& model) { return !models().at(model.name, model.where).fitted_to_runs(); });
  std::vector<Piece> pieces;
  Progress progress("loading", scenario.points.size());
  for (const auto& spec : scenario.points) {
    throw_if_interrupted(fmt::format("{} of {} points were loaded", pieces.size(), scenario.points.size()));
    Piece piece{loader.load(spec), {}};
    options.trace.require_ranks(piece.point.layout.ranks());
    if (phases_wanted) piece.phases = build_phases(*piece.point.program);
    piece.messages = piece.phases.empty() ? estimated_messages(*piece.point.program) : messages_of(piece.phases);
    pieces.push_back(std::move(piece));
    if (options.progress) progress.update(pieces.size(), scenario.name);
  }
  return pieces;
}

/// [pieces] what the models are asked.
std::vector<PredictionInput> prediction_inputs(const std::vector<Piece>& pieces) {
  std::vector<PredictionInput> inputs;
  inputs.reserve(pieces.size());
  for (const auto& piece : pieces) inputs.push_back(piece.point.prediction_input(piece.phases));
  return inputs;
}

std::string label_of(const PointSpec& spec, const Scenario& scenario) {
  std::string label;
  for (const auto& [key, value] : spec.settings) label += (label.empty() ? "" : ", ") + value;
  return label.empty() ? scenario.name : label;
}

std::vector<replay::Played> simulate(const std::string& engine, const Scenario& scenario,
                                     const std::vector<Piece>& pieces, const RunOptions& options) {
  std::vector<replay::Simulation> simulations;
  std::uint64_t expected = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    expected += pieces[i].messages;
    simulations.push_back({label_of(scenario.points[i], scenario), [&, i](const ReplayProgress& tell) {
                             ReplayOptions replay;
                             replay.staging_in_compute_model = scenario.points[i].staging_in_compute_model;
                             replay.approximate = scenario.approximate;
                             replay.intervals_max = options.intervals_max;
                             replay.critical_path =
                                 options.critical_path.value_or(pieces[i].point.layout.ranks() <= path_ranks_max);
                             options.trace.apply(replay);
                             replay.progress = tell;
                             return make_engine(engine, "engine")->replay(pieces[i].point.replay_input(replay));
                           }});
  }
  SimulationProgress progress("simulating on " + engine, expected);
  return replay::play_all({.jobs = options.jobs, .threads = make_engine(engine, "engine")->reentrant()}, simulations,
                          [&](const replay::BatchState& state) {
                            if (options.progress) progress.update(state);
                            return !interrupted();
                          });
}

/// Every point on every engine asked for.  [engines][points]
std::vector<std::vector<replay::Played>> simulate(const Scenario& scenario, const std::vector<Piece>& pieces,
                                                  const RunOptions& options) {
  std::vector<std::vector<replay::Played>> played;
  if (!options.simulate) return played;
  std::vector<ExpectedWork> work;
  work.reserve(pieces.size());
  for (const auto& piece : pieces) work.push_back({piece.point.layout.ranks(), piece.messages});
  const std::string notice = slow_notice(scenario.engine, work, options.jobs);
  if (options.progress && !notice.empty()) tell("{}\n", notice);
  for (const auto& engine : engines_of(scenario.engine)) played.push_back(simulate(engine, scenario, pieces, options));
  return played;
}

/// What failed, naming the engine where the engines do not agree on it.
std::string failure_of(const PlayedPoint& played, const std::vector<std::string>& engines) {
  const auto same = [&](const replay::Played* one) { return one->error == played.front()->error; };
  if (std::ranges::all_of(played, same)) return played.front()->error;
  std::string text;
  for (std::size_t e = 0; e < played.size(); ++e)
    if (!played[e]->error.empty())
      text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", engines[e], played[e]->error);
  return text;
}

/// What the kernel itself would print.
std::vector<Metric> metrics_of(const PointSpec& spec, const RunResult& run) {
  const KernelEntry& kernel = kernels().at(spec.kernel.name, spec.kernel.where);
  if (!kernel.metrics) return {};
  return kernel.metrics(parameters_of(kernel.parameters, spec.kernel), run);
}

PointResult point_result(const PointSpec& spec, const Piece& piece, const PlayedPoint& played,
                         const std::vector<std::string>& engines) {
  const LoadedPoint& point = piece.point;
  PointResult result{.id = point.id,
                     .settings = spec.settings,
                     .kernel = spec.kernel.name,
                     .platform = point.platform->name,
                     .network = point.network->name,
                     .layout_name = point.layout.name,
                     .compared_phase = point.compared_phase,
                     .layout = point.layout,
                     .node_names = node_names(*point.platform, point.layout)};
  if (point.partition) result.partition = *point.partition;
  result.traffic = traffic_matrix(*point.program);
  result.traffic_group = traffic_group(point.layout.ranks());
  if (played.empty()) return result;
  result.failure = failure_of(played, engines);
  if (played.front()->exit_code != 0) return result;
  result.run = played.front()->result;
  result.simulated = result.run.phase_time(point.compared_phase);
  result.metrics = metrics_of(spec, result.run);
  result.binding = report::bottleneck_sentence(result);
  if (played.size() > 1 && played[1]->exit_code == 0)
    result.other_engine = difference_between(result.run, played[1]->result);
  return result;
}

/// Which compute models applied: one, or each that the sweep has, once.
std::string compute_descriptions(const std::vector<Piece>& pieces) {
  std::vector<std::string> distinct;
  for (const auto& piece : pieces) {
    const std::string description = piece.point.compute->description();
    if (std::ranges::find(distinct, description) == distinct.end()) distinct.push_back(description);
  }
  return fmt::format("{}", fmt::join(distinct, " | "));
}

/// What approximate sharing did to the loads, over all points.
void note_imbalance(ScenarioResult& result, const Scenario& scenario) {
  if (scenario.approximate == 0.0) return;
  double greatest = 0.0, mean = 0.0, points = 0.0;
  for (const auto& point : result.points) {
    const Imbalance& found = point.other_engine ? point.other_engine->imbalance : point.run.imbalance;
    greatest = std::max(greatest, found.greatest);
    mean += found.mean;
    points += 1.0;
  }
  result.notes.push_back(
      fmt::format("approximate sharing: resource loads may deviate from max-min fairness by up to {:g} %; "
                  "sampled: at most {:.2g} %, on average {:.2g} % (worst resource of each sample)",
                  100 * scenario.approximate, 100 * greatest, 100 * mean / points));
}

/// Why large points name no bottleneck.
void note_missing_paths(ScenarioResult& result, const RunOptions& options) {
  const bool missing = std::ranges::any_of(result.points, [](const PointResult& point) {
    return !point.run.phases.empty() && !point.run.critical_path.kept;
  });
  if (missing && !options.critical_path)
    result.notes.push_back("beyond 1,024 ranks the bottleneck is looked for only if asked (--critical-path on)");
}

/// [points]
std::vector<std::optional<RunTimes>> run_times(const ScenarioResult& result) {
  std::vector<std::optional<RunTimes>> times;
  for (const auto& point : result.points) {
    times.emplace_back();
    if (point.simulated) times.back() = RunTimes{point.run.makespan, *point.simulated};
  }
  return times;
}

void raise_common_failure(const ScenarioResult& result) {
  const bool all_failed = std::ranges::all_of(result.points, [](const auto& p) { return !p.failure.empty(); });
  if (all_failed && !result.points.empty()) throw ReplayError(result.points.front().failure);
}

}  // namespace

ScenarioRun run_scenario(const Scenario& scenario, const RunOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const std::string sharing = scenario.approximate > 0.0 ? fmt::format(", within {}", scenario.approximate) : "";
  PointLoader loader(scenario.folder(), scenario.engine + sharing, scenario.ignore_memory);
  const auto pieces = load_pieces(scenario, loader, options);
  Predictor predictor(scenario, options.jobs, options.progress);
  const auto inputs = prediction_inputs(pieces);
  predictor.prepare(inputs);
  const auto played = simulate(scenario, pieces, options);

  ScenarioRun run;
  ScenarioResult& result = run.result;
  result.name = scenario.name;
  result.title = scenario.title;
  result.source = scenario.source;
  result.file = scenario.file;
  result.version = version;
  result.models = predictor.descriptions();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    PlayedPoint of_point;
    for (const auto& engine : played) of_point.push_back(&engine[i]);
    result.points.push_back(point_result(scenario.points[i], pieces[i], of_point, engines_of(scenario.engine)));
    if (const auto& point = result.points.back(); !point.run.engine.empty())
      result.engine = point.run.engine + (point.other_engine ? " (shown) and " + point.other_engine->engine : "");
  }
  raise_common_failure(result);
  predictor.fit(run_times(result));
  for (std::size_t i = 0; i < pieces.size(); ++i) result.points[i].predictions = predictor.predict(i);
  describe(result, pieces.front().point);
  result.compute_description = compute_descriptions(pieces);
  apply_published(result, scenario);
  result.notes = unused_published(scenario);
  for (const auto& note : predictor.notes()) result.notes.push_back(note);
  if (!std::ranges::all_of(scenario.points, &PointSpec::staging_in_compute_model))
    result.notes.push_back(fmt::format("the simulation adds PCIe transfers to the messages of GPU processes{}",
                                       scenario.models.empty() ? "" : "; the models do not include them"));
  note_imbalance(result, scenario);
  note_missing_paths(result, options);
  result.averages = average_rows(result, scenario);
  apply_tolerances(result, scenario);
  run.parameters = predictor.parameters();
  result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return run;
}

}  // namespace orrery::app
