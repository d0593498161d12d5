#include "platforms/simgrid_ends.hpp"

#include <algorithm>

namespace orrery {

SimgridEnds::SimgridEnds(const SimgridElements& elements, const SimgridSegments& segments,
                         const std::vector<bool>& media)
    : elements_(elements), segments_(segments), media_(media) {
  for (std::uint32_t i = 0; i < segments.points; ++i) places_.add();
  ends_.resize(elements.links.size());
  for (std::uint32_t link = 0; link < elements.links.size(); ++link) {
    if (cable_of(link) != link) continue;
    ends_[link].first = places_.add();
    ends_[link].second = media_[link] ? ends_[link].first : places_.add();
  }
  for (const auto& [backbone, middle] : segments.middle) places_.join(middle, ends_[backbone].first);
  place_directions();
  for (const auto& segment : segments.list) join(segment);
}

std::uint32_t SimgridEnds::cable_of(std::uint32_t link) const {
  const std::uint32_t other = elements_.links[link].other;
  return other == no_point || media_[link] ? link : std::min(link, other);
}

std::set<std::uint32_t> SimgridEnds::wrong() {
  std::set<std::uint32_t> wrong = undirected_;
  std::unordered_map<Place, std::uint32_t> anchors;  // points and media, which are places of their own
  for (Place p = 0; p < segments_.points; ++p) ++anchors[places_.find(p)];
  for (std::uint32_t link = 0; link < ends_.size(); ++link)
    if (media_[link] && !segments_.middle.contains(link)) ++anchors[places_.find(ends_[link].first)];
  std::set<std::uint32_t> beside;  // links that end where two places would be one
  for (std::uint32_t link = 0; link < ends_.size(); ++link) {
    if (cable_of(link) != link || media_[link] || !used(link)) continue;
    const Place a = places_.find(ends_[link].first), b = places_.find(ends_[link].second);
    if (a == b) wrong.insert(link);
    if (anchors[a] < 2 && anchors[b] < 2) continue;
    beside.insert(link);
    if (neighbours_[link] > 2) wrong.insert(link);
  }
  return wrong.empty() ? beside : wrong;
}

SimgridEnds::Token SimgridEnds::before(const SimgridSegment& segment, std::size_t i) const {
  return i == 0 ? Token{segment.from} : (Token{1} << 40) + cable_of(segment.links[i - 1]);
}
SimgridEnds::Token SimgridEnds::after(const SimgridSegment& segment, std::size_t i) const {
  return i + 1 == segment.links.size() ? Token{segment.to} : (Token{1} << 40) + cable_of(segment.links[i + 1]);
}

/// Of a link that both directions share: at which end each neighbour is, so that no route has both at one.
void SimgridEnds::place_directions() {
  std::unordered_map<std::uint32_t, std::map<Token, std::set<Token>>> beside;
  std::unordered_map<std::uint32_t, std::set<Token>> seen;
  for (const auto& segment : segments_.list)
    for (std::size_t i = 0; i < segment.links.size(); ++i) {
      const std::uint32_t link = cable_of(segment.links[i]);
      const Token a = before(segment, i), b = after(segment, i);
      seen[link].insert({a, b});
      if (elements_.links[segment.links[i]].other != no_point || media_[link]) continue;
      beside[link][a].insert(b);
      beside[link][b].insert(a);
    }
  for (const auto& [link, tokens] : seen) neighbours_[link] = tokens.size();
  for (const auto& [link, graph] : beside)
    for (const auto& [token, others] : graph)
      if (!side_[link].contains(token)) colour(link, graph, token);
}

void SimgridEnds::colour(std::uint32_t link, const std::map<Token, std::set<Token>>& graph, Token first) {
  auto& side = side_[link];
  side[first] = false;
  std::vector<Token> next{first};
  while (!next.empty()) {
    const Token at = next.back();
    next.pop_back();
    for (const Token other : graph.at(at)) {
      const auto [known, added] = side.emplace(other, !side[at]);
      if (added) next.push_back(other);
      if (!added && known->second == side[at]) undirected_.insert(link);
    }
  }
}

/// Whether a segment enters its i-th link, which is no medium, at its first end.
bool SimgridEnds::enters_first(const SimgridSegment& segment, std::size_t i) const {
  const std::uint32_t link = segment.links[i];
  if (elements_.links[link].other != no_point) return cable_of(link) == link;
  return !side_.at(link).at(before(segment, i));
}

void SimgridEnds::join(const SimgridSegment& segment) {
  Place here = segment.from;
  bool from_point = true, from_medium = false;
  for (std::size_t i = 0; i < segment.links.size(); ++i) {
    const std::uint32_t cable = cable_of(segment.links[i]);
    const bool medium = media_[cable], forth = medium || enters_first(segment, i);
    const Place entered = forth ? ends_[cable].first : ends_[cable].second;
    (forth ? taken_[cable].first : taken_[cable].second) = true;
    if (medium && (from_point || from_medium))
      meetings_.insert({here, entered});
    else
      places_.join(here, entered);
    here = forth ? ends_[cable].second : ends_[cable].first;
    from_point = false;
    from_medium = medium;
  }
  if (from_medium)
    meetings_.insert({here, segment.to});
  else
    places_.join(here, segment.to);
}

std::unique_ptr<SimgridEnds> ends_of(const SimgridElements& elements, const SimgridSegments& segments) {
  std::vector<bool> media(elements.links.size(), false);
  for (const auto& [backbone, middle] : segments.middle) media[backbone] = true;
  while (true) {
    auto ends = std::make_unique<SimgridEnds>(elements, segments, media);
    const std::set<std::uint32_t> wrong = ends->wrong();
    if (wrong.empty()) return ends;
    for (const std::uint32_t link : wrong) {
      media[link] = true;
      if (elements.links[link].other != no_point) media[elements.links[link].other] = true;
    }
  }
}

}  // namespace orrery
