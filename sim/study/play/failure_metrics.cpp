#include "sim/study/play/failure_metrics.hpp"

#include <algorithm>
#include <cmath>

#include "models/stats/failures.hpp"
#include "models/stats/sample.hpp"

namespace orrery::study {

namespace {

constexpr double hour_s = 3600.0;
constexpr std::uint32_t search_draws_max = 200;

stats::FailingRun failing_run(const FailureSpec& spec, const LoadedPoint& point, Seconds step) {
  const auto nodes = point.layout.nodes();
  const std::uint32_t adapters = point.network->adapters.of_type(point.platform->type_of(nodes.front()));
  const BytesPerSecond of_nodes = static_cast<double>(nodes.size() * std::max(1u, adapters)) * point.network->bandwidth;
  const Seconds transfer = spec.checkpoint / std::min(spec.storage, of_nodes);
  return {.work = static_cast<double>(spec.steps) * step,
          .checkpoint = transfer,
          .restart = spec.restart + transfer,
          .mtbf = spec.mtbf,
          .shape = spec.shape,
          .nodes = static_cast<std::uint32_t>(nodes.size())};
}

struct Tried {
  Seconds interval, mean;
  std::vector<stats::DrawnTime> times;
};

Tried tried(const stats::FailingRun& run, const FailureSpec& spec, Seconds interval) {
  Tried one{std::min(interval, run.work), {}, {}};
  one.times = stats::drawn_times(run, one.interval, spec.draws, spec.seed);
  one.mean = stats::mean_time(one.times);
  return one;
}

}  // namespace

void add_failures(std::vector<Metric>& metrics, const FailureSpec& spec, const LoadedPoint& point, Seconds step) {
  const stats::FailingRun run = failing_run(spec, point, step);
  const Tried young = tried(run, spec, stats::young_interval(run)), daly = tried(run, spec, stats::daly_interval(run));
  Tried used = spec.interval
                   ? tried(run, spec, *spec.interval)
                   : tried(run, spec, stats::best_interval(run, std::min(spec.draws, search_draws_max), spec.seed));
  if (!spec.interval)
    for (const Tried& other : {young, daly})
      if (other.mean < used.mean) used = other;
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
  for (const auto& [name, one] : {std::pair{"Young's", &young}, std::pair{"Daly's", &daly}}) {
    metrics.push_back({std::string(name) + " interval", one->interval.si() / hour_s, "h"});
    if (std::isfinite(one->mean.si()))
      metrics.push_back({std::string("longer with ") + name, 100.0 * (one->mean / used.mean - 1.0), "%"});
  }
}

}  // namespace orrery::study
