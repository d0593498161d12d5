#include "platforms/built_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace orrery {

namespace {

/// "leaf switch" of "leaf switch 18 of cell 2", "switch" of "switch 'a'".
std::string kind_name(const std::string& words) {
  std::size_t end = words.size();
  for (std::size_t at = words.find(' '); at != std::string::npos && at + 1 < words.size();
       at = words.find(' ', at + 1)) {
    const char next = words[at + 1];
    if (next == '\'' || next == '(' || (next >= '0' && next <= '9')) {
      end = at;
      break;
    }
  }
  const std::string name = words.substr(0, end);
  return name.starts_with("the ") ? name.substr(4) : name;
}

/// The switches of a network with what hangs on each of them.
class Count {
 public:
  explicit Count(const Routes& routes)
      : routes_(routes), adapters_(routes.adapters()), of_switch_(routes.switches()), group_(routes.switches()) {
    for (std::uint32_t i = 0; i < adapters_; ++i) {
      Switch& its = of_switch_[routes.ends(LinkId{i}).second - adapters_];
      its.adapters += 1;
      its.nics += routes.parameters(LinkId{i}).bandwidth.si();
    }
    std::iota(group_.begin(), group_.end(), 0u);
    each_link([&](std::uint32_t from, std::uint32_t to, const LinkProperties& link, bool) {
      of_switch_[from].neighbours.push_back(to);
      if (link.kind != ResourceKind::global_link) group_[root(from)] = root(to);
    });
    find_distances();
  }

  BuiltNetwork result() {
    BuiltNetwork network{.nodes = routes_.nodes(), .adapters = adapters_};
    for (std::uint32_t i = 0; i < adapters_; ++i) network.joined += number_of(routes_, AdapterId{i}) == 0 ? 1 : 0;
    find_kinds(network);
    for (std::uint32_t s = 0; s < of_switch_.size(); ++s) {
      BuiltNetwork::Kind& kind = network.kinds[of_switch_[s].kind];
      kind.switches += 1;
      kind.adapters += of_switch_[s].adapters;
      kind.with_adapters += of_switch_[s].adapters > 0 ? 1 : 0;
    }
    add_cables(network);
    const auto rails = rails_of(routes_);
    for (const std::uint32_t rail : rails) {
      if (rail == no_rail) continue;
      network.leaves_of_rail.resize(std::max<std::size_t>(network.leaves_of_rail.size(), rail + 1), 0);
      network.leaves_of_rail[rail] += 1;
    }
    return network;
  }

 private:
  struct Switch {
    std::uint32_t adapters = 0, distance = no_rail, kind = 0;
    double nics = 0.0;
    std::vector<std::uint32_t> neighbours;
  };
  using Sort = std::tuple<std::uint32_t, std::uint32_t, ResourceKind>;  ///< of cables: their kinds and what they are

  template <class Visit>
  void each_link(const Visit& visit) const {
    for (auto i = static_cast<std::uint32_t>(index(routes_.first_cable())); LinkId{i} < routes_.end_of_cables(); ++i) {
      const auto [from, to] = routes_.ends(LinkId{i});
      visit(from - adapters_, to - adapters_, routes_.parameters(LinkId{i}), routes_.is_wire(LinkId{i}));
    }
  }

  std::uint32_t root(std::uint32_t s) {
    while (group_[s] != s) s = group_[s] = group_[group_[s]];
    return s;
  }

  /// From the nearest switch with adapters.
  void find_distances() {
    std::vector<std::uint32_t> front;
    for (std::uint32_t s = 0; s < of_switch_.size(); ++s)
      if (of_switch_[s].adapters > 0) front.push_back(s);
    for (std::uint32_t distance = 0; !front.empty(); ++distance) {
      std::vector<std::uint32_t> next;
      for (const std::uint32_t s : front) {
        if (of_switch_[s].distance != no_rail) continue;
        of_switch_[s].distance = distance;
        next.insert(next.end(), of_switch_[s].neighbours.begin(), of_switch_[s].neighbours.end());
      }
      front = std::move(next);
    }
  }

  /// Switches of a free graph have names alone: those without adapters are a kind by their distance.
  void find_kinds(BuiltNetwork& network) {
    std::map<std::string, std::uint32_t> nearest;  // switch of each kind
    std::vector<std::string> names;
    for (std::uint32_t s = 0; s < of_switch_.size(); ++s) {
      std::string name = kind_name(routes_.switch_words(s));
      const std::uint32_t distance = of_switch_[s].distance;
      if (name == "switch" && distance > 0)
        name = distance == no_rail ? "switch without cables" : fmt::format("level-{} switch", distance + 1);
      const auto [at, fresh] = nearest.try_emplace(name, distance);
      if (!fresh) at->second = std::min(at->second, distance);
      names.push_back(std::move(name));
    }
    std::vector<std::pair<std::uint32_t, std::string>> order;
    for (const auto& [name, distance] : nearest) order.emplace_back(distance, name);
    std::ranges::sort(order);
    for (const auto& [distance, name] : order) network.kinds.push_back({.name = name});
    for (std::uint32_t s = 0; s < of_switch_.size(); ++s)
      of_switch_[s].kind = static_cast<std::uint32_t>(
          std::ranges::find(network.kinds, names[s], &BuiltNetwork::Kind::name) - network.kinds.begin());
  }

  void add_cables(BuiltNetwork& network) {
    std::map<Sort, BuiltNetwork::Cables> cables;
    std::vector<double> below(of_switch_.size());
    std::map<Sort, std::map<std::uint32_t, double>> above;  // of each switch, of global links of each group
    for (std::uint32_t s = 0; s < of_switch_.size(); ++s) below[s] = of_switch_[s].nics;
    std::set<std::uint32_t> media;
    each_link([&](std::uint32_t from, std::uint32_t to, const LinkProperties& link, bool wire) {
      const std::uint32_t a = of_switch_[from].kind, b = of_switch_[to].kind;
      const Sort sort{std::min(a, b), std::max(a, b), link.kind};
      auto& all = cables[sort];
      all.count += 1;
      if (wire) {  // of the medium, which all its wires share
        if (const auto medium = std::max(from, to); media.insert(medium).second) all.bandwidth += 2.0 * link.bandwidth;
        return;
      }
      all.bandwidth += link.bandwidth;
      const bool global = link.kind == ResourceKind::global_link;
      if (global)
        above[sort][root(from)] += link.bandwidth.si();
      else if (a < b)
        above[sort][from] += link.bandwidth.si();
      else if (a > b)
        below[from] += link.bandwidth.si();
    });
    std::map<std::uint32_t, double> of_group;
    for (std::uint32_t s = 0; s < of_switch_.size(); ++s) of_group[root(s)] += of_switch_[s].nics;
    for (auto& [sort, all] : cables) {
      std::tie(all.from, all.to, all.sort) = sort;
      all.count /= 2;
      all.bandwidth /= 2.0;
      const bool global = all.sort == ResourceKind::global_link;
      for (const auto& [which, capacity] : above[sort]) {
        const double carried = global ? of_group.at(which) : below[which];
        if (carried == 0.0) continue;
        all.least = std::min(all.least.value_or(carried / capacity), carried / capacity);
        all.most = std::max(all.most.value_or(0.0), carried / capacity);
      }
      network.cables.push_back(all);
    }
  }

  const Routes& routes_;
  std::uint32_t adapters_;
  std::vector<Switch> of_switch_;
  std::vector<std::uint32_t> group_;  ///< [switches] joined without global links: towards the one that stands for all
};

}  // namespace

std::uint32_t number_of(const Routes& routes, AdapterId adapter) {
  return static_cast<std::uint32_t>(index(adapter) - index(routes.adapter(routes.node_of(adapter), 0)));
}

std::vector<std::uint32_t> rails_of(const Routes& routes) {
  std::vector<std::uint32_t> rails(routes.switches(), no_rail);
  bool several = false;
  for (std::uint32_t i = 0; i < routes.adapters(); ++i) {
    const std::uint32_t rail = number_of(routes, AdapterId{i});
    std::uint32_t& its = rails[routes.ends(LinkId{i}).second - routes.adapters()];
    if (its != no_rail && its != rail) return {};
    its = rail;
    several = several || rail > 0;
  }
  return several ? rails : std::vector<std::uint32_t>{};
}

BuiltNetwork built(const Routes& routes) { return Count(routes).result(); }

}  // namespace orrery
