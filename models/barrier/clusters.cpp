#include "models/barrier/clusters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <map>
#include <numeric>

#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"

namespace orrery {

namespace {

using Ranks = std::vector<std::uint32_t>;

constexpr std::size_t exact_max = 2048;
constexpr std::size_t pivots_max = 16384;
constexpr std::uint64_t triangles_max = 1'000'000;
constexpr double detour_max = 2.0;  ///< measured distances scatter, so a way round may seem a little shorter

/// The mean of the costs there and back; kept where there are few enough of them.
class Distances {
 public:
  explicit Distances(const SignalCosts& costs) : costs_(costs), kept_(costs.ranks <= exact_max) {
    if (!kept_) return;
    all_.resize(std::size_t{ranks()} * ranks());
    for (std::uint32_t i = 0; i < ranks(); ++i)
      for (std::uint32_t j = i + 1; j < ranks(); ++j) all_[at(i, j)] = all_[at(j, i)] = asked(i, j);
  }
  std::uint32_t ranks() const { return costs_.ranks; }
  /// How a message about two ranks begins: the file and row of the dearer direction.
  std::string where(std::uint32_t i, std::uint32_t j) const {
    if (costs_.latency(j, i) > costs_.latency(i, j)) std::swap(i, j);
    const std::string place = costs_.where ? costs_.where(i, j) : std::string{};
    return place.empty() ? "clusters" : place;
  }
  bool kept() const { return kept_; }
  Seconds operator()(std::uint32_t i, std::uint32_t j) const { return kept_ ? all_[at(i, j)] : asked(i, j); }

 private:
  std::size_t at(std::uint32_t i, std::uint32_t j) const { return std::size_t{i} * ranks() + j; }
  Seconds asked(std::uint32_t i, std::uint32_t j) const {
    return i == j ? Seconds{} : 0.5 * (signal_cost(costs_, i, j) + signal_cost(costs_, j, i));
  }

  const SignalCosts& costs_;
  bool kept_;
  std::vector<Seconds> all_;
};

void require_metric(const Distances& distance) {
  const std::uint64_t n = distance.ranks();
  const std::uint64_t ways = std::min<std::uint64_t>(n, triangles_max / std::max<std::uint64_t>(1, n * n));
  for (std::uint32_t i = 0; i < n && distance.kept(); ++i)
    for (std::uint32_t k = 0; k < n; ++k) {
      if (i == k) continue;
      const Seconds direct = distance(i, k);
      if (!(direct > Seconds{}))
        throw InputError(
            "{}: a signal between ranks {} and {} costs {} (more than 0 between two "
            "ranks). Measure O and L of this pair?",
            distance.where(i, k), i, k, to_text(direct));
      for (std::uint64_t w = 0; w < ways; ++w) {
        const auto j = static_cast<std::uint32_t>(w * n / ways);
        const Seconds round = distance(i, j) + distance(j, k);
        if (j != i && j != k && direct > detour_max * round)
          throw InputError(
              "{}: a signal between ranks {} and {} costs {}, by way of rank {} only {} "
              "(costs that are a metric). Measure this pair again?",
              distance.where(i, k), i, k, to_text(direct), j, to_text(round));
      }
    }
}

std::uint32_t farthest_from(const Distances& distance, const Ranks& ranks, std::uint32_t from) {
  return *std::ranges::max_element(ranks, {}, [&](std::uint32_t rank) { return distance(from, rank); });
}

Seconds diameter(const Distances& distance, const Ranks& ranks) {
  Seconds greatest;
  if (ranks.size() > exact_max) {
    const std::uint32_t one = farthest_from(distance, ranks, ranks.front());
    return distance(one, farthest_from(distance, ranks, one));
  }
  for (std::size_t a = 0; a < ranks.size(); ++a)
    for (std::size_t b = a + 1; b < ranks.size(); ++b) greatest = std::max(greatest, distance(ranks[a], ranks[b]));
  return greatest;
}

struct Division {
  std::vector<Ranks> clusters;  ///< [pivots] the pivot first
  Seconds widest;               ///< of a rank from its pivot
  Seconds nearest;              ///< of two pivots
};

Division divide(const Distances& distance, const Ranks& ranks, double sparseness) {
  const Seconds least = sparseness * diameter(distance, ranks);
  Division division;
  Ranks pivots;
  for (const std::uint32_t rank : ranks)
    if (std::ranges::all_of(pivots, [&](std::uint32_t pivot) { return distance(pivot, rank) >= least; })) {
      pivots.push_back(rank);
      division.clusters.push_back({rank});
      if (pivots.size() > pivots_max) return {};
    }
  for (const std::uint32_t rank : ranks) {
    std::size_t nearest = 0;
    Seconds to_nearest = distance(pivots[0], rank);
    for (std::size_t p = 1; p < pivots.size(); ++p)
      if (const Seconds there = distance(pivots[p], rank); there < to_nearest) nearest = p, to_nearest = there;
    if (pivots[nearest] != rank) division.clusters[nearest].push_back(rank);
    division.widest = std::max(division.widest, to_nearest);
  }
  division.nearest = Seconds(std::numeric_limits<double>::infinity());
  for (std::size_t a = 0; a < pivots.size(); ++a)
    for (std::size_t b = a + 1; b < pivots.size(); ++b)
      division.nearest = std::min(division.nearest, distance(pivots[a], pivots[b]));
  return division;
}

Cluster cluster_of(const Distances& distance, Ranks ranks, const ClusterRule& rule) {
  Cluster cluster{std::move(ranks), {}};
  if (cluster.members.size() < 3) return cluster;
  Division division = divide(distance, cluster.members, rule.sparseness);
  const bool all_alone = division.clusters.size() == cluster.members.size();
  if (division.clusters.size() < 2 || all_alone || division.nearest < rule.separation * division.widest) return cluster;
  for (Ranks& part : division.clusters) cluster.parts.push_back(cluster_of(distance, std::move(part), rule));
  return cluster;
}

Cluster clusters_of_all(const SignalCosts& costs, const ClusterRule& rule) {
  const Distances distance(costs);
  require_metric(distance);
  Ranks all(costs.ranks);
  std::iota(all.begin(), all.end(), 0u);
  return cluster_of(distance, std::move(all), rule);
}

/// Two ranks of each place stand for the others: all of one place are as far from anybody.
struct Deputies {
  Ranks ranks;                          ///< ascending
  std::map<std::uint32_t, Ranks> rest;  ///< by the second rank of a place: its third and so on, ascending
};

Deputies deputies_of(const SignalCosts& costs) {
  Deputies deputies;
  std::map<std::uint32_t, Ranks> of_place;
  for (std::uint32_t rank = 0; rank < costs.ranks; ++rank) {
    Ranks& ranks = of_place[costs.place(rank)];
    if (ranks.size() < 2)
      deputies.ranks.push_back(rank);
    else
      deputies.rest[ranks[1]].push_back(rank);
    if (ranks.size() < 2) ranks.push_back(rank);
  }
  return deputies;
}

/// The cluster of deputies with those they stand for. A second rank that is a pivot is one as its place lies as far
/// apart as that, so each of the rest is another.
Cluster with_all(const Cluster& cluster, const Deputies& deputies) {
  Cluster all;
  for (const std::uint32_t deputy : cluster.members) {
    const std::uint32_t rank = deputies.ranks[deputy];
    all.members.push_back(rank);
    if (const auto rest = deputies.rest.find(rank); rest != deputies.rest.end())
      all.members.insert(all.members.end(), rest->second.begin(), rest->second.end());
  }
  std::sort(all.members.begin() + 1, all.members.end());
  for (const Cluster& part : cluster.parts) {
    Cluster whole = with_all(part, deputies);
    if (part.members.size() > 1)
      all.parts.push_back(std::move(whole));
    else
      for (const std::uint32_t alone : whole.members) all.parts.push_back({{alone}, {}});
  }
  return all;
}

}  // namespace

Cluster clusters_of(const SignalCosts& costs, const ClusterRule& rule) {
  assert(rule.sparseness > 0.0 && rule.sparseness < 1.0 && rule.separation >= 1.0 && costs.ranks > 0);
  if (costs.ranks <= exact_max || !costs.place) return clusters_of_all(costs, rule);
  const Deputies deputies = deputies_of(costs);
  return with_all(clusters_of_all(restricted(costs, deputies.ranks), rule), deputies);
}

}  // namespace orrery
