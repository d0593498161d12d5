#include "sim/study/play/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "sim/config/parameter_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/fit/calibrate.hpp"
#include "sim/study/play/kept_measurements.hpp"
#include "sim/study/play/left_out.hpp"
#include "sim/study/play/progress.hpp"
#include "sim/study/play/run_scenario.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/read/engines.hpp"
#include "sim/study/store/result_store.hpp"

namespace orrery::app {

namespace {

/// The dearest terms of a phase, so that a report can say where the time goes.
constexpr std::size_t terms_max = 12;

void keep_dearest(std::vector<PredictionTerm>& terms) {
  const auto cost = [](const PredictionTerm& term) { return static_cast<double>(term.repeat) * term.cost; };
  std::ranges::stable_sort(terms, std::ranges::greater{}, cost);
  if (terms.size() > terms_max) terms.resize(terms_max);
}

/// Sum over the phases that the model predicts of repeat * time.
void add_phases(Prediction& prediction, const PhaseModel& model, const PredictionInput& input) {
  prediction.of_run = model.predicts_run();
  for (const auto& phase : input.phases) {
    if (!prediction.of_run && phase.name != input.compared_phase) continue;
    std::vector<Explanation> terms;
    const auto repeat = static_cast<double>(phase.repeat);
    const PhaseTime time = model.time(phase, input, &terms);
    prediction.time += repeat * time.total();
    prediction.computation += repeat * time.computation;
    prediction.overlap += repeat * time.overlap;
    for (auto& term : terms) prediction.terms.push_back({std::move(term.text), term.cost, phase.repeat});
  }
  prediction.notes = model.notes(input);
}

void add_run(Prediction& prediction, const RunModel& model, const PredictionInput& input) {
  std::vector<Explanation> terms;
  prediction.of_run = model.predicts_run();
  prediction.time = model.time(input, &terms);
  for (auto& term : terms) prediction.terms.push_back({std::move(term.text), term.cost});
  prediction.notes = model.notes(input);
}

}  // namespace

namespace {

void add_needs(CalibrationNeeds& all, CalibrationNeeds more) {
  all.concurrency = std::max(all.concurrency, more.concurrency);
  for (auto& job : more.jobs)
    if (std::ranges::find(all.jobs, job) == all.jobs.end()) all.jobs.push_back(std::move(job));
}

}  // namespace

std::vector<const ModelEntry*> Predictor::entries() const {
  std::vector<const ModelEntry*> result;
  for (const auto& spec : scenario_.models) {
    if (spec.is_own()) continue;
    const auto* entry = &models().at(spec.name, spec.where);
    if (std::ranges::find(result, entry) == result.end()) result.push_back(entry);
  }
  return result;
}

std::vector<const ModelEntry*> Predictor::calibrated_entries() const {
  auto result = entries();
  std::erase_if(result, [](const ModelEntry* entry) { return !entry->calibrated(); });
  return result;
}

bool Predictor::of_runs() const { return std::ranges::any_of(entries(), &ModelEntry::fitted_to_runs); }

bool Predictor::of_phases() const {
  return std::ranges::any_of(entries(), [](const ModelEntry* entry) { return !entry->fitted_to_runs(); });
}

void Predictor::see(const LoadedPoint& point, const std::function<void(std::uint64_t)>& tell) {
  for (const auto& spec : scenario_.models)
    if (spec.own) spec.own->require_phase(point.compared_phase);
  if (!of_phases()) return;  // every changed platform of a sweep would be kept for nothing
  const Key key{identity_of(*point.platform), point.network->name};
  const auto [known, fresh] = number_of_.try_emplace(key, seen_.size());
  if (fresh) seen_.push_back({point.platform, point.network, {}});
  const auto all = entries();
  if (std::ranges::none_of(all, [](const ModelEntry* entry) { return bool(entry->needs); })) return;
  const auto phases = build_phases(*point.program, tell);
  const PredictionInput run = point.prediction_input(phases);
  CalibrationNeeds& needs = seen_[known->second].needs;
  for (const auto* entry : all)
    if (entry->needs) add_needs(needs, entry->needs(run));
}

void Predictor::prepare(std::span<const PredictionInput> runs) {
  runs_ = runs;
  of_runs_ = run_models();
  for (const auto& model : of_runs_) check(model, model.fitted);
  for (const auto& spec : scenario_.models)
    if (const std::size_t rows = spec.own ? spec.own->unused() : 0; rows > 0)
      notes_.push_back(fmt::format("{}: {} row{} of {} for no point of the sweep", spec.name, rows,
                                   rows == 1 ? "" : "s", spec.predictions));
  if (!of_phases()) return;
  for (const Seen& seen : seen_) {
    const Key key{identity_of(*seen.platform), seen.network->name};
    const std::size_t known = parameters_.size();
    of_phases_[key] = phase_models(seen);
    std::string made;
    for (const auto& ready : of_phases_[key]) made += ready.entry->name + " " + ready.variant + "\n";
    const std::vector<ModelParameters> sets(parameters_.begin() + static_cast<std::ptrdiff_t>(known),
                                            parameters_.end());
    if (!sets.empty()) made += config::parameter_file_text(sets, {});
    made_with_[key] = fmt::format("predictions {:016x}", fingerprint(made));
  }
}

std::vector<Predictor::OfPhases> Predictor::phase_models(const Seen& seen) {
  const Platform& platform = *seen.platform;
  const Network& network = *seen.network;
  const auto sets = parameters_for(platform, network, seen.needs);
  std::vector<OfPhases> ready;
  for (const auto& spec : scenario_.models) {
    if (spec.is_own()) continue;
    const auto& entry = models().at(spec.name, spec.where);
    if (entry.fitted_to_runs()) continue;
    const ModelParameters none{
        .model = spec.name, .platform = platform.name, .network = network.name, .origin = {}, .tables = {}};
    const auto set = std::ranges::find(sets, spec.name, &ModelParameters::model);
    std::string variant = variant_of(entry, model_settings(spec));
    auto model = make_phase_model(entry, {platform, network, variant, set == sets.end() ? none : *set});
    ready.push_back({&spec, &entry, std::move(variant), std::move(model)});
  }
  parameters_.insert(parameters_.end(), sets.begin(), sets.end());
  return ready;
}

std::vector<Predictor::OfRuns> Predictor::run_models() const {
  std::vector<OfRuns> models_of_runs;
  for (const auto& spec : scenario_.models) {
    if (spec.is_own()) continue;
    const auto& entry = models().at(spec.name, spec.where);
    if (!entry.fitted_to_runs()) continue;
    std::vector<bool> fitted;
    for (const PointSpec& point : scenario_.points) fitted.push_back(meets(spec.fit_on, point.flat));
    models_of_runs.push_back({&spec, &entry, variant_of(entry, model_settings(spec)), fitted});
  }
  return models_of_runs;
}

void Predictor::check(const OfRuns& model, const std::vector<bool>& fitted) const {
  std::vector<PredictionInput> known, asked;
  for (std::size_t i = 0; i < runs_.size(); ++i) (fitted[i] ? known : asked).push_back(runs_[i]);
  model.entry->check_runs(model.variant, known, asked);
}

void Predictor::fit(std::span<const std::optional<RunTimes>> times) {
  for (auto& model : of_runs_) {
    std::vector<TimedRun> runs;
    std::vector<bool> fitted = model.fitted;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      fitted[i] = fitted[i] && times[i].has_value();
      if (fitted[i]) runs.push_back({runs_[i], times[i]->makespan, times[i]->compared});
    }
    try {
      check(model, fitted);  // some may have failed
      model.model = model.entry->fit_runs(model.variant, runs);
    } catch (const Error& error) {
      notes_.push_back(fmt::format("{} predicts nothing: {}", model.entry->name, error.what()));
    }
  }
}

std::vector<ModelParameters> Predictor::parameters_for(const Platform& platform, const Network& network,
                                                       const CalibrationNeeds& needs) const {
  if (calibrated_entries().empty()) return {};
  return scenario_.calibration.files.empty() ? from_engine(platform, network, needs) : from_files(platform, network);
}

std::vector<ModelParameters> Predictor::from_files(const Platform& platform, const Network& network) const {
  const auto& calibration = scenario_.calibration;
  const std::string folder = scenario_.folder();
  std::vector<ModelParameters> found;
  for (const auto& file : calibration.files)
    for (auto& set : config::read_parameter_file(data_path("scenarios", file, "yaml", calibration.where, folder)))
      if (set.platform == platform.name && set.network == network.name) found.push_back(std::move(set));
  for (const auto* entry : calibrated_entries())
    if (std::ranges::find(found, entry->name, &ModelParameters::model) == found.end())
      throw InputError(fmt::format(
          "{}: no file has parameters of model '{}' for network '{}' of platform '{}'. Make them "
          "with 'orrery calibrate --platform {} --network {} --model {} -o FILE'?",
          calibration.where, entry->name, network.name, platform.name, platform.name, network.name, entry->name));
  return found;
}

std::vector<ModelParameters> Predictor::from_engine(const Platform& platform, const Network& network,
                                                    const CalibrationNeeds& needs) const {
  const auto& calibration = scenario_.calibration;
  CalibrationRange range{.sizes = calibration.sizes.empty() ? default_sizes() : calibration.sizes,
                         .concurrency = calibration.concurrency > 0 ? calibration.concurrency : needs.concurrency,
                         .pairs = calibration.pairs,
                         .jobs = needs.jobs};
  const auto entries = calibrated_entries();
  const auto plan = plan_of(entries, platform, network, range);
  Progress progress(fmt::format("calibrating on {}", network.name), plan.size());
  CalibrationOptions options{.jobs = jobs_,
                             .engine = [this] { return make_engine(engines_of(scenario_.engine).front(), "engine"); }};
  options.keep_going = [] { return !interrupted(); };
  if (progress_)
    options.progress = [&](std::size_t done, std::size_t, const std::string& last) { progress.update(done, last); };
  if (kept_ == nullptr) return app::fit(entries, platform, network, range, measure(plan, platform, network, options));
  const std::size_t found = kept_->found();
  const auto kept = kept_->in(std::move(options), platform, network, engines_of(scenario_.engine).front());
  const Measured measured = measure(plan, platform, network, kept);
  if (kept_->found() > found)
    tell("resuming {}: {} of {} benchmarks on {} were measured before\n", scenario_.name, kept_->found() - found,
         plan.size(), network.name);
  return app::fit(entries, platform, network, range, measured);
}

namespace {

/// One model's answer and how long it took.
template <class Ready, class Fill>
Prediction timed(const Ready& ready, bool fitted, const PredictionInput& run, const Fill& fill) {
  const auto begin = std::chrono::steady_clock::now();
  Prediction prediction{.model = ready.entry->name, .mode = ready.variant, .fitted = fitted};
  fill(prediction, *ready.model, run);
  keep_dearest(prediction.terms);
  prediction.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return prediction;
}

}  // namespace

std::vector<Prediction> Predictor::predict(const PredictionInput& run) const {
  std::vector<Prediction> predictions;
  const auto of_network = of_phases_.find({identity_of(run.platform), run.network.name});
  if (of_network == of_phases_.end()) return predictions;
  const Seconds computed = computed_in_compared(run);
  for (const auto& ready : of_network->second) {
    Prediction& made = predictions.emplace_back(timed(ready, false, run, add_phases));
    if (made.of_run || !ready.entry->computation.empty()) continue;
    if (std::string note = computation_left_out(run, computed, made.time); !note.empty())
      made.notes.push_back(std::move(note));
  }
  return predictions;
}

std::string Predictor::made_with(const std::string& platform, const std::string& network) const {
  return made_with_.at({platform, network});
}

std::vector<Prediction> Predictor::with_runs(std::size_t point, std::vector<Prediction> of_phases) const {
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
    const auto fitted = std::ranges::find(of_runs_, &spec, &OfRuns::spec);
    if (fitted == of_runs_.end()) {
      if (next != of_phases.end()) all.push_back(std::move(*next++));
    } else if (fitted->model && fitted->model->answers(runs_[point])) {
      all.push_back(timed(*fitted, fitted->fitted[point], runs_[point], add_run));
    }
  }
  return all;
}

std::vector<ModelParameters> Predictor::parameters() const { return parameters_; }

std::vector<ModelDescription> Predictor::descriptions() const {
  std::vector<ModelDescription> result;
  for (const auto& spec : scenario_.models) {
    if (std::ranges::find(result, spec.name, &ModelDescription::name) != result.end()) continue;
    if (spec.is_own()) {
      result.push_back({spec.name, "predictions of the scenario's own", spec.predictions, {}});
      continue;
    }
    const auto& entry = models().at(spec.name, spec.where);
    result.push_back({entry.name, entry.summary, entry.source, entry.assumptions});
  }
  return result;
}

}  // namespace orrery::app
