#include "sim/engine/power_meter.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "platforms/energy.hpp"
#include "sim/core/portable_math.hpp"

namespace orrery::engine {

namespace {

constexpr std::uint32_t power_bins = 200;

/// What work adds to idling, for a share of what is stated; under a power cap computing adds so much of it.
std::array<double, activities> added(const PowerDraw& power, double share, double capped) {
  std::array<double, activities> watts{};
  watts.fill(share * (power.communicating.si() - power.idle.si()));
  watts[static_cast<std::size_t>(Activity::compute)] = share * capped * (power.computing.si() - power.idle.si());
  return watts;
}

double idle_of(const NodeType& type) {
  double watts = type.power->idle.si();
  for (const Gpu& gpu : type.gpus) watts += gpu.power->idle.si();
  return watts;
}

/// Cores that some ranks hold, of each node and host; of a GPU how many hold it.
struct HeldCores {
  std::map<NodeId, double> of_node;
  std::map<HostId, double> of_host;

  void add(const Placement& place) {
    of_host[place.host] += place.gpu ? 1 : place.cores;
    if (!place.gpu) of_node[place.node] += place.cores;
  }
  /// The part of what a rank holds that it has to itself.
  double part(const Placement& place, const NodeType& type) const {
    if (place.gpu) return 1.0 / of_host.at(place.host);
    return place.cores <= type.cores_per_socket ? std::min(1.0, type.cores_per_socket / of_host.at(place.host))
                                                : std::min(1.0, type.cores() / of_node.at(place.node));
  }
};

}  // namespace

/// Mean over adapters and both directions of the load, in bins over the run; none where no loads over time are kept.
struct PowerMeter::AdapterLoad {
  double mean = 0.0;
  std::vector<double> bins = {};
};

PowerMeter::AdapterLoad PowerMeter::adapter_load(const RunResult& run, double adapters) {
  AdapterLoad load;
  if (!(run.makespan.si() > 0.0)) return load;
  for (const KindLoad& kind : run.kind_loads) {
    if (kind.kind != ResourceKind::nic_out && kind.kind != ResourceKind::nic_in) continue;
    const double used = static_cast<double>(kind.resources) / (2.0 * adapters);  // those that carried nothing idle
    load.mean += used * kind.bytes.si() / (kind.capacity.si() * run.makespan.si());
    load.bins.resize(std::max(load.bins.size(), kind.load.size()), 0.0);
    for (std::size_t i = 0; i < kind.load.size(); ++i) load.bins[i] += used * kind.load[i];
  }
  return load;
}

std::unique_ptr<PowerMeter> PowerMeter::of(const ReplayInput& input, const Routes& routes) {
  return power_stated(*input.platform, *input.layout) ? std::unique_ptr<PowerMeter>(new PowerMeter(input, routes))
                                                      : nullptr;
}

PowerMeter::PowerMeter(const ReplayInput& input, const Routes& routes)
    : platform_(*input.platform), layout_(*input.layout) {
  std::map<NodeId, std::uint32_t> ranks_of_node;
  for (const Placement& place : layout_.placements) ++ranks_of_node[place.node];
  std::map<HostId, std::uint32_t> before;
  const std::vector<double> speeds = capped_speeds(platform_, layout_);
  for (const Placement& place : layout_.placements) {
    const NodeType& type = platform_.node_types[place.node_type];
    const double capped = speeds.empty() ? 1.0 : portable::pow(speeds[ranks_.size()], 3.0);
    ByActivity cores_w = added(*type.power, static_cast<double>(place.gpu ? 1 : place.cores) / type.cores(), capped),
               gpu_w{};
    if (place.gpu) {
      cores_w.fill(cores_w[static_cast<std::size_t>(Activity::wait)]);
      gpu_w = added(*type.gpus[place.socket_of_node].power, 1.0, capped);
    }
    OfRank& own = ranks_.emplace_back();
    own.of_class = class_of(cores_w, gpu_w, before[place.host]++);
    own.idle_w = idle_of(type) / ranks_of_node.at(place.node);
    ++classes_[own.of_class].ranks;
  }
  nodes_ = static_cast<std::uint32_t>(ranks_of_node.size());
  const Network& network = *input.network;
  double joined = 0.0;  // of the run's nodes those on the network
  for (const auto& [node, ranks] : ranks_of_node) {
    const std::uint32_t type = platform_.type_of(node), adapters = network.adapters.of_type(type);
    idle_w_ += idle_of(platform_.node_types[type]);
    adapters_ += adapters;
    if (adapters > 0) joined += 1.0;
  }
  if (!network.power) return;
  adapters_w_ = adapters_ * network.power->adapter.si();
  adapters_busy_w_ = adapters_ * (network.power->adapter_busy.si() - network.power->adapter.si());
  if (joined > 0.0)
    switches_w_ = routes.switches() * network.power->switches.si() * joined / nodes_on(platform_, network);
}

std::uint32_t PowerMeter::class_of(const ByActivity& cores_w, const ByActivity& gpu_w, std::uint32_t position) {
  const auto known = std::ranges::find_if(classes_, [&](const Class& one) {
    return one.position == position && one.cores_w == cores_w && one.gpu_w == gpu_w;
  });
  if (known != classes_.end()) return static_cast<std::uint32_t>(known - classes_.begin());
  classes_.push_back({.cores_w = cores_w, .gpu_w = gpu_w, .position = position});
  return static_cast<std::uint32_t>(classes_.size() - 1);
}

/// By class the part of what it would add alone: of hosts whose ranks compute, those that do share them, by how long.
std::vector<double> PowerMeter::parts() const {
  std::vector<double> computing_s(classes_.size(), 0.0);  // of one rank
  for (const InPhase& phase : phases_)
    for (std::size_t c = 0; c < classes_.size(); ++c)
      computing_s[c] += phase.seconds[c][static_cast<std::size_t>(Activity::compute)] / classes_[c].ranks;
  struct Mean {
    double seconds = 0.0, ranks = 0.0;
  };
  std::map<HostId, Mean> mean;
  HeldCores by_all, by_computing;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    const Placement& place = layout_.placements[rank];
    by_all.add(place);
    const double seconds = computing_s[ranks_[rank].of_class];
    if (!(seconds > 0.0)) continue;
    by_computing.add(place);
    mean[place.host].seconds += seconds;
    mean[place.host].ranks += 1.0;
  }
  std::vector<double> parts(classes_.size(), 0.0);
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    const Placement& place = layout_.placements[rank];
    const std::uint32_t of_class = ranks_[rank].of_class;
    const bool shared_with_work =
        by_all.part(place, platform_.node_types[place.node_type]) < 1.0 && by_computing.of_host.contains(place.host);
    if (shared_with_work && !(computing_s[of_class] > 0.0)) continue;
    double part = (shared_with_work ? by_computing : by_all).part(place, platform_.node_types[place.node_type]);
    if (shared_with_work && part < 1.0) {
      const Mean& of_host = mean.at(place.host);
      part = std::min(1.0, part * computing_s[of_class] * of_host.ranks / of_host.seconds);
    }
    parts[of_class] += part / classes_[of_class].ranks;
  }
  return parts;
}

std::vector<double> PowerMeter::power(const RunResult& run, const std::vector<double>& parts,
                                      const AdapterLoad& load) const {
  const auto bins = static_cast<std::uint32_t>(load.bins.empty() ? power_bins : load.bins.size());
  std::vector<double> watts(bins, idle_w_ + adapters_w_ + switches_w_);
  for (std::uint32_t i = 0; i < bins; ++i)
    watts[i] += adapters_busy_w_ * (load.bins.empty() ? load.mean : load.bins[i]);
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    const Class& one = classes_[c];
    const auto shares = one.shares.shares(one.ranks, run.makespan.si(), bins);
    for (std::size_t a = 0; a < activities; ++a)
      for (std::uint32_t i = 0; i < bins; ++i)
        watts[i] += parts[c] * one.ranks * (one.cores_w[a] + one.gpu_w[a]) * shares[a][i];
  }
  return watts;
}

Energy PowerMeter::result(const RunResult& run, const std::vector<std::string>& phase_names) const {
  const double makespan = run.makespan.si();
  const AdapterLoad load = adapter_load(run, adapters_);
  const std::vector<double> parts = this->parts();
  Energy energy;
  energy.nodes = nodes_;
  const auto part = [&energy](EnergyPart which) -> double& { return energy.parts[static_cast<std::size_t>(which)]; };
  double idle_of_ranks = 0.0;
  for (std::size_t name = 0; name < phases_.size(); ++name) {
    double cores = 0.0, gpus = 0.0;
    for (std::size_t c = 0; c < classes_.size(); ++c)
      for (std::size_t a = 0; a < activities; ++a) {
        cores += parts[c] * classes_[c].cores_w[a] * phases_[name].seconds[c][a];
        gpus += parts[c] * classes_[c].gpu_w[a] * phases_[name].seconds[c][a];
      }
    part(EnergyPart::cores) += cores;
    part(EnergyPart::gpus) += gpus;
    idle_of_ranks += phases_[name].idle_j;
    if (const double all = cores + gpus + phases_[name].idle_j; all > 0.0)
      energy.phases.push_back({phase_names[name], all});
  }
  part(EnergyPart::idle) = idle_w_ * makespan;
  part(EnergyPart::adapters) = (adapters_w_ + adapters_busy_w_ * load.mean) * makespan;
  part(EnergyPart::switches) = switches_w_ * makespan;
  energy.phases.push_back({energy_after_ranks, std::max(0.0, idle_w_ * makespan - idle_of_ranks)});
  energy.phases.push_back({energy_of_network, part(EnergyPart::adapters) + part(EnergyPart::switches)});
  if (makespan > 0.0) energy.power_w = power(run, parts, load);
  return energy;
}

}  // namespace orrery::engine
