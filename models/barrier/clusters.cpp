#include "models/barrier/clusters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"

namespace orrery {

namespace {

using Ranks = std::vector<std::uint32_t>;

constexpr std::size_t exact_max = 2048;
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
            fmt::format("clusters: a signal between ranks {} and {} costs {} (more than 0 between two "
                        "ranks). Measure O and L of this pair?",
                        i, k, to_text(direct)));
      for (std::uint64_t w = 0; w < ways; ++w) {
        const auto j = static_cast<std::uint32_t>(w * n / ways);
        const Seconds round = distance(i, j) + distance(j, k);
        if (j != i && j != k && direct > detour_max * round)
          throw InputError(
              fmt::format("clusters: a signal between ranks {} and {} costs {}, by way of rank {} only {} "
                          "(costs that are a metric). Measure this pair again?",
                          i, k, to_text(direct), j, to_text(round)));
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

}  // namespace

Cluster clusters_of(const SignalCosts& costs, const ClusterRule& rule) {
  assert(rule.sparseness > 0.0 && rule.sparseness < 1.0 && rule.separation >= 1.0 && costs.ranks > 0);
  const Distances distance(costs);
  require_metric(distance);
  Ranks all(costs.ranks);
  std::iota(all.begin(), all.end(), 0u);
  return cluster_of(distance, std::move(all), rule);
}

}  // namespace orrery
