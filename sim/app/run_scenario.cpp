#include "sim/app/run_scenario.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "sim/app/compare.hpp"
#include "sim/app/predict.hpp"
#include "sim/app/progress.hpp"
#include "sim/app/version.hpp"
#include "sim/core/error.hpp"
#include "sim/replay/isolate.hpp"
#include "sim/replay/wire_format.hpp"

namespace orrery::app {

namespace {

constexpr const char* resume_hint = "nothing was written; run the same command again";

struct Piece {
  LoadedPoint point;
  std::vector<Phase> phases;  ///< empty when no model asks for them: they grow with the program
};

/// Every point with its phases, loaded before anything is played so that wrong input costs no waiting.
std::vector<Piece> load_pieces(const Scenario& scenario, PointLoader& loader, const RunOptions& options) {
  std::vector<Piece> pieces;
  Progress progress("loading", scenario.points.size());
  for (const auto& spec : scenario.points) {
    throw_if_interrupted(resume_hint);
    Piece piece{loader.load(spec), {}};
    options.trace.require_ranks(piece.point.layout.ranks());
    if (!scenario.models.empty()) piece.phases = build_phases(*piece.point.program);
    pieces.push_back(std::move(piece));
    if (options.progress) progress.update(pieces.size(), scenario.name);
  }
  return pieces;
}

void prepare_models(Predictor& predictor, const std::vector<Piece>& pieces) {
  std::map<std::pair<const Platform*, const Network*>, std::uint32_t> concurrency;
  for (const auto& [point, phases] : pieces) {
    auto& greatest = concurrency[{point.platform.get(), point.network}];
    greatest = std::max(greatest, greatest_concurrency(phases, point.compared_phase, point.layout));
  }
  for (const auto& [point, phases] : pieces)
    predictor.prepare(point.platform, *point.network, concurrency[{point.platform.get(), point.network}]);
}

std::string label_of(const PointSpec& spec, const Scenario& scenario) {
  std::string label;
  for (const auto& [key, value] : spec.settings) label += (label.empty() ? "" : ", ") + value;
  return label.empty() ? scenario.name : label;
}

std::vector<replay::Outcome> simulate(const Scenario& scenario, const std::vector<Piece>& pieces,
                                      const RunOptions& options) {
  std::vector<replay::Task> tasks;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    tasks.push_back({label_of(scenario.points[i], scenario), [&, i] {
                       ReplayOptions replay;
                       replay.staging_in_compute_model = scenario.staging_in_compute_model;
                       replay.intervals_max = options.intervals_max;
                       options.trace.apply(replay);
                       return replay::to_bytes(
                           make_engine(scenario.engine, "engine")->replay(pieces[i].point.replay_input(replay)));
                     }});
  }
  std::size_t done = 0;
  Progress progress("simulating", tasks.size());
  std::string last;
  return replay::run_isolated(
      options.jobs, tasks, [&](std::size_t i, const replay::Outcome&) { ++done, last = tasks[i].name; },
      [&] {
        if (options.progress) progress.update(done, last);
        return !interrupted();
      });
}

PointResult point_result(const PointSpec& spec, const Piece& piece, const replay::Outcome* outcome) {
  const LoadedPoint& point = piece.point;
  PointResult result{.id = point.id,
                     .settings = spec.settings,
                     .kernel = spec.kernel.name,
                     .platform = point.platform->name,
                     .network = point.network->name,
                     .layout_name = point.layout.name,
                     .compared_phase = point.compared_phase,
                     .layout = point.layout,
                     .node_names = node_names(*point.platform)};
  if (point.partition) result.partition = *point.partition;
  result.traffic = traffic_matrix(*point.program);
  if (outcome == nullptr) return result;
  if (outcome->exit_code != 0) {
    result.failure = outcome->error;
    return result;
  }
  result.run = replay::from_bytes(outcome->bytes);
  result.simulated = result.run.phase_time(point.compared_phase);
  result.binding = binding_sentence(result);
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

void raise_common_failure(const ScenarioResult& result) {
  const bool all_failed = std::ranges::all_of(result.points, [](const auto& p) { return !p.failure.empty(); });
  if (all_failed && !result.points.empty()) throw ReplayError(result.points.front().failure);
}

}  // namespace

ScenarioRun run_scenario(const Scenario& scenario, const RunOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const std::string staging = scenario.staging_in_compute_model ? "" : ", staged messages";
  PointLoader loader(scenario.folder(), scenario.engine + staging);
  const auto pieces = load_pieces(scenario, loader, options);
  Predictor predictor(scenario, options.jobs, options.progress);
  prepare_models(predictor, pieces);
  const auto outcomes = options.simulate ? simulate(scenario, pieces, options) : std::vector<replay::Outcome>();

  ScenarioRun run;
  ScenarioResult& result = run.result;
  result.name = scenario.name;
  result.title = scenario.title;
  result.source = scenario.source;
  result.file = scenario.file;
  result.version = version;
  result.models = predictor.descriptions();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    result.points.push_back(point_result(scenario.points[i], pieces[i], outcomes.empty() ? nullptr : &outcomes[i]));
    result.points.back().predictions = predictor.predict(pieces[i].point, pieces[i].phases);
    if (!result.points.back().run.engine.empty()) result.engine = result.points.back().run.engine;
  }
  raise_common_failure(result);
  describe(result, pieces.front().point);
  result.compute_description = compute_descriptions(pieces);
  apply_published(result, scenario);
  result.notes = unused_published(scenario);
  if (!scenario.staging_in_compute_model)
    result.notes.push_back(
        "messages of GPU processes are staged over their links in the simulation; the models do not know it");
  result.averages = average_rows(result, scenario);
  result.broken_tolerances = broken_tolerances(result, scenario);
  run.parameters = predictor.parameters();
  result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return run;
}

}  // namespace orrery::app
