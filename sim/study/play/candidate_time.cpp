#include "sim/study/play/candidate_time.hpp"

#include <algorithm>
#include <bit>

#include "models/model.hpp"
#include "sim/engine/batch.hpp"
#include "sim/study/play/phase_models.hpp"
#include "sim/study/play/progress.hpp"
#include "sim/study/read/engines.hpp"
#include "sim/study/read/flag_text.hpp"

namespace orrery::study {

/// One model on the platform and network of a candidate.
struct CandidateTime::Asked {
  std::uint32_t concurrency;  ///< that it was calibrated for; 0: as the scenario says
  PhaseModels models;
};

namespace {

/// Calibrated as `from` says, but for at least that concurrency.
PhaseModels calibrated(const Scenario& from, const std::string& model, std::uint32_t concurrency,
                       const LoadedPoint& candidate, unsigned jobs) {
  Scenario scenario{.name = from.name, .file = from.file, .engine = from.engine, .calibration = from.calibration};
  scenario.models.push_back(model_from(model, "model"));
  if (concurrency > 0) scenario.calibration.concurrency = concurrency;
  ModelNeeds needs(scenario);
  needs.see(candidate);
  return {scenario, needs, {.engine = engines_of(from.engine).front(), .jobs = jobs}};
}

Seconds makespan_played(const LoadedPoint& candidate, const PointSpec& spec) {
  const auto play = [&](const ReplayProgress& tell) {
    ReplayOptions options{.load_bins = 1, .intervals_max = 0};
    options.staging_in_compute_model = spec.staging_in_compute_model;
    options.progress = tell;
    return make_flow_engine()->replay(candidate.replay_input(options));
  };
  const auto played = engine::play_all({.jobs = 1, .threads = true}, {{"a candidate of the partitioner", play}},
                                       [](const engine::BatchState&) { return !interrupted(); });
  return played.front().value().makespan;
}

}  // namespace

CandidateTime::CandidateTime(const Scenario& scenario, unsigned jobs) : scenario_(scenario), jobs_(jobs) {}
CandidateTime::~CandidateTime() = default;

Seconds CandidateTime::operator()(const LoadedPoint& candidate, const PointSpec& spec, const std::string& model) {
  return model.empty() ? makespan_played(candidate, spec) : predicted(candidate, model);
}

Seconds CandidateTime::predicted(const LoadedPoint& candidate, const std::string& model) {
  const auto& entry = *model_from(model, "model").entry;
  const auto phases = build_phases(*candidate.program);
  const PredictionInput run = candidate.prediction_input(phases);
  // A candidate that needs more than was measured has the model calibrated again, for twice as much at least, so that
  // it happens seldom. What was measured before stays as it is.
  const std::uint32_t needed =
      entry.needs && scenario_.calibration.concurrency == 0 ? std::bit_ceil(entry.needs(run).concurrency) : 0;
  auto& asked = asked_[{identity_of(*candidate.platform), candidate.network->name, model}];
  if (!asked || asked->concurrency < needed)
    asked.reset(new Asked{needed, calibrated(scenario_, model, needed, candidate, jobs_)});
  const Prediction prediction = asked->models.predict(run).front();
  const bool complete = prediction.of_run || prediction.computation > Seconds{};
  return complete ? prediction.time : prediction.time + slowest_computation(phases, *candidate.compute);
}

Seconds slowest_computation(std::span<const Phase> phases, const ComputeModel& compute) {
  Seconds sum;
  for (const Phase& phase : phases) {
    std::vector<Seconds> busy(phase.ranks);
    for (const ComputeItem& item : phase.computes)
      busy[index(item.rank)] += static_cast<double>(item.repeat) * compute.compute_time(item.compute, item.rank);
    if (!busy.empty()) sum += static_cast<double>(phase.repeat) * std::ranges::max(busy);
  }
  return sum;
}

}  // namespace orrery::study
