#include "sim/study/play/run_models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "sim/core/error.hpp"
#include "sim/study/play/timed_prediction.hpp"

namespace orrery::study {

namespace {

void add_run(Prediction& prediction, const RunModel& model, const PredictionInput& input, Said said) {
  prediction.of_run = model.predicts_run();
  if (said == Said::time) {
    prediction.time = model.time(input, nullptr);
    return;
  }
  std::vector<Explanation> terms;
  prediction.time = model.time(input, &terms);
  for (auto& term : terms) prediction.terms.push_back({std::move(term.text), term.cost});
  prediction.notes = model.notes(input);
}

}  // namespace

bool asks_models_of_runs(const Scenario& scenario) {
  return std::ranges::any_of(scenario.models, &ModelSpec::fitted_to_runs);
}

RunModels::RunModels(const Scenario& scenario, const LoadedPoints& points) : scenario_(scenario) {
  for (const auto& spec : scenario.models) {
    if (!spec.fitted_to_runs()) continue;
    std::vector<bool> fitted;
    for (const PointSpec& point : scenario.points) fitted.push_back(meets(spec.fit_on, point.flat));
    models_.push_back({&spec, std::move(fitted)});
  }
  if (models_.empty()) return;
  runs_.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) runs_.push_back(points.at(i)->prediction_input({}));
  for (const auto& model : models_) check(model, model.fitted);
}

void RunModels::check(const RunModelAsked& model, const std::vector<bool>& fitted) const {
  std::vector<PredictionInput> known, asked;
  for (std::size_t i = 0; i < runs_.size(); ++i) (fitted[i] ? known : asked).push_back(runs_[i]);
  model.spec->entry->check_runs(model.spec->variant, known, asked);
}

FittedRunModels RunModels::fitted_to(std::span<const std::optional<RunTimes>> times) const {
  FittedRunModels result(scenario_, runs_);
  for (const auto& model : models_) {
    std::vector<TimedRun> runs;
    std::vector<bool> fitted = model.fitted;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      fitted[i] = fitted[i] && times[i].has_value();
      if (fitted[i]) runs.push_back({runs_[i], times[i]->makespan, times[i]->compared});
    }
    auto& ready = result.models_.emplace_back(FittedRunModels::Ready{&model, nullptr});
    try {
      if (fitted != model.fitted) check(model, fitted);  // some failed
      ready.model = model.spec->entry->fit_runs(model.spec->variant, runs);
    } catch (const Error& error) {
      result.notes_.push_back(fmt::format("{} predicts nothing: {}", model.spec->name, error.what()));
    }
  }
  return result;
}

std::vector<Prediction> FittedRunModels::with(std::size_t point, std::vector<Prediction> of_phases, Said said) const {
  std::vector<Prediction> all;
  auto next = of_phases.begin();
  for (const auto& spec : scenario_.models) {
    if (spec.is_own()) {
      const PointSpec of_point = scenario_.points[point];
      for (const auto& stated : spec.own->times({of_point.flat, of_point.settings}))
        all.push_back(
            {.model = spec.name, .mode = stated.of_run() ? "run" : "", .time = stated.time, .of_run = stated.of_run()});
      continue;
    }
    const auto ready = std::ranges::find(models_, &spec, [](const Ready& one) { return one.asked->spec; });
    if (ready == models_.end()) {
      if (next != of_phases.end()) all.push_back(std::move(*next++));
    } else if (ready->model && ready->model->answers(runs_[point])) {
      all.push_back(
          timed_prediction(*spec.entry, spec.variant, ready->asked->fitted[point],
                           [&](Prediction& prediction) { add_run(prediction, *ready->model, runs_[point], said); }));
    }
  }
  return all;
}

std::vector<std::optional<RunTimes>> run_times(const ScenarioResult& result) {
  std::vector<std::optional<RunTimes>> times;
  for (const auto& point : result.points) {
    times.emplace_back();
    if (point.simulated) times.back() = RunTimes{point.run.makespan, *point.simulated};
  }
  return times;
}

Refit refit_of(const ScenarioResult& result, const Scenario& scenario, const RunModels& run_models) {
  const auto of_phases = [&](const Prediction& said) {
    return std::ranges::any_of(scenario.models, [&](const ModelSpec& spec) {
      return !spec.is_own() && spec.name == said.model && !spec.fitted_to_runs();
    });
  };
  return [&result, &run_models, of_phases](const std::vector<Seconds>& makespans) {
    auto times = run_times(result);
    for (std::size_t i = 0; i < times.size(); ++i)
      if (times[i]) times[i]->makespan = makespans[i];
    const FittedRunModels fitted = run_models.fitted_to(times);
    std::vector<std::vector<Prediction>> said;
    for (std::size_t i = 0; i < times.size(); ++i) {
      std::vector<Prediction> kept;
      std::ranges::copy_if(result.points[i].predictions, std::back_inserter(kept), of_phases);
      said.push_back(fitted.with(i, std::move(kept), Said::time));
    }
    return said;
  };
}

}  // namespace orrery::study
