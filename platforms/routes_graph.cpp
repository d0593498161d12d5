/// Free graphs of switches: routes as the file states them (graph_stated.hpp), else the shortest (graph_ways.hpp).
///
/// Deterministic routing takes way d mod ways towards place d, as fat trees do (d-mod-k).
///
/// A medium is a place as a switch is, joined to each switch on it by a wire each way. A wire counts as half a link and
/// has half of the medium's latency for the shortest ways: crossing a medium is as far as a link.
///
/// Checked  tests/unit/platforms/paths_test.cpp, routes_test.cpp, tests/replay/routing_test.cpp
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <span>

#include "platforms/graph_stated.hpp"
#include "platforms/graph_ways.hpp"
#include "platforms/routes_detail.hpp"
#include "sim/core/error.hpp"

namespace orrery {

namespace {

class GraphRoutes final : public SwitchedRoutes {
 public:
  GraphRoutes(const Platform& platform, const Network& network, const GraphTopology& topology, const std::string& where)
      : SwitchedRoutes(platform, network),
        names_(topology.switches),
        first_medium_(static_cast<std::uint32_t>(names_.size())),
        switch_of_(platform.nodes(), 0),
        ways_(topology.switches.size() + topology.media.size()) {
    for (const Medium& medium : topology.media) names_.push_back(medium.name);
    part_of_switch_.assign(names_.size(), no_part);
    std::map<std::string, std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < names_.size(); ++i) numbers[names_[i]] = i;
    GraphParts parts{names_, first_medium_, numbers, {}, {}};
    for (const auto& edge : topology.edges) {
      if (edge.from.starts_with("node:")) {
        attach(edge.from, numbers.at(edge.to));
        continue;
      }
      const std::uint32_t from = numbers.at(edge.from), to = numbers.at(edge.to);
      if (!edge.name.empty()) parts.links[edge.name] = {from, to, static_cast<std::uint32_t>(links_.size())};
      add_cable(from, to, edge);
    }
    for (const Medium& medium : topology.media) add_medium(medium, numbers, parts);
    for (const auto& route : stated_routes(topology, parts)) {
      auto& links = stated_[{route.from, route.to}];
      for (const std::uint32_t link : route.links) links.push_back(switch_link(link));
    }
    require_connected(network, where);
  }

  std::uint32_t switches() const override { return static_cast<std::uint32_t>(names_.size()); }
  std::string switch_name(std::uint32_t number) const override { return names_[number]; }
  std::string switch_words(std::uint32_t number) const override {
    return fmt::format("{} '{}'", number < first_medium_ ? "switch" : "medium", names_[number]);
  }

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
  bool switch_link_alone(std::uint32_t i) const override { return links_[i].alone; }
  std::string relation(std::uint32_t i) const override { return links_[i].wire ? "wire from" : "link from"; }
  std::span<const SharedPart> shared_parts() const override { return shared_; }
  std::uint32_t part_of_link(std::uint32_t i) const override { return links_[i].part; }
  bool switch_link_is_wire(std::uint32_t i) const override { return links_[i].wire; }
  void append_parts(std::uint32_t at, std::span<const LinkId> links, std::vector<std::uint32_t>& into) const override {
    const auto pass = [&](std::uint32_t part) {
      if (part != no_part) into.push_back(part);
    };
    pass(part_of_switch_[at]);
    for (const LinkId id : links) {
      const OneWay& link = links_[number_of_switch_link(id)];
      pass(link.part);
      pass(part_of_switch_[link.to]);
    }
  }

  void append_switch_route(std::uint32_t from, std::uint32_t to, std::vector<LinkId>& into) const override {
    const std::uint32_t a = switch_of(from), b = switch_of(to);
    if (const auto* links = stated(a, b))
      return static_cast<void>(into.insert(into.end(), links->begin(), links->end()));
    if (a != b) append_between(a, b, to % ways_.count(a, b), into);
  }

  /// The equally short ways, and a detour over every other switch.
  PathCounts switch_paths(std::uint32_t from, std::uint32_t to) const override {
    const std::uint32_t a = switch_of(from), b = switch_of(to);
    if (a == b || stated(a, b) != nullptr) return {};
    return {ways_.count(a, b), switches() - 2};
  }
  void append_switch_path(std::uint32_t from, std::uint32_t to, std::uint64_t path,
                          std::vector<LinkId>& into) const override {
    const std::uint32_t a = switch_of(from), b = switch_of(to);
    if (a == b) return;
    if (stated(a, b) != nullptr) return append_switch_route(from, to, into);
    const std::uint32_t minimal = ways_.count(a, b);
    if (path < minimal) return append_between(a, b, static_cast<std::uint32_t>(path), into);
    auto over = static_cast<std::uint32_t>(path - minimal);
    for (const std::uint32_t taken : {std::min(a, b), std::max(a, b)})
      if (over >= taken) ++over;
    const std::uint32_t there = ways_.count(a, over);
    if (there == 0) return append_between(a, b, over % minimal, into);  // a switch that no cable joins to these
    append_between(a, over, over % there, into);
    append_between(over, b, over % ways_.count(over, b), into);
  }

 private:
  void append_between(std::uint32_t from, std::uint32_t to, std::uint32_t way, std::vector<LinkId>& into) const {
    std::vector<std::uint32_t> links;
    ways_.append(from, to, way, links);
    for (const std::uint32_t link : links) into.push_back(switch_link(link));
  }
  struct OneWay {
    std::uint32_t from, to;
    BytesPerSecond bandwidth;
    Seconds latency;
    std::uint32_t number;          ///< of the cables between its ends, from 1
    bool alone = false;            ///< each message alone is limited
    bool wire = false;             ///< between a medium and a switch on it
    std::uint32_t part = no_part;  ///< of `shared_`: a half-duplex link
  };

  const std::vector<LinkId>* stated(std::uint32_t from, std::uint32_t to) const {
    const auto found = stated_.find({from, to});
    return found == stated_.end() ? nullptr : &found->second;
  }

  void attach(const std::string& range, std::uint32_t to) {
    std::uint32_t first = 0, last = 0;
    const char* end = range.data() + range.size();
    const auto [dash, status] = std::from_chars(range.data() + 5, end, first);
    last = first;
    if (dash != end) std::from_chars(dash + 1, end, last);
    for (std::uint32_t node = first; node <= last && node < switch_of_.size(); ++node) switch_of_[node] = to;
  }

  void add_cable(std::uint32_t a, std::uint32_t b, const GraphTopology::Edge& edge) {
    const bool half = edge.sharing == Sharing::half_duplex;
    const auto part = half ? static_cast<std::uint32_t>(shared_.size()) : no_part;
    add_both_ways(a, b, {0, 0, edge.bandwidth, edge.latency, 0, edge.sharing == Sharing::none, false, part},
                  {2, edge.latency.si()});
    if (!half) return;
    const std::uint32_t number = links_.back().number;
    shared_.push_back({{ResourceKind::medium, edge.bandwidth, Seconds{}},
                       a,
                       b,
                       fmt::format("both:{}-{}#{}", names_[a], names_[b], number),
                       edge.name.empty()
                           ? fmt::format("both directions of the link between {} and {}{}", switch_words(a),
                                         switch_words(b), number > 1 ? fmt::format(", cable {}", number) : "")
                           : fmt::format("both directions of link '{}'", edge.name)});
  }

  void add_both_ways(std::uint32_t a, std::uint32_t b, OneWay link, const GraphWays::Distance& length) {
    for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
      link.from = from;
      link.to = to;
      link.number = ++cables_[{from, to}];
      ways_.add(from, to, length);
      links_.push_back(link);
    }
  }

  void add_medium(const Medium& medium, const std::map<std::string, std::uint32_t>& numbers, GraphParts& parts) {
    const std::uint32_t here = numbers.at(medium.name);
    for (const std::string& name : medium.between) {
      const std::uint32_t there = numbers.at(name);
      parts.wires[{here, there}] = static_cast<std::uint32_t>(links_.size());
      add_both_ways(here, there, {0, 0, medium.bandwidth, Seconds{}, 0, true, true}, {1, medium.latency.si() / 2.0});
    }
    part_of_switch_[here] = static_cast<std::uint32_t>(shared_.size());
    shared_.push_back({{ResourceKind::medium, medium.bandwidth, medium.latency, medium.sharing == Sharing::none},
                       here,
                       here,
                       "medium:" + medium.name,
                       switch_words(here)});
  }

  void require_connected(const Network& network, const std::string& where) const {
    if (adapters() == 0) return;
    const auto first = static_cast<std::uint32_t>(index(node_of(AdapterId{0})));
    const std::uint32_t root = switch_of_[first];
    for (std::uint32_t adapter = 1; adapter < adapters(); ++adapter)
      if (const auto node = index(node_of(AdapterId{adapter}));
          switch_of_[node] != root && ways_.count(root, switch_of_[node]) == 0)
        throw InputError(
            "{}: network '{}' has no path from node {} at '{}' to node {} at '{}' (all nodes must be "
            "connected). Add a link?",
            where, network.name, first, names_[root], node, names_[switch_of_[node]]);
  }

  std::vector<std::string> names_;  ///< of switches, then media
  std::uint32_t first_medium_;
  std::vector<std::uint32_t> switch_of_;
  GraphWays ways_;
  std::vector<OneWay> links_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> cables_;  ///< how many between two ends
  std::vector<SharedPart> shared_;
  std::vector<std::uint32_t> part_of_switch_;  ///< of `shared_`
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<LinkId>> stated_;
};

}  // namespace

std::unique_ptr<Routes> make_graph_routes(const Platform& platform, const Network& network, const std::string& where) {
  return std::make_unique<GraphRoutes>(platform, network, std::get<GraphTopology>(network.topology), where);
}

}  // namespace orrery
