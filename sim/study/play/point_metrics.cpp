#include "sim/study/play/point_metrics.hpp"

#include <algorithm>

#include "kernels/dividing.hpp"
#include "kernels/kernel.hpp"
#include "sim/study/play/energy_metrics.hpp"
#include "sim/study/play/failure_metrics.hpp"
#include "sim/study/play/job_results.hpp"

namespace orrery::app {

std::vector<Metric> metrics_of(const PointSpec& spec, const LoadedPoint& point, const RunResult& run) {
  std::vector<Metric> metrics = metrics_of_jobs(run);
  if (spec.jobs.empty()) {
    const KernelEntry& kernel = kernels().at(spec.kernel.name, spec.kernel.where);
    if (kernel.metrics) metrics = kernel.metrics(parameters_of(kernel.parameters, spec.kernel), run);
  }
  if (!point.rounds.empty()) {
    // Until all know the last division: rounds of different ranks overlap, so their lengths do not add up.
    Seconds measuring;
    for (const PhaseRecord& record : run.phases)
      if (record.phase == dividing_phase) measuring = std::max(measuring, record.end);
    metrics.push_back({"rounds", static_cast<double>(point.rounds.size()), ""});
    std::uint64_t of_columns = 0;
    for (const PartitionRound& round : point.rounds) of_columns += round.columns;
    if (of_columns > point.rounds.size()) metrics.push_back({"rounds by column", static_cast<double>(of_columns), ""});
    metrics.push_back({"dividing", measuring.si(), "s"});
    metrics.push_back({"program", (run.makespan - measuring).si(), "s"});
    metrics.push_back({whole_run, run.makespan.si(), "s"});
  }
  add_energy(metrics, run, *point.platform, point.layout);
  if (spec.failures) add_failures(metrics, *spec.failures, point, run.makespan);
  return metrics;
}

}  // namespace orrery::app
