/// All routes of a run: the resources of one flow, in order, with a small number.
///
/// A route is added when two places first communicate; engines store their data of it by number. A route whose places
/// have not communicated for long may be given back (player_routes.cpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace orrery::engine {

enum class ResourceId : std::uint32_t {};
inline constexpr ResourceId no_resource{0xffffffffu};

enum class RouteId : std::uint32_t {};
inline constexpr RouteId no_route{0xffffffffu};

class RouteTable {
 public:
  RouteId add(std::span<const ResourceId> resources) {
    if (resources.size() < given_back_.size() && !given_back_[resources.size()].empty()) {
      const RouteId route = given_back_[resources.size()].back();
      given_back_[resources.size()].pop_back();
      std::ranges::copy(resources, hops_.begin() + routes_[static_cast<std::uint32_t>(route)].begin);
      return route;
    }
    return add_next(resources);
  }
  /// Adds it with the number after all others.
  RouteId add_next(std::span<const ResourceId> resources) {
    routes_.push_back({static_cast<std::uint32_t>(hops_.size()), static_cast<std::uint32_t>(resources.size())});
    hops_.insert(hops_.end(), resources.begin(), resources.end());
    return RouteId{count() - 1};
  }
  /// This number is no longer in use; the next route with as many resources may get it.
  void give_back(RouteId route) {
    const std::size_t size = resources(route).size();
    if (given_back_.size() <= size) given_back_.resize(size + 1);
    given_back_[size].push_back(route);
  }
  /// Count of numbers, including those given back.
  std::uint32_t count() const { return static_cast<std::uint32_t>(routes_.size()); }
  /// Valid until the next `add`.
  std::span<const ResourceId> resources(RouteId route) const {
    const Route& its = routes_[static_cast<std::uint32_t>(route)];
    return {hops_.data() + its.begin, its.size};
  }

 private:
  struct Route {
    std::uint32_t begin, size;
  };
  std::vector<ResourceId> hops_;
  std::vector<Route> routes_;
  std::vector<std::vector<RouteId>> given_back_;  ///< [resources]
};

}  // namespace orrery::engine
