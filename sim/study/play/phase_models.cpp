#include "sim/study/play/phase_models.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/config/parameter_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"
#include "sim/core/trace_streams.hpp"
#include "sim/study/fit/calibrate.hpp"
#include "sim/study/play/kept_measurements.hpp"
#include "sim/study/play/progress.hpp"
#include "sim/study/play/run_scenario.hpp"
#include "sim/study/play/timed_prediction.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/store/result_store.hpp"

namespace orrery::study {

namespace {

/// Sum over the phases that the model predicts of repeat * time.
void add_phases(Prediction& prediction, const PhaseModel& model, const PredictionInput& input) {
  prediction.of_run = model.predicts_run();
  for (const auto& phase : input.phases) {
    if (!prediction.of_run && phase.name != input.compared_phase) continue;
    std::vector<Explanation> terms;
    const auto repeat = static_cast<double>(phase.repeat);
    const PhaseTime time = model.time(phase, input, &terms);
    if (!(time.total().si() >= 0.0))  // a model of one's own may be wrong
      throw DomainError("{}: predicts {:g} s for phase '{}' (0 s at least). Check its formula?", prediction.model,
                        time.total().si(), phase.name);
    prediction.time += repeat * time.total();
    prediction.computation += repeat * time.computation;
    prediction.overlap += repeat * time.overlap;
    for (auto& term : terms) prediction.terms.push_back({std::move(term.text), term.cost, phase.repeat});
  }
  prediction.notes = model.notes(input);
}

void add_needs(CalibrationNeeds& all, CalibrationNeeds more) {
  all.concurrency = std::max(all.concurrency, more.concurrency);
  for (auto& job : more.jobs)
    if (std::ranges::find(all.jobs, job) == all.jobs.end()) all.jobs.push_back(std::move(job));
}

/// Models of the catalogue that the scenario asks, each once.
std::vector<const ModelEntry*> entries_of(const Scenario& scenario) {
  std::vector<const ModelEntry*> result;
  for (const auto& spec : scenario.models) {
    if (spec.is_own()) continue;
    const ModelEntry* entry = spec.entry;
    if (std::ranges::find(result, entry) == result.end()) result.push_back(entry);
  }
  return result;
}

std::vector<const ModelEntry*> calibrated_entries(const Scenario& scenario) {
  auto result = entries_of(scenario);
  std::erase_if(result, [](const ModelEntry* entry) { return !entry->calibrated(); });
  return result;
}

std::vector<ModelParameters> from_files(const std::vector<const ModelEntry*>& entries, const Scenario& scenario,
                                        const Platform& platform, const Network& network) {
  const auto& calibration = scenario.calibration;
  const std::string folder = scenario.folder();
  std::vector<ModelParameters> found;
  for (const auto& file : calibration.files)
    for (auto& set : config::read_parameter_file(data_path("scenarios", file, "yaml", calibration.where, folder)))
      if (set.platform == platform.name && set.network == network.name) found.push_back(std::move(set));
  for (const auto* entry : entries)
    if (std::ranges::find(found, entry->name, &ModelParameters::model) == found.end())
      throw InputError(
          "{}: no file has parameters of model '{}' for network '{}' of platform '{}'. Make them "
          "with 'orrery calibrate --platform {} --network {} --model {} -o FILE'?",
          calibration.where, entry->name, network.name, platform.name, platform.name, network.name, entry->name);
  return found;
}

/// What a model says of parameters that are incomplete, with the file that holds them.
[[noreturn]] void refuse_in_file(const std::string& model, const Scenario& scenario, const Platform& platform,
                                 const Network& network, const InputError& error) {
  const auto& calibration = scenario.calibration;
  for (const auto& file : calibration.files) {
    const std::string path = data_path("scenarios", file, "yaml", calibration.where, scenario.folder());
    for (const auto& set : config::read_parameter_file(path))
      if (set.model == model && set.platform == platform.name && set.network == network.name)
        throw InputError(error.refusal().at(path));
  }
  throw error;
}

std::vector<ModelParameters> from_engine(const std::vector<const ModelEntry*>& entries, const Scenario& scenario,
                                         const ModelNeeds::OfNetwork& on, const PhaseModels::Options& how) {
  const Platform& platform = *on.platform;
  const Network& network = *on.network;
  const auto& calibration = scenario.calibration;
  const CalibrationRange range{
      .sizes = calibration.sizes.empty() ? default_sizes() : calibration.sizes,
      .concurrency = calibration.concurrency > 0 ? calibration.concurrency : on.needs.concurrency,
      .pairs = calibration.pairs,
      .jobs = on.needs.jobs};
  const auto plan = plan_of(entries, platform, network, range);
  Progress progress(fmt::format("calibrating on {}", network.name), plan.size());
  CalibrationOptions options{.jobs = how.jobs, .engine = [&] { return make_engine(how.engine, "engine"); }};
  options.keep_going = [] { return !interrupted(); };
  if (how.progress)
    options.progress = [&](std::size_t done, std::size_t, const std::string& last) { progress.update(done, last); };
  const std::size_t before = how.kept ? how.kept->found() : 0;
  if (how.kept) options = how.kept->in(std::move(options), platform, network, how.engine);
  auto sets = fit(entries, platform, network, range, measure(plan, platform, network, options));
  if (how.kept && how.kept->found() > before)
    tell("resuming {}: {} of {} benchmarks on {} were measured before\n", scenario.name, how.kept->found() - before,
         plan.size(), network.name);
  return sets;
}

/// Done by collectives beside their messages, which every model has (PhaseModel::time).
bool of_collectives(Work work) {
  return work == Work::reduction || work == Work::buffer_copy || work == Work::fresh_buffer || work == Work::datatype;
}

/// What ranks compute in the compared phases, of the rank that does most, but for what collectives do beside messages.
Seconds computed_in_compared(const PredictionInput& run) {
  Seconds all;
  std::vector<Seconds> busy;
  for (const Phase& phase : run.phases) {
    if (phase.name != run.compared_phase || phase.computes.empty()) continue;
    busy.assign(phase.ranks, Seconds{});
    for (const ComputeItem& item : phase.computes)
      if (!of_collectives(item.compute.work))
        busy[index(item.rank)] += static_cast<double>(item.repeat) * run.compute.compute_time(item.compute, item.rank);
    all += static_cast<double>(phase.repeat) * std::ranges::max(busy);
  }
  return all;
}

/// What is to be said of a prediction of messages alone, where ranks compute in that phase as well; it names the models
/// that have computation. Empty where that is below a tenth of what was predicted.
std::string computation_left_out(const PredictionInput& run, Seconds computed, Seconds predicted) {
  if (computed <= 0.1 * predicted) return "";
  std::string with, fitted;
  for (const auto& [name, entry] : models().entries()) {
    if (!entry.computation.empty()) with += fmt::format("{}{} ({})", with.empty() ? "" : ", ", name, entry.computation);
    if (entry.fitted_to_runs()) fitted += fmt::format("{}{}", fitted.empty() ? "" : ", ", name);
  }
  return fmt::format(
      "messages alone, though ranks also compute in phase '{}'. With computation: {}; fitted to whole runs: {}. No "
      "model "
      "here follows computation from rank to rank, as a pipeline has it",
      run.compared_phase, with, fitted);
}

}  // namespace

bool asks_models_of_phases(const Scenario& scenario) {
  return std::ranges::any_of(entries_of(scenario), [](const ModelEntry* entry) { return !entry->fitted_to_runs(); });
}

void ModelNeeds::see(const LoadedPoint& point, const std::function<void(std::uint64_t)>& tell) {
  for (const auto& spec : scenario_.models)
    if (spec.own) spec.own->require_phase(point.compared_phase);
  if (!asks_models_of_phases(scenario_)) return;  // every changed platform of a sweep would be kept for nothing
  if (point.trace) require_one_stream(*point.trace, "models take", "Simulate it without models");
  const auto [known, fresh] =
      number_of_.try_emplace({identity_of(*point.platform), point.network->name}, networks_.size());
  if (fresh) networks_.push_back({point.platform, point.network, {}});
  const auto all = entries_of(scenario_);
  if (std::ranges::none_of(all, [](const ModelEntry* entry) { return bool(entry->needs); })) return;
  const auto phases = build_phases(*point.program, tell);
  const PredictionInput run = point.prediction_input(phases);
  CalibrationNeeds& needs = networks_[known->second].needs;
  for (const auto* entry : all)
    if (entry->needs) add_needs(needs, entry->needs(run));
}

PhaseModels::PhaseModels(const Scenario& scenario, const ModelNeeds& needs, const Options& options) {
  for (const auto& on : needs.networks())
    networks_[{identity_of(*on.platform), on.network->name}] = ready_on(scenario, on, options);
}

PhaseModels::OfNetwork PhaseModels::ready_on(const Scenario& scenario, const ModelNeeds::OfNetwork& on,
                                             const Options& options) {
  const Platform& platform = *on.platform;
  const Network& network = *on.network;
  std::vector<ModelParameters> sets;
  if (const auto entries = calibrated_entries(scenario); !entries.empty())
    sets = scenario.calibration.files.empty() ? from_engine(entries, scenario, on, options)
                                              : from_files(entries, scenario, platform, network);
  OfNetwork made{.platform = on.platform, .models = {}, .models_id = {}};
  std::string text;
  for (const auto& spec : scenario.models) {
    if (spec.is_own() || spec.fitted_to_runs()) continue;
    const ModelParameters none{
        .model = spec.name, .platform = platform.name, .network = network.name, .origin = {}, .tables = {}};
    const auto set = std::ranges::find(sets, spec.name, &ModelParameters::model);
    try {
      made.models.push_back(
          {spec.entry, spec.variant,
           make_phase_model(*spec.entry, {platform, network, spec.variant, set == sets.end() ? none : *set})});
    } catch (const InputError& error) {
      refuse_in_file(spec.name, scenario, platform, network, error);
    }
    text += spec.name + " " + spec.variant + "\n";
  }
  if (!sets.empty()) text += config::parameter_file_text(sets, {});
  made.models_id = fmt::format("predictions {:016x}", fingerprint(text));
  parameters_.insert(parameters_.end(), sets.begin(), sets.end());
  return made;
}

std::vector<Prediction> PhaseModels::predict(const PredictionInput& run) const {
  std::vector<Prediction> predictions;
  const auto on = networks_.find({identity_of(run.platform), run.network.name});
  if (on == networks_.end()) return predictions;
  const Seconds computed = computed_in_compared(run);
  for (const Ready& ready : on->second.models) {
    Prediction& made =
        predictions.emplace_back(timed_prediction(*ready.entry, ready.variant, false, [&](Prediction& prediction) {
          add_phases(prediction, *ready.model, run);
        }));
    if (made.of_run || !ready.entry->computation.empty()) continue;
    if (std::string note = computation_left_out(run, computed, made.time); !note.empty())
      made.notes.push_back(std::move(note));
  }
  return predictions;
}

std::string PhaseModels::models_id(const std::string& platform, const std::string& network) const {
  return networks_.at({platform, network}).models_id;
}

}  // namespace orrery::study
