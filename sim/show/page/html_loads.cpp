#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "sim/show/page/html_parts.hpp"
#include "sim/show/summary/summary.hpp"

namespace orrery::show {

namespace {

using Json = nlohmann::ordered_json;

template <class Record>
double utilisation(const Record& resource, Seconds makespan) {
  const double possible = resource.capacity.si() * makespan.si();
  return possible > 0.0 ? resource.bytes.si() / possible : 0.0;
}

/// The busiest resources, at least `of_each_kind` of every kind: idle NICs beside a full memory are news as well.
std::vector<const ResourceRecord*> busiest_resources(const RunResult& run, std::size_t most, std::size_t of_each_kind) {
  std::vector<const ResourceRecord*> ranked;
  for (const auto& resource : run.resources) ranked.push_back(&resource);
  std::stable_sort(ranked.begin(), ranked.end(), [&](const auto* a, const auto* b) {
    return utilisation(*a, run.makespan) > utilisation(*b, run.makespan);
  });
  std::map<ResourceKind, std::size_t> taken;
  const auto others = std::stable_partition(
      ranked.begin(), ranked.end(), [&](const auto* resource) { return taken[resource->kind]++ < of_each_kind; });
  const auto chosen = static_cast<std::size_t>(others - ranked.begin());
  ranked.resize(std::min(ranked.size(), std::max(most, chosen)));
  std::stable_sort(ranked.begin(), ranked.end(), [&](const auto* a, const auto* b) {
    return utilisation(*a, run.makespan) > utilisation(*b, run.makespan);
  });
  return ranked;
}

}  // namespace

Json load_json(const std::vector<double>& load, std::size_t bins_max) {
  Json bins = Json::array();
  const std::size_t parts = std::min(bins_max, load.size());
  for (std::size_t b = 0; b < parts; ++b) {
    const std::size_t first = b * load.size() / parts, last = (b + 1) * load.size() / parts;
    double sum = 0.0;
    for (std::size_t i = first; i < last; ++i) sum += load[i];
    bins.push_back(static_cast<int>(std::lround(std::min(1000.0, 1000.0 * sum / static_cast<double>(last - first)))));
  }
  return bins;
}

Json resources_json(const RunResult& run, const HtmlLimits& limits) {
  const auto busiest = busiest_resources(run, limits.resources_max, 2);
  Json all = Json::array();
  for (const auto* resource : busiest)
    all.push_back({{"name", resource->name},
                   {"kind", resource_kind_name(resource->kind)},
                   {"capacity_B_per_s", resource->capacity.si()},
                   {"carried_B", resource->bytes.si()},
                   {"busy", run.makespan.si() > 0.0 ? resource->busy / run.makespan : 0.0},
                   {"used", utilisation(*resource, run.makespan)},
                   {"load", load_json(resource->load, limits.load_bins_max)}});
  return all;
}

Json kinds_json(const RunResult& run, const HtmlLimits& limits) {
  Json all = Json::array();
  for (const auto& of_kind : run.kind_loads)
    all.push_back({{"name", resource_words(of_kind.kind).all},
                   {"resources", of_kind.resources},
                   {"used", utilisation(of_kind, run.makespan)},
                   {"load", load_json(of_kind.load, limits.load_bins_max)}});
  return all;
}

Json activity_shares_json(const RunResult& run, const HtmlLimits& limits) {
  Json shares = Json::array();
  for (const auto& share : run.activity_shares) shares.push_back(load_json(share, limits.load_bins_max));
  return shares;
}

Json rank_times_json(const RunResult& run, std::size_t ranks, std::size_t bars_max) {
  const std::size_t groups = run.activity_times.front().size();
  std::size_t together = 1;
  while (groups > bars_max * together) together *= 2;
  Json activities_json = Json::array();
  for (const auto& times : run.activity_times) {
    Json bars = Json::array();
    for (std::size_t first = 0; first < groups; first += together) {
      const std::size_t last = std::min(groups, first + together);
      Seconds sum;
      for (std::size_t group = first; group < last; ++group) sum += times[group];
      const auto of_ranks = static_cast<double>(ranks_in_groups(run, ranks, first, last));
      bars.push_back(std::lround(1e4 * (sum / (of_ranks * run.makespan))));
    }
    activities_json.push_back(std::move(bars));
  }
  return {{"ranks", ranks}, {"ranks_per_bar", together * run.activity_group}, {"shares", std::move(activities_json)}};
}

}  // namespace orrery::show
