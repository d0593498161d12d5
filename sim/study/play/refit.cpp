#include "sim/study/play/refit.hpp"

#include <algorithm>
#include <iterator>

namespace orrery::study {

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
      return !spec.is_own() && spec.name == said.model && !models().at(spec.name, spec.where).fitted_to_runs();
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
