#include "sim/study/play/energy_metrics.hpp"

#include <algorithm>
#include <optional>

#include "platforms/energy.hpp"

namespace orrery::study {

namespace {

constexpr double seconds_per_hour = 3600.0, joules_per_kwh = 3.6e6;

/// None: neither a price of a node nor one of electricity is stated.
std::optional<double> cost_of(const RunResult& run, const Platform& platform, const Layout& layout) {
  const bool electricity = platform.electricity && run.energy.stated();
  double cost = electricity ? *platform.electricity * run.energy.total_j() / joules_per_kwh : 0.0;
  if (!prices_stated(platform, layout)) return electricity ? std::optional(cost) : std::nullopt;
  for (const NodeId node : layout.nodes())
    cost += *platform.node_types[platform.type_of(node)].price * run.makespan.si() / seconds_per_hour;
  return cost;
}

}  // namespace

void add_energy(std::vector<Metric>& metrics, const RunResult& run, const Platform& platform, const Layout& layout) {
  if (const Energy& energy = run.energy; energy.stated() && !energy.power_w.empty()) {
    metrics.push_back({"energy", energy.total_j(), "J"});
    metrics.push_back({"mean power", energy.total_j() / run.makespan.si(), "W"});
    metrics.push_back({"greatest power", std::ranges::max(energy.power_w), "W"});
  }
  if (const auto cost = cost_of(run, platform, layout)) metrics.push_back({"cost", *cost, ""});
}

}  // namespace orrery::study
