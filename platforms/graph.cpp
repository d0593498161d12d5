// g++ 12 takes the optional end of Boost 1.74's edge iterator for uninitialized, wherever `edges` is inlined.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include "platforms/graph.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/connected_components.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace orrery {

namespace {

using SwitchGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;

/// Nodes whose adapters are on the same switches: which is nothing but the nodes of a switch where each has one.
struct AlikeNodes {
  std::vector<std::uint32_t> switches;  ///< of each adapter
  std::uint32_t count = 0;
};

/// More than any network carries: of what limits each message alone.
constexpr double no_limit = 1e30;

/// Switches, the nodes on them, and the bandwidth one way between two switches.
struct Condensed {
  std::vector<AlikeNodes> alike;
  std::uint32_t switches = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> width;
  std::map<std::uint32_t, double> media;  ///< bandwidth of the switches that are one
  double nic = 0.0;
  std::uint32_t nodes = 0;  ///< with an adapter
};

/// Of all messages together, in one direction.
double width_of(const Routes& routes, LinkId id) {
  const LinkProperties link = routes.parameters(id);
  const double own = link.alone ? no_limit : link.bandwidth.si();
  const auto both_ways = routes.shared_by(id);
  return both_ways ? std::min(own, routes.parameters(*both_ways).bandwidth.si()) : own;
}

Condensed condense(const Routes& routes) {
  Condensed graph;
  graph.switches = routes.switches();
  const std::uint32_t adapters = routes.adapters();
  std::map<std::vector<std::uint32_t>, std::uint32_t> alike;
  std::vector<std::uint32_t> of_node;
  for (std::uint32_t i = 0; i < adapters; ++i) {
    of_node.push_back(routes.ends(LinkId{i}).second - adapters);
    if (i + 1 < adapters && routes.node_of(AdapterId{i}) == routes.node_of(AdapterId{i + 1})) continue;
    alike[of_node] += 1;
    of_node.clear();
  }
  for (const auto& [switches, count] : alike) {
    graph.alike.push_back({switches, count});
    graph.nodes += count;
  }
  for (auto i = static_cast<std::uint32_t>(index(routes.first_cable())); LinkId{i} < routes.end_of_cables(); ++i) {
    const auto [from, to] = routes.ends(LinkId{i});
    graph.width[{from - adapters, to - adapters}] += width_of(routes, LinkId{i});
  }
  for (auto i = static_cast<std::uint32_t>(index(routes.end_of_cables()));
       i < routes.links() && routes.is_shared(LinkId{i}); ++i)
    if (const auto [from, to] = routes.ends(LinkId{i}); from == to)
      graph.media[from - adapters] = width_of(routes, LinkId{i});
  if (adapters > 0) graph.nic = width_of(routes, LinkId{0});
  return graph;
}

SwitchGraph switch_graph(const Condensed& condensed) {
  SwitchGraph graph(condensed.switches);
  for (const auto& [ends, width] : condensed.width)
    if (ends.first < ends.second) boost::add_edge(ends.first, ends.second, graph);
  return graph;
}

std::vector<std::uint32_t> distances(const SwitchGraph& graph, std::uint32_t root) {
  std::vector<std::uint32_t> distance(boost::num_vertices(graph), 0);
  boost::breadth_first_search(
      graph, root,
      boost::visitor(boost::make_bfs_visitor(boost::record_distances(distance.data(), boost::on_tree_edge()))));
  return distance;
}

std::vector<std::uint32_t> switches_with_nodes(const Condensed& graph) {
  std::set<std::uint32_t> found;
  for (const AlikeNodes& nodes : graph.alike) found.insert(nodes.switches.begin(), nodes.switches.end());
  return {found.begin(), found.end()};
}

/// Values splits of the nodes by maximum flow from one half to the other.
class SplitValuer {
 public:
  explicit SplitValuer(const Condensed& graph) : condensed_(graph) {
    double total = 0.0;
    const auto add = [&](double width, double count) { total += width < no_limit ? width * count : 0.0; };
    for (const AlikeNodes& nodes : graph.alike)
      add(graph.nic, static_cast<double>(nodes.count) * static_cast<double>(nodes.switches.size()));
    for (const auto& [ends, width] : graph.width) add(width, 1.0);
    for (const auto& [medium, width] : graph.media) add(width, 1.0);
    unit_ = std::max(1.0, total / 1e15);  // whole numbers, so that the flow algorithm meets no rounding
    unlimited_ = 2.0 * std::max(total, unit_);
  }
  /// Whether a value is that of a split with nothing between its halves that is shared.
  bool is_unlimited(double value) const { return value >= 0.99 * unlimited_; }

  /// `first_half[i]` nodes of the i-th that are alike are in the first half.
  double value(const std::vector<std::uint32_t>& first_half) const {
    const std::uint32_t switches = condensed_.switches;
    const auto media = static_cast<std::uint32_t>(condensed_.media.size());
    FlowGraph graph(switches + media + 2);
    const std::uint32_t source = switches + media, sink = source + 1;
    // What leaves a medium leaves the second of its two vertices.
    std::map<std::uint32_t, std::uint32_t> second_of;
    for (const auto& [medium, width] : condensed_.media) {
      const auto second = switches + static_cast<std::uint32_t>(second_of.size());
      second_of[medium] = second;
      add(graph, medium, second, width, 0.0);
    }
    const auto out_of = [&](std::uint32_t s) {
      const auto found = second_of.find(s);
      return found == second_of.end() ? s : found->second;
    };
    std::vector<std::uint32_t> first(switches, 0), second(switches, 0);
    for (std::size_t i = 0; i < first_half.size(); ++i)
      for (const std::uint32_t s : condensed_.alike[i].switches) {
        first[s] += first_half[i];
        second[s] += condensed_.alike[i].count - first_half[i];
      }
    for (std::uint32_t s = 0; s < switches; ++s) {
      add(graph, source, s, first[s] * condensed_.nic, 0.0);
      add(graph, out_of(s), sink, second[s] * condensed_.nic, 0.0);
    }
    for (const auto& [ends, width] : condensed_.width) {
      if (media > 0) {
        add(graph, out_of(ends.first), ends.second, width, 0.0);
        continue;
      }
      const auto back = condensed_.width.find({ends.second, ends.first});
      if (ends.first < ends.second)
        add(graph, ends.first, ends.second, width, back == condensed_.width.end() ? 0.0 : back->second);
    }
    return static_cast<double>(boost::boykov_kolmogorov_max_flow(graph, source, sink)) * unit_;
  }

 private:
  using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
  using EdgeProperties =
      boost::property<boost::edge_capacity_t, std::int64_t,
                      boost::property<boost::edge_residual_capacity_t, std::int64_t,
                                      boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>;
  using VertexProperties =
      boost::property<boost::vertex_color_t, boost::default_color_type,
                      boost::property<boost::vertex_distance_t, std::int64_t,
                                      boost::property<boost::vertex_predecessor_t, Traits::edge_descriptor>>>;
  using FlowGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, VertexProperties, EdgeProperties>;

  void add(FlowGraph& graph, std::uint32_t from, std::uint32_t to, double width, double back) const {
    if (width == 0.0 && back == 0.0) return;
    width = std::min(width, unlimited_);
    back = std::min(back, unlimited_);
    const auto there = boost::add_edge(from, to, graph).first, reverse = boost::add_edge(to, from, graph).first;
    boost::put(boost::edge_capacity, graph, there, std::llround(width / unit_));
    boost::put(boost::edge_capacity, graph, reverse, std::llround(back / unit_));
    boost::put(boost::edge_reverse, graph, there, reverse);
    boost::put(boost::edge_reverse, graph, reverse, there);
  }

  const Condensed& condensed_;
  double unit_ = 1.0, unlimited_ = no_limit;
};

constexpr double splits_max = 3000.0;

double number_of_splits(const Condensed& graph) {
  double splits = 1.0;
  for (const AlikeNodes& nodes : graph.alike) splits = std::min(splits * (nodes.count + 1.0), 1e18);
  return splits;
}

/// The least over all ways to put half of the nodes on one side.
double least_of_all_splits(const Condensed& graph, const SplitValuer& valuer) {
  double least = INFINITY;
  std::vector<std::uint32_t> half(graph.alike.size(), 0);
  const auto choose = [&](const auto& self, std::size_t s, std::uint32_t left) -> void {
    if (s == half.size()) {
      if (left == 0) least = std::min(least, valuer.value(half));
      return;
    }
    for (half[s] = 0; half[s] <= std::min(left, graph.alike[s].count); ++half[s]) self(self, s + 1, left - half[s]);
    half[s] = 0;
  };
  choose(choose, 0, graph.nodes / 2);
  return least;
}

/// The first half of the nodes in the given order of those that are alike.
std::vector<std::uint32_t> cut_in_the_middle(const Condensed& graph, const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> half(graph.alike.size(), 0);
  std::uint32_t left = graph.nodes / 2;
  for (const auto s : order) {
    half[s] = std::min(left, graph.alike[s].count);
    left -= half[s];
  }
  return half;
}

/// Orders of the nodes, those on the same switches together, whose middle is a likely bottleneck: by number (groups,
/// subtrees, the last dimension of a torus), by each pair of strides (its other dimensions), by distance from some
/// switches.
std::vector<std::vector<std::uint32_t>> promising_orders(const Condensed& graph) {
  constexpr std::size_t orders_max = 200;
  const auto count = static_cast<std::uint32_t>(graph.alike.size());
  std::vector<std::uint32_t> base(count);
  std::iota(base.begin(), base.end(), 0u);
  std::vector<std::vector<std::uint32_t>> orders{base};
  const auto switch_of = [&](std::uint32_t i) { return graph.alike[i].switches.front(); };
  std::vector<std::uint32_t> divisors;
  for (std::uint32_t d = 1; d <= count; ++d)
    if (count % d == 0) divisors.push_back(d);
  for (const auto stride : divisors)
    for (const auto size : divisors) {
      if (size == 1 || count % (stride * size) != 0 || orders.size() >= orders_max) continue;
      auto order = base;
      std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return switch_of(i) / stride % size; });
      orders.push_back(std::move(order));
    }
  const SwitchGraph links = switch_graph(graph);
  for (std::size_t i = 0; i < base.size() && i < 16; ++i) {
    const auto distance = distances(links, switch_of(base[i * base.size() / std::min<std::size_t>(16, base.size())]));
    auto order = base;
    std::ranges::stable_sort(order, {}, [&](std::uint32_t k) { return distance[switch_of(k)]; });
    orders.push_back(std::move(order));
  }
  return orders;
}

}  // namespace

bool connected(const Routes& routes) {
  const Condensed condensed = condense(routes);
  const SwitchGraph graph = switch_graph(condensed);
  std::vector<std::uint32_t> component(boost::num_vertices(graph));
  boost::connected_components(graph, component.data());
  std::set<std::uint32_t> with_nodes;
  for (const auto s : switches_with_nodes(condensed)) with_nodes.insert(component[s]);
  return with_nodes.size() <= 1;
}

Diameter diameter(const Routes& routes) {
  constexpr double visits_max = 2e8;
  constexpr std::size_t roots_when_large = 64;
  const Condensed condensed = condense(routes);
  if (condensed.nodes < 2) return {0, true};
  const SwitchGraph graph = switch_graph(condensed);
  const auto with_nodes = switches_with_nodes(condensed);
  const bool exact = static_cast<double>(with_nodes.size()) * static_cast<double>(boost::num_edges(graph)) < visits_max;
  const std::size_t step = exact ? 1 : std::max<std::size_t>(1, with_nodes.size() / roots_when_large);
  std::uint32_t farthest = 0;
  for (std::size_t i = 0; i < with_nodes.size(); i += step) {
    const auto distance = distances(graph, with_nodes[i]);
    for (const auto s : with_nodes) farthest = std::max(farthest, distance[s]);
  }
  return {farthest + 2, exact};
}

std::optional<Bisection> bisection_bandwidth(const Routes& routes) {
  constexpr std::uint32_t switches_max = 20000;
  constexpr double edges_valued_max = 2e6;
  if (routes.switches() > switches_max) return std::nullopt;
  const Condensed graph = condense(routes);
  if (graph.nodes < 2) return std::nullopt;
  const SplitValuer valuer(graph);
  const auto found = [&](double value, bool exact) {
    return valuer.is_unlimited(value) ? std::nullopt : std::optional(Bisection{BytesPerSecond(value), exact});
  };
  if (number_of_splits(graph) <= splits_max) return found(least_of_all_splits(graph, valuer), true);
  double least = INFINITY, edges = 0.0;
  for (const auto& order : promising_orders(graph)) {
    least = std::min(least, valuer.value(cut_in_the_middle(graph, order)));
    edges += static_cast<double>(graph.width.size()) + graph.switches;
    if (edges > edges_valued_max) break;
  }
  return found(least, false);
}

}  // namespace orrery
