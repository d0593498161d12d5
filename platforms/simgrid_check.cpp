#include "platforms/simgrid_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "sim/core/mixed.hpp"

namespace orrery {

namespace {

constexpr std::uint64_t compared_pairs_max = 20000;
constexpr std::uint32_t loaded_hosts_max = 400;
constexpr std::uint32_t load_patterns = 6;
constexpr double ways_equal_within = 1e-6, shares_equal_within = 1e-3;

/// A way as either side has it.
struct ComparedWay {
  double latency = 0.0, bandwidth = std::numeric_limits<double>::infinity();
  std::vector<std::pair<std::uint32_t, double>> shared;  ///< resource, capacity
};

class WayComparer {
 public:
  WayComparer(const SimgridElements& elements, const SimgridRouting& routing, const Routes& routes,
              std::span<const std::uint32_t> node_of)
      : elements_(elements), routing_(routing), routes_(routes), node_of_(node_of) {}

  SimgridComparison compare() {
    const std::uint64_t n = elements_.hosts.size();
    if (n < 2) return found_;
    if (n * (n - 1) <= compared_pairs_max) {
      for (std::uint32_t a = 0; a < n; ++a)
        for (std::uint32_t b = 0; b < n; ++b)
          if (a != b) pair(a, b);
    } else {
      for (std::uint64_t i = 0; i < compared_pairs_max; ++i) {
        const std::uint32_t a = below(n), b = (a + 1 + below(n - 1)) % static_cast<std::uint32_t>(n);
        pair(a, b);
      }
    }
    for (std::uint32_t i = 0; i < load_patterns; ++i) pattern(i % 2 == 1);
    return found_;
  }

 private:
  std::uint32_t below(std::uint64_t n) { return static_cast<std::uint32_t>(mixed(++drawn_) % n); }

  bool in_file(std::uint32_t a, std::uint32_t b, ComparedWay& way) {
    way = {};
    if (!routing_.way(a, b, links_)) return false;
    for (const std::uint32_t link : links_) {
      const SimgridLink& its = elements_.links[link];
      way.latency += its.latency;
      way.bandwidth = std::min(way.bandwidth, its.bandwidth);
      if (!its.fatpipe) way.shared.emplace_back(link, its.bandwidth);
    }
    return true;
  }
  void built(std::uint32_t a, std::uint32_t b, ComparedWay& way) {
    way = {};
    for (const LinkId id : routes_.route(NodeId{node_of_[a]}, NodeId{node_of_[b]})) {
      const LinkProperties its = routes_.parameters(id);
      way.latency += its.latency.si();
      way.bandwidth = std::min(way.bandwidth, its.bandwidth.si());
      if (!its.alone) way.shared.emplace_back(static_cast<std::uint32_t>(index(id)), its.bandwidth.si());
    }
  }

  static void count(SimgridDifference& of, std::uint32_t a, std::uint32_t b, double in_file, double built,
                    double within) {
    ++of.compared;
    const double least = std::min(in_file, built), most = std::max(in_file, built);
    if (most - least <= within * most) return;
    ++of.differ;
    const double factor = least > 0.0 ? most / least : std::numeric_limits<double>::infinity();
    if (factor > of.factor) of = {of.compared, of.differ, factor, a, b, in_file, built};
  }

  void pair(std::uint32_t a, std::uint32_t b) {
    ComparedWay file, here;
    if (!in_file(a, b, file)) {
      if (found_.without_route++ == 0) found_.route_from = a, found_.route_to = b;
      return;
    }
    built(a, b, here);
    count(found_.latency, a, b, file.latency, here.latency, ways_equal_within);
    count(found_.bandwidth, a, b, file.bandwidth, here.bandwidth, ways_equal_within);
  }

  static void add(const ComparedWay& way, std::unordered_map<std::uint32_t, std::uint32_t>& numbers,
                  SimgridLoad& load) {
    std::vector<SimgridUse>& uses = load.flows.emplace_back();
    load.most.push_back(way.bandwidth);
    for (const auto& [resource, capacity] : way.shared) {
      const auto [at, added] = numbers.try_emplace(resource, static_cast<std::uint32_t>(load.capacity.size()));
      if (added) load.capacity.push_back(capacity);
      const auto twice = std::ranges::find(uses, at->second, &SimgridUse::resource);
      if (twice != uses.end())
        twice->weight += 1.0;
      else
        uses.push_back({at->second, 1.0});
    }
  }

  /// Each host sends to another one of a random order; `back`: which sends to it, too.
  void pattern(bool back) {
    std::vector<std::uint32_t> order(elements_.hosts.size());
    std::iota(order.begin(), order.end(), 0u);
    for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[below(i + 1)]);
    order.resize(std::min<std::size_t>(order.size(), loaded_hosts_max));
    SimgridLoad file_load, built_load;
    std::unordered_map<std::uint32_t, std::uint32_t> file_numbers, built_numbers;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> messages;
    ComparedWay file, here;
    const auto message = [&](std::uint32_t a, std::uint32_t b) {
      if (!in_file(a, b, file)) return;
      built(a, b, here);
      add(file, file_numbers, file_load);
      add(here, built_numbers, built_load);
      messages.emplace_back(a, b);
    };
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::uint32_t a = order[i], b = order[(i + 1) % order.size()];
      message(a, b);
      if (back) message(b, a);
    }
    const std::vector<double> in_file = fair_shares(file_load), shares = fair_shares(built_load);
    for (std::size_t i = 0; i < messages.size(); ++i)
      count(found_.shared, messages[i].first, messages[i].second, in_file[i], shares[i], shares_equal_within);
  }

  const SimgridElements& elements_;
  const SimgridRouting& routing_;
  const Routes& routes_;
  std::span<const std::uint32_t> node_of_;
  SimgridWay links_;
  SimgridComparison found_;
  std::uint64_t drawn_ = 0;
};

}  // namespace

std::vector<double> fair_shares(const SimgridLoad& load) {
  std::vector<double> left = load.capacity, weight(load.capacity.size(), 0.0), share(load.flows.size(), 0.0);
  std::vector<bool> fixed(load.flows.size(), false);
  for (const auto& uses : load.flows)
    for (const SimgridUse& use : uses) weight[use.resource] += use.weight;
  for (std::size_t open = load.flows.size(); open > 0;) {
    const auto of = [&](std::size_t flow) {
      double least = load.most[flow];
      for (const SimgridUse& use : load.flows[flow])
        least = std::min(least, std::max(left[use.resource], 0.0) / weight[use.resource]);
      return least;
    };
    double least = std::numeric_limits<double>::infinity();
    std::vector<double> level(load.flows.size());
    for (std::size_t flow = 0; flow < load.flows.size(); ++flow)
      if (!fixed[flow]) least = std::min(least, level[flow] = of(flow));
    for (std::size_t flow = 0; flow < load.flows.size(); ++flow) {
      if (fixed[flow] || level[flow] > least * (1.0 + 1e-12)) continue;
      fixed[flow] = true;
      share[flow] = least;
      --open;
      for (const SimgridUse& use : load.flows[flow]) {
        left[use.resource] -= use.weight * least;
        weight[use.resource] -= use.weight;
      }
    }
    if (!std::isfinite(least)) break;
  }
  return share;
}

SimgridComparison compare_ways(const SimgridElements& elements, const SimgridRouting& routing, const Routes& routes,
                               std::span<const std::uint32_t> node_of) {
  return WayComparer(elements, routing, routes, node_of).compare();
}

}  // namespace orrery
