#include "sim/study/play/point_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "kernels/dividing.hpp"
#include "kernels/kernel.hpp"
#include "models/stats/failures.hpp"
#include "models/stats/sample.hpp"
#include "platforms/energy.hpp"
#include "sim/study/play/job_results.hpp"

namespace orrery::study {

namespace {

constexpr double hour_s = 3600.0, joules_per_kwh = 3.6e6;

/// Of the GPUs that a run is on: how many, and what they could do together, flop/s; 0 where one does not say.
struct Gpus {
  std::size_t count = 0;
  double peak = 0.0;
};
FlopsPerSecond peak_of(const Gpu& gpu, const LoadedPoint& point) {
  if (point.kernel == "training-step") return gpu.matrix_speed;
  const auto& works = kernels().at(point.kernel, "kernel").works;
  return std::ranges::find(works, Work::dgemm) != works.end() ? gpu.product_speed() : gpu.speed;
}
Gpus gpus_of(const LoadedPoint& point) {
  Gpus gpus;
  std::set<HostId> seen;
  bool stated = true;
  for (const Placement& place : point.layout.placements) {
    if (!place.gpu || !seen.insert(place.host).second) continue;
    const Gpu& gpu = point.platform->node_types[place.node_type].gpus[place.socket_of_node];
    const double peak = peak_of(gpu, point).si();
    stated = stated && peak > 0.0;
    gpus.peak += peak;
    ++gpus.count;
  }
  if (!stated) gpus.peak = 0.0;
  return gpus;
}

/// Beside flop/s of a run on GPUs: a GPU's, and the share of the peak. Of training that of matrix products in its
/// precision, where the platform states it; else the peak is that of double precision, of matrix products where the
/// kernel has some.
void add_by_gpu(std::vector<Metric>& metrics, const LoadedPoint& point) {
  const auto rate = std::ranges::find_if(
      metrics, [](const Metric& metric) { return metric.unit == "Tflop/s" || metric.unit == "Gflop/s"; });
  if (rate == metrics.end()) return;
  const Metric sum = *rate;
  const Gpus gpus = gpus_of(point);
  if (gpus.count == 0) return;
  const double flops = sum.value * (sum.unit == "Tflop/s" ? 1e12 : 1e9);
  metrics.push_back({sum.name + " a GPU", sum.value / static_cast<double>(gpus.count), sum.unit});
  if (gpus.peak > 0.0) metrics.push_back({"share of peak", 100.0 * flops / gpus.peak, "%"});
}

/// None: neither a price of a node nor one of electricity is stated.
std::optional<double> cost_of(const RunResult& run, const Platform& platform, const Layout& layout) {
  const bool electricity = platform.electricity && run.energy.stated();
  double cost = electricity ? *platform.electricity * run.energy.total_j() / joules_per_kwh : 0.0;
  if (!prices_stated(platform, layout)) return electricity ? std::optional(cost) : std::nullopt;
  for (const NodeId node : layout.nodes())
    cost += *platform.node_types[platform.type_of(node)].price * run.makespan.si() / hour_s;
  return cost;
}

void add_energy(std::vector<Metric>& metrics, const RunResult& run, const Platform& platform, const Layout& layout) {
  if (const Energy& energy = run.energy; energy.stated() && !energy.power_w.empty()) {
    metrics.push_back({"energy", energy.total_j(), "J"});
    metrics.push_back({"mean power", energy.total_j() / run.makespan.si(), "W"});
    metrics.push_back({"greatest power", std::ranges::max(energy.power_w), "W"});
  }
  if (const auto cost = cost_of(run, platform, layout)) metrics.push_back({"cost", *cost, ""});
}

stats::FailingRun failing_run(const FailureSpec& spec, const LoadedPoint& point, Seconds step) {
  const auto nodes = point.layout.nodes();
  BytesPerSecond of_nodes{0};  // of all their adapters, whose number and rate may differ by type of node
  for (const NodeId node : nodes)
    of_nodes += static_cast<double>(std::max(1u, point.network->adapters.of_type(point.platform->type_of(node)))) *
                point.network->nic(node).bandwidth;
  const Seconds transfer = spec.checkpoint / std::min(spec.storage, of_nodes);
  return {.work = static_cast<double>(spec.steps) * step,
          .checkpoint = transfer,
          .restart = spec.restart + transfer,
          .mtbf = spec.mtbf,
          .shape = spec.shape,
          .nodes = static_cast<std::uint32_t>(nodes.size())};
}

void add_failures(std::vector<Metric>& metrics, const FailureSpec& spec, const LoadedPoint& point, Seconds step) {
  const stats::FailingRun run = failing_run(spec, point, step);
  const stats::Checkpointing plan = stats::checkpointing(run, spec.interval, spec.draws, spec.seed);
  const stats::TriedInterval& used = plan.used;
  if (!std::isfinite(used.mean.si())) {
    metrics.push_back({"time at work", 0.0, "%"});
    return;
  }
  std::vector<double> hours;
  double failures = 0.0;
  for (const stats::DrawnTime& one : used.times) {
    hours.push_back(one.time.si() / hour_s);
    failures += static_cast<double>(one.failures);
  }
  metrics.push_back({"time to solution", stats::median(hours), "h"});
  metrics.push_back({"5 % of them", stats::quantile(hours, 0.05), "h"});
  metrics.push_back({"95 % of them", stats::quantile(hours, 0.95), "h"});
  metrics.push_back({"failures", failures / static_cast<double>(spec.draws), ""});
  metrics.push_back({"time at work", 100.0 * (run.work / used.mean), "%"});
  metrics.push_back({"interval", used.interval.si() / hour_s, "h"});
  for (const auto& [name, one] : {std::pair{"Young's", &plan.young}, std::pair{"Daly's", &plan.daly}}) {
    metrics.push_back({std::string(name) + " interval", one->interval.si() / hour_s, "h"});
    if (std::isfinite(one->mean.si()))
      metrics.push_back({std::string("longer with ") + name, 100.0 * (one->mean / used.mean - 1.0), "%"});
  }
}

}  // namespace

std::vector<Metric> metrics_of(const PointSpec& spec, const LoadedPoint& point, const RunResult& run) {
  std::vector<Metric> metrics = metrics_of_jobs(run);
  if (spec.jobs.empty()) {
    const KernelEntry& kernel = kernels().at(spec.kernel.name, spec.kernel.where);
    if (kernel.metrics) metrics = kernel.metrics(point.parameters, run);
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
