/// Free graphs of switches: fewest links, then least latency, by Dijkstra on pairs (links, latency); ties by the order
/// of the file. The tree of each switch that routes start from is computed once and kept.
#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <charconv>
#include <map>
#include <mutex>

#include "platforms/routes_detail.hpp"
#include "sim/core/error.hpp"

namespace orrery {

namespace {

using Distance = std::pair<std::uint32_t, double>;  ///< links, latency in s

struct EdgeData {
  std::uint32_t link = 0;
  Distance length;
};
using FreeGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, EdgeData>;

constexpr Distance too_far{0xffffffffu, 0.0};

class GraphRoutes final : public SwitchedRoutes {
 public:
  GraphRoutes(const Platform& platform, const Network& network, const GraphTopology& topology, const std::string& where)
      : SwitchedRoutes(platform, network),
        names_(topology.switches),
        graph_(topology.switches.size()),
        switch_of_(platform.nodes(), 0),
        trees_(topology.switches.size()) {
    std::map<std::string, std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < names_.size(); ++i) numbers[names_[i]] = i;
    for (const auto& edge : topology.edges) {
      if (edge.from.starts_with("node:"))
        attach(edge.from, numbers.at(edge.to));
      else
        add_cable(numbers.at(edge.from), numbers.at(edge.to), edge);
    }
    require_connected(network, where);
  }

  std::uint32_t switches() const override { return static_cast<std::uint32_t>(names_.size()); }
  std::string switch_name(std::uint32_t number) const override { return names_[number]; }
  std::string switch_words(std::uint32_t number) const override { return fmt::format("switch '{}'", names_[number]); }

 protected:
  std::uint32_t switch_links() const override { return static_cast<std::uint32_t>(links_.size()); }
  std::uint32_t switch_of(std::uint32_t place) const override { return switch_of_[node_at(place)]; }
  std::pair<std::uint32_t, std::uint32_t> switch_ends(std::uint32_t i) const override {
    return {links_[i].from, links_[i].to};
  }
  Cable cable_of(std::uint32_t i) const override {
    return {links_[i].number, cables_.at({links_[i].from, links_[i].to})};
  }
  BytesPerSecond switch_link_bandwidth(std::uint32_t i) const override { return links_[i].bandwidth; }
  Seconds switch_link_latency(std::uint32_t i) const override { return links_[i].latency; }

  void append_switch_route(std::uint32_t from, std::uint32_t to, std::vector<LinkId>& into) const override {
    append_between(switch_of(from), switch_of(to), into);
  }

  /// One shortest way, and detours over every other switch.
  PathCounts switch_paths(std::uint32_t from, std::uint32_t to) const override {
    if (switch_of(from) == switch_of(to)) return {};
    return {1, switches() - 2};
  }
  void append_switch_path(std::uint32_t from, std::uint32_t to, std::uint64_t path,
                          std::vector<LinkId>& into) const override {
    const std::uint32_t a = switch_of(from), b = switch_of(to);
    if (path == 0) return append_between(a, b, into);
    auto over = static_cast<std::uint32_t>(path - 1);
    for (const std::uint32_t taken : {std::min(a, b), std::max(a, b)})
      if (over >= taken) ++over;
    append_between(a, over, into);
    append_between(over, b, into);
  }

 private:
  void append_between(std::uint32_t from, std::uint32_t to, std::vector<LinkId>& into) const {
    const auto& last_link = tree_of(from);
    const std::size_t first = into.size();
    for (std::uint32_t at = to; at != from; at = links_[last_link[at]].from) into.push_back(switch_link(last_link[at]));
    std::reverse(into.begin() + static_cast<std::ptrdiff_t>(first), into.end());
  }
  struct OneWay {
    std::uint32_t from, to;
    BytesPerSecond bandwidth;
    Seconds latency;
    std::uint32_t number;  ///< of the cables between its ends, from 1
  };
  using Tree = std::vector<std::uint32_t>;  ///< [switches] link by which the route from the root arrives

  void attach(const std::string& range, std::uint32_t to) {
    std::uint32_t first = 0, last = 0;
    const char* end = range.data() + range.size();
    const auto [dash, status] = std::from_chars(range.data() + 5, end, first);
    last = first;
    if (dash != end) std::from_chars(dash + 1, end, last);
    for (std::uint32_t node = first; node <= last && node < switch_of_.size(); ++node) switch_of_[node] = to;
  }

  void add_cable(std::uint32_t a, std::uint32_t b, const GraphTopology::Edge& edge) {
    for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
      const auto link = static_cast<std::uint32_t>(links_.size());
      links_.push_back({from, to, edge.bandwidth, edge.latency, ++cables_[{from, to}]});
      boost::add_edge(from, to, EdgeData{link, {1, edge.latency.si()}}, graph_);
    }
  }

  const Tree& tree_of(std::uint32_t root) const {
    const std::lock_guard lock(mutex_);
    if (trees_[root].empty()) trees_[root] = shortest_paths(root);
    return trees_[root];
  }

  Tree shortest_paths(std::uint32_t root) const {
    std::vector<Distance> distance(names_.size());
    std::vector<std::uint32_t> predecessor(names_.size());
    const auto longer_by = [](const Distance& a, const Distance& b) {
      if (a == too_far || b == too_far) return too_far;
      return Distance{a.first + b.first, a.second + b.second};
    };
    boost::dijkstra_shortest_paths(
        graph_, root,
        boost::weight_map(boost::get(&EdgeData::length, graph_))
            .distance_map(boost::make_iterator_property_map(distance.begin(), boost::get(boost::vertex_index, graph_)))
            .predecessor_map(
                boost::make_iterator_property_map(predecessor.begin(), boost::get(boost::vertex_index, graph_)))
            .distance_compare(std::less<>())
            .distance_combine(longer_by)
            .distance_inf(too_far)
            .distance_zero(Distance{0, 0.0}));
    Tree tree(names_.size(), no_link);
    for (std::uint32_t i = 0; i < links_.size(); ++i) {
      const auto& [from, to, bandwidth, latency, number] = links_[i];
      const bool arrives = to != root && predecessor[to] == from && distance[from] != too_far &&
                           distance[to] == longer_by(distance[from], {1, latency.si()});
      if (arrives && tree[to] == no_link) tree[to] = i;
    }
    return tree;
  }

  void require_connected(const Network& network, const std::string& where) const {
    if (adapters() == 0) return;
    const auto first = static_cast<std::uint32_t>(index(node_of(AdapterId{0})));
    const std::uint32_t root = switch_of_[first];
    const Tree tree = shortest_paths(root);
    for (std::uint32_t adapter = 1; adapter < adapters(); ++adapter)
      if (const auto node = index(node_of(AdapterId{adapter}));
          switch_of_[node] != root && tree[switch_of_[node]] == no_link)
        throw InputError(
            fmt::format("{}: network '{}' has no path from node {} at '{}' to node {} at '{}' (all nodes must be "
                        "connected). Add a link?",
                        where, network.name, first, names_[root], node, names_[switch_of_[node]]));
  }

  static constexpr std::uint32_t no_link = 0xffffffffu;
  std::vector<std::string> names_;
  FreeGraph graph_;
  std::vector<std::uint32_t> switch_of_;
  std::vector<OneWay> links_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> cables_;  ///< how many between two ends
  mutable std::vector<Tree> trees_;
  mutable std::mutex mutex_;
};

}  // namespace

std::unique_ptr<Routes> make_graph_routes(const Platform& platform, const Network& network, const std::string& where) {
  return std::make_unique<GraphRoutes>(platform, network, std::get<GraphTopology>(network.topology), where);
}

}  // namespace orrery
