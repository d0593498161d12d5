#include "sim/study/play/run_scenario.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <functional>

#include "sim/core/doing.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/core/version.hpp"
#include "sim/engine/batch.hpp"
#include "sim/show/summary/bottleneck.hpp"
#include "sim/show/summary/summary.hpp"
#include "sim/study/judge/compare.hpp"
#include "sim/study/judge/printed_values.hpp"
#include "sim/study/judge/tolerances.hpp"
#include "sim/study/play/candidate_time.hpp"
#include "sim/study/play/detail.hpp"
#include "sim/study/play/engine_difference.hpp"
#include "sim/study/play/expected_messages.hpp"
#include "sim/study/play/job_results.hpp"
#include "sim/study/play/kept_measurements.hpp"
#include "sim/study/play/network_loads.hpp"
#include "sim/study/play/notes.hpp"
#include "sim/study/play/phase_models.hpp"
#include "sim/study/play/point_metrics.hpp"
#include "sim/study/play/point_notes.hpp"
#include "sim/study/play/point_player.hpp"
#include "sim/study/play/point_predictions.hpp"
#include "sim/study/play/progress.hpp"
#include "sim/study/play/repeats.hpp"
#include "sim/study/play/run_models.hpp"
#include "sim/study/play/survey.hpp"
#include "sim/study/play/what_if_harm.hpp"
#include "sim/study/read/engines.hpp"
#include "sim/study/read/loaded_points.hpp"
#include "sim/study/read/measured_times.hpp"

namespace orrery::study {

namespace {

constexpr std::uint32_t rounds_ranks_max = 128;  // whose measuring is kept for a picture

/// What one point ended in on each engine asked for.
using PlayedPoint = std::vector<engine::Played>;

/// How many points every engine has finished.
std::size_t finished_points(const std::vector<PointPlayer>& players, std::size_t points) {
  std::size_t finished = 0;
  for (std::size_t i = 0; i < points; ++i)
    finished += std::ranges::all_of(players, [&](const PointPlayer& player) { return player.finished(i); });
  return finished;
}

/// A merged run plays nothing. Throws PointsMissing.
void require_ended(const std::vector<PointPlayer>& players, std::size_t points, const RunOptions& options) {
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < points; ++i)
    if (options.plays(i) && !std::ranges::all_of(players, [&](const PointPlayer& player) { return player.ended(i); }))
      missing.push_back(i);
  if (missing.empty()) return;
  const Refusal what("{} of {} points have no result", missing.size(), points);
  throw PointsMissing(what, std::move(missing));
}

std::string count_of(std::size_t some, std::size_t all) {
  return fmt::format("{} of {} {}", some, all, all == 1 ? "point" : "points");
}

/// What a run finds that another one left.
void tell_found(const Scenario& scenario, const std::vector<PointPlayer>& players, std::size_t points,
                const RunOptions& options, ResultStore& store) {
  if (store.file() == ResultStore::in_memory || options.merged) return;
  const std::size_t found = finished_points(players, points);
  if (options.resume) {
    if (const auto others = store.of_other_builds(); others > 0)
      tell("{}: {} points are of another version or build of orrery and are not used\n", store.file(), others);
    tell("resuming {}: {} finished, {} left\n", scenario.name, count_of(found, points), points - found);
  } else if (found > 0 && store.unfinished()) {
    tell("{}: {} {} finished, of a run that stopped. {} again; --resume goes on instead\n", store.file(),
         count_of(found, points), found == 1 ? "is" : "are", found == 1 ? "It is played" : "They are played");
  }
}

/// What failed, naming the engine where the engines do not agree on it.
Refusal failure_of(const PlayedPoint& played, const std::vector<std::string>& engines) {
  const auto same = [&](const engine::Played& one) { return one.error.text() == played.front().error.text(); };
  if (std::ranges::all_of(played, same)) return played.front().error;
  std::string text;
  for (std::size_t e = 0; e < played.size(); ++e)
    if (!played[e].error.empty())
      text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", engines[e], played[e].error);
  return Refusal::sentence(text);
}

/// Every parameter of the kernel and what is said of the partition, as written: nothing else of a result says them.
Settings asked_of(const LoadedPoint& point) {
  Settings asked;
  for (const auto& [name, value] : point.parameters.rendered()) {
    const auto written = point.settings.find("kernel." + name);
    asked.emplace_back("kernel." + name, written == point.settings.end() ? value : written->second);
  }
  for (const auto& [path, value] : point.settings)
    if (path.starts_with("partition.")) asked.emplace_back(path, value);
  return asked;
}

PointResult point_result(const PointSpec& spec, const LoadedPoint& point, PlayedPoint played,
                         const std::vector<std::string>& engines, NetworkOutlines& outlines, bool whole) {
  PointResult result{.id = point.id,
                     .settings = spec.settings,
                     .asked = asked_of(point),
                     .kernel = spec.kernel.name,
                     .platform = point.platform->name,
                     .network = point.network->name,
                     .layout_name = point.layout.name,
                     .compared_phase = point.compared_phase,
                     .layout = point.layout,
                     .node_names = node_names(*point.platform, point.layout)};
  if (point.partition) result.partition = *point.partition;
  if (point.layout.ranks() <= rounds_ranks_max) result.rounds = point.rounds;
  if (whole) result.traffic = traffic_matrix(*point.program);  // else of a program that nobody played to its end
  result.traffic_group = traffic_group(point.layout.ranks());
  if (played.empty()) return result;
  result.failure = failure_of(played, engines);
  if (played.front().exit_code != 0) return result;
  result.run = std::move(played.front().result);
  result.simulated = point.jobs.empty() ? result.run.phase_time(point.compared_phase) : result.run.makespan;
  count_repetitions(result);
  result.metrics = metrics_of(spec, point, result.run);
  const show::Answer answer = show::answer_of(result);
  result.binding = show::bottleneck_sentence(answer);
  result.bound_by = show::bottleneck_kind(answer);
  const auto network = outlines.of(point.platform, *point.network);
  result.network_outline = {network, &network->outline};
  result.network_loads = network_loads(*outlines.of(point.played_platform(), point.played_network()), result.run);
  if (played.size() > 1 && played[1].exit_code == 0)
    result.other_engine = difference_between(result.run, played[1].result);
  return result;
}

/// Which compute models applied: one, or each that the sweep has, once.
void add_distinct(std::vector<std::string>& distinct, std::string description) {
  if (std::ranges::find(distinct, description) == distinct.end()) distinct.push_back(std::move(description));
}

/// Which play of a point is shown: of several the run that took the median time.
struct ShownPlay {
  std::size_t number = 0;
  std::optional<Repeats> repeats = {};
  Refusal failure = {};  ///< of a repetition that could not finish: it is the point's
};

ShownPlay shown_play(const RepeatedScenario& repeats, std::size_t point, PointPlayer& player) {
  ShownPlay shown{repeats.first[point]};
  const auto& seeds = repeats.seeds[point];
  std::vector<RunResult> runs;
  for (std::size_t k = 0; seeds.size() > 1 && k < seeds.size(); ++k) {
    engine::Played played = player.result(repeats.first[point] + k);
    if (played.exit_code != 0) {
      shown.failure = played.error.at(fmt::format("with seed {}", seeds[k]));
      return shown;
    }
    runs.push_back(std::move(played.result));
  }
  if (runs.empty()) return shown;
  shown.repeats = repeats_of(seeds, runs);
  shown.number += static_cast<std::size_t>(shown.repeats->shown - seeds.front());
  return shown;
}

/// Its times are medians, each of its own.
void add_repeats(PointResult& point, ShownPlay shown) {
  if (!shown.failure.empty()) point.failure = std::move(shown.failure);
  if (!shown.repeats || !point.failure.empty()) return;
  if (const auto* compared = shown.repeats->of_phase(point.compared_phase)) point.simulated = compared->median;
  point.repeats = std::move(shown.repeats);
}

/// Throws what the first point failed of, with its code, where none was played.
void raise_common_failure(const ScenarioResult& result, int code) {
  constexpr int refused = 2;  // of an InputError: what is asked cannot be, as where a dead link leaves no way
  const bool all_failed = std::ranges::all_of(result.points, [](const auto& p) { return !p.failure.empty(); });
  if (!all_failed || result.points.empty()) return;
  if (code == refused) throw InputError(result.points.front().failure);
  throw ReplayError(result.points.front().failure);
}

/// Every point as it ended, with what the models of phases say of it.
void collect_points(ScenarioResult& result, const Scenario& scenario, const std::vector<std::string>& engines,
                    const LoadedPoints& points, const RepeatedScenario& repeats, const LoadedPoints& plays,
                    std::vector<PointPlayer>& players, std::vector<PointAnswer>& answers, const RunOptions& options) {
  std::vector<std::string> compute_models;
  NetworkOutlines outlines;
  PointNotes point_notes;
  WhatIfHarm harm;
  int first_code = 0;
  Progress progress(options.side + "collecting " + scenario.name, points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    throw_if_interrupted(Refusal("{} of {} points were collected", i, points.size()));
    const auto first = points.at(i);
    ShownPlay shown{i};
    if (repeats.scenario && !players.empty()) shown = shown_play(repeats, i, players.front());
    const auto point = shown.repeats ? plays.at(shown.number) : first;
    PlayedPoint played;
    if (options.plays(shown.number))
      for (auto& player : players) played.push_back(player.result(shown.number));
    if (i == 0 && !played.empty()) first_code = played.front().exit_code;
    auto& collected = result.points.emplace_back(
        point_result(scenario.points[i], *point, std::move(played), engines, outlines, scenario.steady == 0.0));
    collected.id = first->id;
    collected.platform = first->platform->name;  // a seed that was drawn is not a change
    add_repeats(collected, std::move(shown));
    collected.predictions = std::move(answers[i].predictions);
    if (collected.failure.empty()) collected.failure = std::move(answers[i].failure);
    if (!collected.run.engine.empty())
      result.engine =
          collected.run.engine + (collected.other_engine ? " (shown) and " + collected.other_engine->engine : "");
    point_notes.see(collected, *point, scenario.points[i]);
    if (options.on_collected) options.on_collected(point);
    if (many_points(points.size()) && !options.full) {
      keep_times(collected);
      if (i > 0) collected.asked = Settings();  // but for the settings that it has they are the first's
    }
    harm.see(*point, outlines);
    add_distinct(compute_models, first->compute->description());
    for (const auto& note : point->partition_notes)
      result.notes.push_back(fmt::format("{}: {}", show::point_label(collected), note));
    if (options.progress) progress.update(i + 1);
  }
  raise_common_failure(result, first_code);
  for (auto& note : point_notes.notes()) result.notes.push_back(std::move(note));
  harm.conclude(result);
  result.compute_description = fmt::format("{}", fmt::join(compute_models, " | "));
}

/// What is concluded from the points together.
void conclude(ScenarioRun& run, const Scenario& scenario, const RunModels& run_models, const LoadedPoint& first,
              const std::vector<SurveyedPoint>& survey, const RunOptions& options) {
  ScenarioResult& result = run.result;
  const FittedRunModels fitted = run_models.fitted_to(run_times(result));
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    auto& predictions = result.points[i].predictions;
    predictions = fitted.with(i, std::move(predictions));
  }
  describe(result, first);
  add_speed_ups(result, scenario);
  apply_published(result, scenario);
  apply_measured(result, scenario);
  result.averages = average_rows(result, scenario);
  for (const auto& note : unused_published(scenario)) result.notes.push_back(note);
  for (const auto& note : notes_of_measured(scenario)) result.notes.push_back(note);
  if (std::string note = measured_factor(result, scenario); !note.empty()) result.notes.push_back(std::move(note));
  for (const auto& note : unused_predictions(scenario.models)) result.notes.push_back(note);
  for (const auto& note : fitted.notes()) result.notes.push_back(note);
  add_notes(result, scenario, first, survey, options);
  const Refit refit = refit_of(result, scenario, run_models);
  if (scenario.choose) run.choices = choices_of(result, scenario, refit);
  auto broken = broken_sentences(run.choices, scenario.file);
  apply_tolerances(result, scenario);
  for (auto& sentence : broken) result.broken_tolerances.push_back(std::move(sentence));
  result.printed = printed_values(result, scenario, run.choices);
}

ScenarioRun play(const Scenario& scenario, const RunOptions& options, ResultStore& store) {
  const auto begin = std::chrono::steady_clock::now();
  const bool kept = store.file() != ResultStore::in_memory;
  const std::string stopped = kept ? "\n" + nothing_played(scenario).text() : "";
  const std::vector<std::string> engines = engines_of(scenario.engine);
  ScenarioRun run;
  KeptMeasurements measurements(store, options.resume);
  CandidateTime candidate_time(scenario, options.jobs);
  const RepeatedScenario repeats = [&] {
    const Abandonable reading("interrupted: the points were read to be repeated" + stopped);
    return repeated(scenario, options.repeat);
  }();
  // What is played: the points, or each of them once for each of its seeds.
  const Scenario& plays = repeats.scenario ? *repeats.scenario : scenario;
  const LoadedPoints points(scenario, asks_models_of_runs(scenario), std::ref(candidate_time));
  const LoadedPoints all_points(plays, false, std::ref(candidate_time));
  ModelNeeds needs(scenario);
  const auto survey = survey_of(scenario, points, &needs, options, stopped);
  const auto all = repeats.scenario ? survey_of(plays, all_points, nullptr, options, stopped) : survey;
  tell_slow(engines.front(), all, options);
  for (const auto& point : all) run.ids.insert(point.id);
  std::vector<PointPlayer> players;
  if (options.simulate)
    for (const auto& engine : engines) players.emplace_back(plays, all_points, all, options, store, engine);
  if (options.merged) require_ended(players, all.size(), options);
  tell_found(scenario, players, all.size(), options, store);
  store.begin();
  ScenarioResult& result = run.result;
  try {
    const RunModels run_models(scenario, points);
    const PhaseModels phase_models(scenario, needs, {engines.front(), options.jobs, options.progress, &measurements});
    run.parameters = phase_models.parameters();
    run.ids.insert(measurements.ids().begin(), measurements.ids().end());
    for (auto& player : players) player.play();
    auto answers = predict_points(phase_models, points, survey, options, store);
    const Abandonable collecting(fmt::format(
        "interrupted: the results were collected{}",
        kept ? fmt::format("\nAll that ended is kept in {}. Run the same command with --resume?", store.file()) : ""));
    collect_points(result, scenario, engines, points, repeats, all_points, players, answers, options);
    result.models = descriptions_of(scenario.models);
    conclude(run, scenario, run_models, *points.at(0), survey, options);
    if (!repeats.note.empty()) result.notes.push_back(repeats.note);
  } catch (const Interrupted& stop) {
    if (!kept || players.empty()) throw;
    throw Stopped(stop.refusal(), finished_points(players, all.size()), all.size(), measurements.had());
  }
  result.name = scenario.name;
  result.title = scenario.title;
  result.source = scenario.source;
  result.file = scenario.file;
  result.version = version;
  result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return run;
}

}  // namespace

Refusal nothing_played(const Scenario& scenario) {
  return Refusal("No point of {} was played. Run the same command again?",
                 scenario.file.empty() ? scenario.name : scenario.file);
}

ScenarioRun run_scenario(const Scenario& scenario, const RunOptions& options, ResultStore& store) {
  return play(scenario, options, store);
}

ScenarioRun run_scenario(const Scenario& scenario, const RunOptions& options) {
  ResultStore store(ResultStore::in_memory);
  return play(scenario, options, store);
}

}  // namespace orrery::study
