#include "sim/study/play/network_loads.hpp"

#include <algorithm>

namespace orrery::study {

namespace {

constexpr std::size_t phases_max = 6;

/// One name of a phase over the bins of the load curves.
struct PhaseBins {
  std::string name;
  double traffic_B = 0.0;
  Seconds time;               ///< of the union of its records
  std::vector<double> share;  ///< [bins] of what a link carried in the bin
};

/// Adds `rate` times the time that [begin, end) has in each bin.
void spread(std::vector<double>& bins, double begin, double end, double rate, double width) {
  const auto count = bins.size();
  for (auto b = static_cast<std::size_t>(begin / width); b < count && static_cast<double>(b) * width < end; ++b) {
    const double from = std::max(begin, static_cast<double>(b) * width);
    const double to = std::min(end, static_cast<double>(b + 1) * width);
    if (to > from) bins[b] += rate * (to - from);
  }
}

/// Time during which at least one of the records of this name goes on.
Seconds union_of(const std::vector<PhaseRecord>& records, const std::string& name) {
  std::vector<std::pair<Seconds, Seconds>> spans;
  for (const auto& record : records)
    if (record.phase == name) spans.emplace_back(record.begin, record.end);
  std::ranges::sort(spans);
  Seconds time, until;
  for (const auto& [begin, end] : spans) {
    if (end <= until) continue;
    time += end - std::max(begin, until);
    until = end;
  }
  return time;
}

/// Phases that send over the network, those with most traffic first.
std::vector<PhaseBins> phases_with_traffic(const RunResult& run) {
  std::vector<PhaseBins> phases;
  for (const auto& record : run.phases) {
    const double bytes = record.traffic[static_cast<std::size_t>(ChannelKind::network)].bytes.si();
    if (bytes <= 0.0) continue;
    auto found = std::ranges::find(phases, record.phase, &PhaseBins::name);
    if (found == phases.end())
      found = phases.insert(phases.end(), PhaseBins{.name = record.phase, .time = {}, .share = {}});
    found->traffic_B += bytes;
  }
  std::ranges::stable_sort(phases, std::greater<>{}, &PhaseBins::traffic_B);
  if (phases.size() > phases_max) phases.resize(phases_max);
  return phases;
}

void share_bins(std::vector<PhaseBins>& phases, const RunResult& run, std::size_t bins) {
  const double width = run.makespan.si() / static_cast<double>(bins);
  std::vector<double> all(bins, 0.0);
  for (auto& phase : phases) {
    phase.time = union_of(run.phases, phase.name);
    phase.share.assign(bins, 0.0);
  }
  for (const auto& record : run.phases) {
    const double bytes = record.traffic[static_cast<std::size_t>(ChannelKind::network)].bytes.si();
    const double begin = record.begin.si(), end = record.end.si();
    if (bytes <= 0.0 || !(end > begin)) continue;
    spread(all, begin, end, bytes / (end - begin), width);
    const auto found = std::ranges::find(phases, record.phase, &PhaseBins::name);
    if (found != phases.end()) spread(found->share, begin, end, bytes / (end - begin), width);
  }
  for (auto& phase : phases)
    for (std::size_t b = 0; b < bins; ++b) phase.share[b] = all[b] > 0.0 ? phase.share[b] / all[b] : 0.0;
}

/// The load of all links of its kind together, in as many bins; none without one.
const std::vector<double>* kind_curve(const RunResult& run, ResourceKind kind, std::size_t bins) {
  const auto found = std::ranges::find(run.kind_loads, kind, &KindLoad::kind);
  return found == run.kind_loads.end() || found->load.size() != bins ? nullptr : &found->load;
}

/// What one link carried in a phase: by its own curve, or by that of its kind.
double carried_B(const ResourceRecord& link, const PhaseBins& phase, const RunResult& run) {
  const std::size_t bins = phase.share.size();
  const auto* curve = link.load.size() == bins ? &link.load : kind_curve(run, link.kind, bins);
  double all = 0.0, of_phase = 0.0;
  for (std::size_t b = 0; curve != nullptr && b < bins; ++b) {
    all += (*curve)[b];
    of_phase += (*curve)[b] * phase.share[b];
  }
  return all > 0.0 ? link.bytes.si() * of_phase / all : 0.0;
}

/// Capacities of each slot, all its links together.
std::vector<double> capacities(const NetworkOutline& outline) {
  std::vector<double> all;
  for (const auto& cables : outline.cables) all.insert(all.end(), 2, cables.bandwidth.si());
  for (const auto& cell : outline.cells) all.insert(all.end(), 2, cell.adapters * outline.nic.si());
  return all;
}

template <class CarriedB>
NetworkLoads loads_of(const OutlinedNetwork& network, const RunResult& run, const std::vector<double>& capacity,
                      const std::string& phase, Seconds time, const CarriedB& carried_by) {
  NetworkLoads loads{phase, time, std::vector<LinkLoad>(network.outline.slots())};
  std::vector<double> sums(loads.slots.size(), 0.0);
  if (time <= Seconds{}) return loads;
  for (const auto& link : run.resources) {
    if (link.link >= network.slot_of_link.size()) continue;
    const std::uint32_t slot = network.slot_of_link[link.link];
    const double bytes = carried_by(link), most = bytes / (link.capacity * time).si();
    sums[slot] += bytes;
    loads.slots[slot].most = std::max(loads.slots[slot].most, static_cast<float>(std::min(1.0, most)));
  }
  for (std::size_t s = 0; s < sums.size(); ++s)
    if (capacity[s] > 0.0) loads.slots[s].mean = static_cast<float>(std::min(1.0, sums[s] / (capacity[s] * time.si())));
  return loads;
}

}  // namespace

std::vector<NetworkLoads> network_loads(const OutlinedNetwork& network, const RunResult& run) {
  std::vector<NetworkLoads> all;
  if (run.makespan <= Seconds{} || run.resources.empty()) return all;
  const std::vector<double> capacity = capacities(network.outline);
  all.push_back(
      loads_of(network, run, capacity, "", run.makespan, [](const ResourceRecord& link) { return link.bytes.si(); }));
  std::size_t bins = 0;
  for (const auto& resource : run.resources) bins = std::max(bins, resource.load.size());
  for (const auto& of_kind : run.kind_loads) bins = std::max(bins, of_kind.load.size());
  const bool curves = bins > 0 && std::ranges::all_of(run.resources, [&](const ResourceRecord& resource) {
                        return resource.link == no_link || resource.load.size() == bins ||
                               kind_curve(run, resource.kind, bins) != nullptr;
                      });
  if (!curves) return all;
  std::vector<PhaseBins> phases = phases_with_traffic(run);
  share_bins(phases, run, bins);
  for (const PhaseBins& phase : phases)
    all.push_back(loads_of(network, run, capacity, phase.name, phase.time,
                           [&](const ResourceRecord& link) { return carried_B(link, phase, run); }));
  return all;
}

std::shared_ptr<const OutlinedNetwork> NetworkOutlines::of(const std::shared_ptr<const Platform>& platform,
                                                           const Network& network) {
  if (known_.size() >= known_max) known_.clear();
  auto& known = known_[{platform, network.name}];
  if (!known)
    known = std::make_shared<OutlinedNetwork>(outline_of(*platform, network, *build_routes(*platform, network)));
  return known;
}

}  // namespace orrery::study
