/// Private to the import of SimGrid platforms: at which places the links of a file meet.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "platforms/simgrid_segments.hpp"

namespace orrery {

/// Places that turn out to be one.
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

/// The two ends of every link that is no medium, for one choice of media. A choice that does not work out names what has
/// to be a medium, too.
class SimgridEnds {
 public:
  using Place = SimgridPlaces::Place;
  SimgridEnds(const SimgridElements& elements, const SimgridSegments& segments, const std::vector<bool>& media);

  /// Links that have to be media for this to be a graph.
  std::set<std::uint32_t> wrong();

  SimgridPlaces& places() { return places_; }
  /// The first of the two directions of a split-duplex link that is no medium; else the link.
  std::uint32_t cable_of(std::uint32_t link) const;
  const std::pair<Place, Place>& ends(std::uint32_t link) const { return ends_[link]; }
  bool used(std::uint32_t link) const { return neighbours_.contains(link); }
  bool is_medium(std::uint32_t link) const { return media_[link]; }
  /// Whether a route takes the cable from its first end, and whether one takes it back.
  std::pair<bool, bool> taken(std::uint32_t cable) const {
    const auto found = taken_.find(cable);
    return found == taken_.end() ? std::pair{false, false} : found->second;
  }
  /// A medium and a point, or two media, that routes take one after the other.
  const std::set<std::pair<Place, Place>>& meetings() const { return meetings_; }

 private:
  /// What comes before a link, or after it: a point, or a link.
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
  std::unordered_map<std::uint32_t, std::size_t> neighbours_;      ///< how many, of a link that routes take
  std::unordered_map<std::uint32_t, std::pair<bool, bool>> taken_;
  std::set<std::uint32_t> undirected_;
  std::set<std::pair<Place, Place>> meetings_;
};

/// With all that have to be media as media.
std::unique_ptr<SimgridEnds> ends_of(const SimgridElements& elements, const SimgridSegments& segments);

}  // namespace orrery
