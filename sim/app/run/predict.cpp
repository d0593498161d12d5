#include "sim/app/run/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "sim/app/calibrate/calibrate.hpp"
#include "sim/app/run/progress.hpp"
#include "sim/app/run/run_scenario.hpp"
#include "sim/config/parameter_file.hpp"
#include "sim/core/error.hpp"
#include "sim/scenario/data_path.hpp"
#include "sim/scenario/engines.hpp"

namespace orrery::app {

namespace {

/// The dearest terms of a phase, so that a report can say where the time goes.
constexpr std::size_t terms_max = 12;

}  // namespace

std::uint32_t greatest_concurrency(const std::vector<Phase>& phases, const std::string& compared,
                                   const Layout& layout) {
  std::size_t greatest = 1;
  for (const auto& phase : phases) {
    if (phase.name != compared) continue;
    // In a sequence a rank has one transmission under way at a time, in a set all of them.
    std::map<std::pair<std::uint32_t, bool>, std::multiset<std::size_t>> senders;
    for (const auto& message : phase.messages)
      senders[{message.stage, layout.same_node(message.from, message.to)}].insert(index(message.from));
    for (const auto& [key, ranks] : senders) {
      const bool sequence = phase.stages[key.first].composition == Composition::sequence;
      const std::set<std::size_t> distinct(ranks.begin(), ranks.end());
      greatest = std::max(greatest, sequence ? distinct.size() : ranks.size());
    }
  }
  return static_cast<std::uint32_t>(greatest);
}

std::vector<const ModelEntry*> Predictor::entries() const {
  std::vector<const ModelEntry*> result;
  for (const auto& spec : scenario_.models) {
    const auto* entry = &models().at(spec.name, spec.where);
    if (std::ranges::find(result, entry) == result.end()) result.push_back(entry);
  }
  return result;
}

void Predictor::prepare(const std::shared_ptr<const Platform>& platform, const Network& network,
                        std::uint32_t concurrency) {
  auto& ready = ready_[{platform->file, network.name}];
  if (!ready.empty() || scenario_.models.empty()) return;
  platforms_.push_back(platform);
  const auto sets = scenario_.calibration.files.empty() ? from_engine(*platform, network, concurrency)
                                                        : from_files(*platform, network);
  for (const auto& spec : scenario_.models) {
    const auto& entry = models().at(spec.name, spec.where);
    const auto set = std::ranges::find(sets, spec.name, &ModelParameters::model);
    const auto variant = variant_of(entry, model_settings(spec));
    ready.push_back({spec.name, variant, entry.make(*set, *platform, variant)});
  }
  parameters_.insert(parameters_.end(), sets.begin(), sets.end());
}

std::vector<ModelParameters> Predictor::from_files(const Platform& platform, const Network& network) const {
  const auto& calibration = scenario_.calibration;
  const std::string folder = scenario_.folder();
  std::vector<ModelParameters> found;
  for (const auto& file : calibration.files)
    for (auto& set : config::read_parameter_file(data_path("scenarios", file, "yaml", calibration.where, folder)))
      if (set.platform == platform.name && set.network == network.name) found.push_back(std::move(set));
  for (const auto* entry : entries())
    if (std::ranges::find(found, entry->name, &ModelParameters::model) == found.end())
      throw InputError(fmt::format(
          "{}: no file has parameters of model '{}' for network '{}' of platform '{}'. Make them "
          "with 'orrery calibrate --platform {} --network {} --model {} -o FILE'?",
          calibration.where, entry->name, network.name, platform.name, platform.name, network.name, entry->name));
  return found;
}

std::vector<ModelParameters> Predictor::from_engine(const Platform& platform, const Network& network,
                                                    std::uint32_t concurrency) const {
  const auto& calibration = scenario_.calibration;
  CalibrationRange range{.sizes = calibration.sizes.empty() ? default_sizes() : calibration.sizes,
                         .concurrency = calibration.concurrency > 0 ? calibration.concurrency : concurrency};
  const auto plan = plan_of(entries(), platform, network, range);
  Progress progress(fmt::format("calibrating on {}", network.name), plan.size());
  CalibrationOptions options{.jobs = jobs_,
                             .engine = [this] { return make_engine(engines_of(scenario_.engine).front(), "engine"); }};
  options.keep_going = [] { return !interrupted(); };
  if (progress_)
    options.progress = [&](std::size_t done, std::size_t, const std::string& last) { progress.update(done, last); };
  return fit(entries(), platform, network, range, measure(plan, platform, network, options));
}

std::vector<Prediction> Predictor::predict(const LoadedPoint& point, const std::vector<Phase>& phases) const {
  std::vector<Prediction> predictions;
  const auto ready = ready_.find({point.platform->file, point.network->name});
  if (ready == ready_.end()) return predictions;
  for (const auto& [name, mode, model] : ready->second) {
    const auto begin = std::chrono::steady_clock::now();
    Prediction prediction{.model = name, .mode = mode};
    for (const auto& phase : phases) {
      if (phase.name != point.compared_phase || phase.messages.empty()) continue;
      std::vector<Explanation> terms;
      prediction.time += static_cast<double>(phase.repeat) * model->communication_time(phase, point.layout, &terms);
      for (auto& term : terms) prediction.terms.push_back({std::move(term.text), term.cost, phase.repeat});
    }
    prediction.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const auto cost = [](const PredictionTerm& term) { return static_cast<double>(term.repeat) * term.cost; };
    std::ranges::stable_sort(prediction.terms, std::ranges::greater{}, cost);
    if (prediction.terms.size() > terms_max) prediction.terms.resize(terms_max);
    predictions.push_back(std::move(prediction));
  }
  return predictions;
}

std::vector<ModelParameters> Predictor::parameters() const { return parameters_; }

std::vector<ModelDescription> Predictor::descriptions() const {
  std::vector<ModelDescription> result;
  for (const auto* entry : entries())
    result.push_back({entry->name, entry->summary, entry->source, entry->assumptions});
  return result;
}

}  // namespace orrery::app
