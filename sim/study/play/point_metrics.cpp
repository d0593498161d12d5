#include "sim/study/play/point_metrics.hpp"

#include <algorithm>
#include <set>

#include "kernels/dividing.hpp"
#include "kernels/kernel.hpp"
#include "sim/study/play/energy_metrics.hpp"
#include "sim/study/play/failure_metrics.hpp"
#include "sim/study/play/job_results.hpp"

namespace orrery::study {

namespace {

/// Of the GPUs that a run is on: how many, and what they could do together, flop/s; 0 where one does not say.
struct Gpus {
  std::size_t count = 0;
  double peak = 0.0;
};
Gpus gpus_of(const LoadedPoint& point, bool matrix_products) {
  Gpus gpus;
  std::set<HostId> seen;
  bool stated = true;
  for (const Placement& place : point.layout.placements) {
    if (!place.gpu || !seen.insert(place.host).second) continue;
    const Gpu& gpu = point.platform->node_types[place.node_type].gpus[place.socket_of_node];
    const double peak = (matrix_products ? gpu.matrix_speed : gpu.speed).si();
    stated = stated && peak > 0.0;
    gpus.peak += peak;
    ++gpus.count;
  }
  if (!stated) gpus.peak = 0.0;
  return gpus;
}

/// Beside flop/s of a run on GPUs: a GPU's, and the share of the peak. Of training that of matrix products in its
/// precision, where the platform states it; else the peak is that of double precision.
void add_by_gpu(std::vector<Metric>& metrics, const LoadedPoint& point) {
  const auto rate = std::ranges::find_if(
      metrics, [](const Metric& metric) { return metric.unit == "Tflop/s" || metric.unit == "Gflop/s"; });
  if (rate == metrics.end()) return;
  const Metric sum = *rate;
  const Gpus gpus = gpus_of(point, point.kernel == "training-step");
  if (gpus.count == 0) return;
  const double flops = sum.value * (sum.unit == "Tflop/s" ? 1e12 : 1e9);
  metrics.push_back({sum.name + " a GPU", sum.value / static_cast<double>(gpus.count), sum.unit});
  if (gpus.peak > 0.0) metrics.push_back({"share of peak", 100.0 * flops / gpus.peak, "%"});
}

}  // namespace

std::vector<Metric> metrics_of(const PointSpec& spec, const LoadedPoint& point, const RunResult& run) {
  std::vector<Metric> metrics = metrics_of_jobs(run);
  if (spec.jobs.empty()) {
    const KernelEntry& kernel = kernels().at(spec.kernel.name, spec.kernel.where);
    if (kernel.metrics) metrics = kernel.metrics(parameters_of(kernel.parameters, spec.kernel), run);
    add_by_gpu(metrics, point);
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

}  // namespace orrery::study
