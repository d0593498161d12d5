/// Private to the import of SimGrid platforms: the places where the links of a file meet.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "platforms/simgrid_segments.hpp"

namespace orrery {

/// Places that are found to be the same one.
class SimgridPlaces {
 public:
  using Place = std::uint32_t;
  Place add() {
    parent_.push_back(static_cast<Place>(parent_.size()));
    return parent_.back();
  }
  Place find(Place p) {
    while (parent_[p] != p) p = parent_[p] = parent_[parent_[p]];
    return p;
  }
  void join(Place a, Place b) { parent_[find(b)] = find(a); }

 private:
  std::vector<Place> parent_;
};

/// The two ends of every link that is no medium, for one choice of media. If the choice fails, it lists further links
/// that must be media, too.
class SimgridEnds {
 public:
  using Place = SimgridPlaces::Place;
  SimgridEnds(const SimgridElements& elements, const SimgridSegments& segments, const std::vector<bool>& media);

  /// Links that must be media for this to be a graph.
  std::set<std::uint32_t> wrong();

  SimgridPlaces& places() { return places_; }
  /// The first of the two directions of a split-duplex link that is no medium; else the link.
  std::uint32_t cable_of(std::uint32_t link) const;
  const std::pair<Place, Place>& ends(std::uint32_t link) const { return ends_[link]; }
  bool used(std::uint32_t link) const { return neighbours_.contains(link); }
  bool is_medium(std::uint32_t link) const { return media_[link]; }
  /// Whether a route uses the cable from its first end, and whether one uses it in the other direction.
  std::pair<bool, bool> taken(std::uint32_t cable) const {
    const auto found = taken_.find(cable);
    return found == taken_.end() ? std::pair{false, false} : found->second;
  }
  /// A medium and a point, or two media, that are consecutive in routes.
  const std::set<std::pair<Place, Place>>& meetings() const { return meetings_; }

 private:
  /// The neighbour before or after a link in a route: a point, or a link.
  using Token = std::uint64_t;
  Token before(const SimgridSegment& segment, std::size_t i) const;
  Token after(const SimgridSegment& segment, std::size_t i) const;
  void place_directions();
  void colour(std::uint32_t link, const std::map<Token, std::set<Token>>& graph, Token first);
  bool enters_first(const SimgridSegment& segment, std::size_t i) const;
  void join(const SimgridSegment& segment);

  const SimgridElements& elements_;
  const SimgridSegments& segments_;
  std::vector<bool> media_;
  SimgridPlaces places_;
  std::vector<std::pair<Place, Place>> ends_;                      ///< [links]
  std::unordered_map<std::uint32_t, std::map<Token, bool>> side_;  ///< of a shared link: neighbours at its second end
  std::unordered_map<std::uint32_t, std::size_t> neighbours_;      ///< number of neighbours of a link used by routes
  std::unordered_map<std::uint32_t, std::pair<bool, bool>> taken_;
  std::set<std::uint32_t> undirected_;
  std::set<std::pair<Place, Place>> meetings_;
};

/// Chooses as media all links that must be media.
std::unique_ptr<SimgridEnds> ends_of(const SimgridElements& elements, const SimgridSegments& segments);

}  // namespace orrery
