#include "platforms/graph_ways.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <numeric>

namespace orrery {

namespace {

using Distance = GraphWays::Distance;

struct EdgeData {
  Distance length;
};
using FreeGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, EdgeData>;

constexpr Distance too_far{0xffffffffu, 0.0};
constexpr std::uint32_t ways_max = 1u << 31;
constexpr double equal_within = 1e-9;  // latencies, which are sums in another order

}  // namespace

struct GraphWays::Adjacency {
  explicit Adjacency(std::uint32_t switches) : graph(switches) {}
  FreeGraph graph;
};

void GraphWays::append(std::uint32_t from, std::uint32_t to, std::uint32_t way,
                       std::vector<std::uint32_t>& into) const {
  const FromSwitch& known = ways_from(from);
  const auto before = [&](std::uint32_t link) {
    return links_[link].from == from ? 1u : known.ways_to(links_[link].from);
  };
  const std::size_t first = into.size();
  for (std::uint32_t at = to; at != from;) {
    const auto arriving = known.arriving_at(at);
    const auto of_first = before(arriving.front());
    std::size_t i = 0;
    if (std::ranges::all_of(arriving, [&](std::uint32_t link) { return before(link) == of_first; })) {
      i = way % arriving.size();
      way /= static_cast<std::uint32_t>(arriving.size());
    } else {
      for (; way >= before(arriving[i]); ++i) way -= before(arriving[i]);
    }
    into.push_back(arriving[i]);
    at = links_[arriving[i]].from;
  }
  std::reverse(into.begin() + static_cast<std::ptrdiff_t>(first), into.end());
}

const GraphWays::FromSwitch& GraphWays::ways_from(std::uint32_t root) const {
  const std::lock_guard lock(mutex_);
  if (known_[root].arriving.empty()) known_[root] = shortest_ways(root);
  return known_[root];
}

std::vector<Distance> GraphWays::distances(std::uint32_t root) const {
  if (!adjacency_) {
    const auto made = std::make_shared<Adjacency>(switches_);
    for (const Link& link : links_) boost::add_edge(link.from, link.to, EdgeData{link.length}, made->graph);
    adjacency_ = made;
  }
  const FreeGraph& graph = adjacency_->graph;
  std::vector<Distance> distance(switches_);
  const auto longer_by = [](const Distance& a, const Distance& b) {
    if (a == too_far || b == too_far) return too_far;
    return Distance{a.first + b.first, a.second + b.second};
  };
  boost::dijkstra_shortest_paths(
      graph, root,
      boost::weight_map(boost::get(&EdgeData::length, graph))
          .distance_map(boost::make_iterator_property_map(distance.begin(), boost::get(boost::vertex_index, graph)))
          .distance_compare(std::less<>())
          .distance_combine(longer_by)
          .distance_inf(too_far)
          .distance_zero(Distance{0, 0.0}));
  return distance;
}

GraphWays::FromSwitch GraphWays::shortest_ways(std::uint32_t root) const {
  const std::vector<Distance> distance = distances(root);
  const auto arrives = [&](const Link& link) {
    const auto& [links, latency] = distance[link.from];
    const auto& end = distance[link.to];
    return distance[link.from] != too_far && links + link.length.first == end.first &&
           latency + link.length.second <= end.second * (1.0 + equal_within);
  };
  FromSwitch found;
  found.first.assign(switches_ + 1, 0);
  for (const Link& link : links_)
    if (arrives(link)) ++found.first[link.to + 1];
  std::partial_sum(found.first.begin(), found.first.end(), found.first.begin());
  found.arriving.resize(found.first.back());
  std::vector<std::uint32_t> next = found.first;
  for (std::uint32_t i = 0; i < links_.size(); ++i)
    if (arrives(links_[i])) found.arriving[next[links_[i].to]++] = i;
  count_ways(root, distance, found);
  return found;
}

/// Nearer switches first. What has no choice anywhere is kept as a link for each switch.
void GraphWays::count_ways(std::uint32_t root, const std::vector<Distance>& distance, FromSwitch& found) const {
  std::vector<std::uint32_t> order(switches_);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t v) { return distance[v].first; });
  found.ways.assign(switches_, 0);
  found.ways[root] = 1;
  std::uint32_t most = 1;
  for (const std::uint32_t v : order) {
    std::uint64_t ways = found.ways[v];
    for (const std::uint32_t link : found.arriving_at(v)) ways += found.ways[links_[link].from];
    found.ways[v] = static_cast<std::uint32_t>(std::min<std::uint64_t>(ways, ways_max));
    most = std::max(most, found.ways[v]);
  }
  if (most > 1) return;
  std::vector<std::uint32_t> single(switches_, no_arrival);
  for (const std::uint32_t link : found.arriving) single[links_[link].to] = link;
  found = {{}, std::move(single), {}};
}

}  // namespace orrery
