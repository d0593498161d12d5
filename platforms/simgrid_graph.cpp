#include "platforms/simgrid_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "platforms/simgrid_ends.hpp"

namespace orrery {

namespace {

using GraphPlace = SimgridPlaces::Place;

class GraphAssembler {
 public:
  explicit GraphAssembler(const SimgridElements& elements)
      : elements_(elements), segments_(segments_of(elements)), ends_(ends_of(elements, segments_)) {}

  SimgridGraph assemble() {
    for (GraphPlace p = 0; p < segments_.points; ++p) anchored_.insert(find(p));
    for (std::uint32_t link = 0; link < elements_.links.size(); ++link)
      if (ends_->is_medium(link) && (ends_->used(link) || segments_.middle.contains(link)))
        medium_at_[find(ends_->ends(link).first)] = link;
    for (const auto& [place, link] : medium_at_) anchored_.insert(place);
    join_ends_of_lone_cables();
    join_opposite_points();
    number_places();
    cables();
    for (const auto& [a, b] : ends_->meetings()) meet(find(a), find(b));
    for (auto& medium : graph_.media) {
      std::ranges::sort(medium.between);
      const auto twice = std::ranges::unique(medium.between);
      medium.between.erase(twice.begin(), twice.end());
    }
    graph_.has_adapter = std::move(segments_.has_adapter);
    return std::move(graph_);
  }

 private:
  using Side = std::tuple<GraphPlace, double, double>;  ///< where a link leads, its bandwidth and latency
  struct Passing {                                      ///< of a place: sorted
    std::vector<Side> in, out;
    bool both_ways = false;
  };

  GraphPlace find(GraphPlace p) { return ends_->places().find(p); }
  bool is_cable(std::uint32_t link) const {
    return ends_->cable_of(link) == link && !ends_->is_medium(link) && ends_->used(link);
  }
  /// One that both directions of routes take, or that has a direction for each.
  bool both_ways(std::uint32_t cable) const {
    const auto [there, back] = ends_->taken(cable);
    return (there && back) || elements_.links[cable].other != no_point;
  }
  /// Where a cable that is taken in one direction leads from and to.
  std::pair<GraphPlace, GraphPlace> way(std::uint32_t cable) {
    const GraphPlace first = find(ends_->ends(cable).first), second = find(ends_->ends(cable).second);
    return ends_->taken(cable).first ? std::pair{first, second} : std::pair{second, first};
  }

  std::map<GraphPlace, Passing> passing_of_places() {
    std::map<GraphPlace, Passing> passing;
    for (std::uint32_t i = 0; i < elements_.links.size(); ++i) {
      if (!is_cable(i)) continue;
      const auto [from, to] = way(i);
      const SimgridLink& link = elements_.links[i];
      passing[from].out.emplace_back(to, link.bandwidth, link.latency);
      passing[to].in.emplace_back(from, link.bandwidth, link.latency);
      if (both_ways(i)) passing[from].both_ways = passing[to].both_ways = true;
    }
    for (auto& [point, its] : passing) std::ranges::sort(its.in), std::ranges::sort(its.out);
    return passing;
  }

  /// One link into a host and one out of it, which are equal, are its cable to one switch.
  void join_ends_of_lone_cables() {
    for (const auto& [place, its] : passing_of_places()) {
      if (!anchored_.contains(place) || its.both_ways || its.in.size() != 1 || its.out.size() != 1) continue;
      const auto& [from, bandwidth, latency] = its.in.front();
      const auto& [to, bandwidth_out, latency_out] = its.out.front();
      if (bandwidth == bandwidth_out && latency == latency_out && !anchored_.contains(from) &&
          !anchored_.contains(to) && from != to)
        ends_->places().join(from, to);
    }
  }

  /// Routes there and back say of a switch between two others only that links meet, not that it is one switch.
  void join_opposite_points() {
    std::map<std::pair<std::vector<Side>, std::vector<Side>>, std::vector<GraphPlace>> alone;
    for (const auto& [place, its] : passing_of_places()) {
      if (anchored_.contains(place) || its.both_ways || its.in == its.out || its.in.empty() || its.out.empty())
        continue;
      auto& opposite = alone[{its.out, its.in}];
      if (opposite.empty()) {
        alone[{its.in, its.out}].push_back(place);
        continue;
      }
      ends_->places().join(opposite.front(), place);
      opposite.erase(opposite.begin());
    }
  }

  /// A name that nothing else in the graph has.
  std::string own_name(const std::string& wanted) {
    std::string name;
    for (const char c : wanted.substr(0, 64)) name += c <= ' ' || c == '"' || c == '\\' || c == '\x7f' ? '-' : c;
    if (name.empty() || name.starts_with("node:")) name = "x" + name;
    std::string candidate = name;
    for (std::uint32_t n = 2; !names_.insert(candidate).second; ++n) candidate = fmt::format("{}-{}", name, n);
    return candidate;
  }
  std::string link_name(std::uint32_t link) const {
    const SimgridLink& its = elements_.links[link];
    return its.other != no_point && !ends_->is_medium(link) ? its.name.substr(0, its.name.rfind('_')) : its.name;
  }

  /// Switches first, as ends are numbered.
  void number_places() {
    std::vector<GraphPlace> media;
    const auto see = [&](GraphPlace place, const std::string& name) {
      if (medium_at_.contains(place)) {
        if (number_of_.emplace(place, 0).second) media.push_back(place);
      } else if (number_of_.emplace(place, graph_.switches.size()).second) {
        graph_.switches.push_back(own_name(name));
      }
    };
    for (const std::uint32_t point : segments_.point_of) see(find(point), segments_.names[point]);
    for (const auto& segment : segments_.list)
      for (const GraphPlace end : {segment.from, segment.to}) see(find(end), segments_.names[end]);
    for (std::uint32_t i = 0; i < elements_.links.size(); ++i)
      if (is_cable(i))
        for (const GraphPlace end : {ends_->ends(i).first, ends_->ends(i).second}) see(find(end), "s");
    for (const auto& [place, link] : medium_at_) see(place, "");
    for (const auto& [a, b] : ends_->meetings())
      if (const GraphPlace x = find(a), y = find(b); x != y && medium_at_.contains(x) && medium_at_.contains(y))
        junctions_.emplace(std::minmax(x, y), 0);
    for (auto& [ends, number] : junctions_) {
      number = static_cast<std::uint32_t>(graph_.switches.size());
      graph_.switches.push_back(own_name("x"));
    }
    for (const GraphPlace place : media) {
      number_of_[place] = static_cast<std::uint32_t>(graph_.switches.size() + graph_.media.size());
      const std::uint32_t link = medium_at_.at(place);
      graph_.media.push_back({link, own_name(link_name(link)), {}});
    }
    for (const std::uint32_t point : segments_.point_of) graph_.place_of.push_back(number_of_.at(find(point)));
  }

  /// Two equal links that routes take one there and one back are one cable.
  void cables() {
    std::map<std::tuple<GraphPlace, GraphPlace, double, double, bool>, std::vector<std::size_t>> alone;
    for (std::uint32_t i = 0; i < elements_.links.size(); ++i) {
      if (!is_cable(i)) continue;
      const SimgridLink& link = elements_.links[i];
      const auto [from, to] = way(i);
      if (both_ways(i)) {
        const std::uint32_t back = link.other == no_point ? i : link.other;
        const GraphPlace first = find(ends_->ends(i).first), second = find(ends_->ends(i).second);
        graph_.cables.push_back({number_of_.at(first), number_of_.at(second), i, back, own_name(link_name(i))});
        continue;
      }
      auto& opposite = alone[{to, from, link.bandwidth, link.latency, link.fatpipe}];
      if (!opposite.empty()) {
        graph_.cables[opposite.front()].back = i;
        opposite.erase(opposite.begin());
        continue;
      }
      alone[{from, to, link.bandwidth, link.latency, link.fatpipe}].push_back(graph_.cables.size());
      graph_.cables.push_back({number_of_.at(from), number_of_.at(to), i, i, own_name(link_name(i))});
    }
  }

  void meet(GraphPlace a, GraphPlace b) {
    if (a == b) return;
    const bool medium_a = medium_at_.contains(a), medium_b = medium_at_.contains(b);
    const auto medium = [&](GraphPlace place) -> SimgridGraph::Medium& {
      return graph_.media[number_of_.at(place) - graph_.switches.size()];
    };
    const std::uint32_t at = medium_a && medium_b ? junctions_.at(std::minmax(a, b)) : number_of_.at(medium_a ? b : a);
    if (medium_a) medium(a).between.push_back(at);
    if (medium_b) medium(b).between.push_back(at);
  }

  const SimgridElements& elements_;
  SimgridSegments segments_;
  std::unique_ptr<SimgridEnds> ends_;
  std::set<GraphPlace> anchored_;                  ///< places of points and media
  std::map<GraphPlace, std::uint32_t> medium_at_;  ///< link
  std::map<GraphPlace, std::uint32_t> number_of_;
  std::map<std::pair<GraphPlace, GraphPlace>, std::uint32_t> junctions_;  ///< of two media
  std::set<std::string> names_;
  SimgridGraph graph_;
};

}  // namespace

SimgridGraph graph_of(const SimgridElements& elements) { return GraphAssembler(elements).assemble(); }

}  // namespace orrery
