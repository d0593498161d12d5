/// Every route a run has used: the resources of one flow, in order, under a small number.
///
/// A route is entered once, when two places first talk; engines keep what they know of it under its number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace orrery::replay {

enum class ResourceId : std::uint32_t {};
inline constexpr ResourceId no_resource{0xffffffffu};

enum class RouteId : std::uint32_t {};
inline constexpr RouteId no_route{0xffffffffu};

class RouteTable {
 public:
  RouteId add(std::span<const ResourceId> resources) {
    hops_.insert(hops_.end(), resources.begin(), resources.end());
    ends_.push_back(static_cast<std::uint32_t>(hops_.size()));
    return RouteId{static_cast<std::uint32_t>(ends_.size() - 1)};
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(ends_.size()); }
  /// Valid until the next `add`.
  std::span<const ResourceId> resources(RouteId route) const {
    const auto i = static_cast<std::uint32_t>(route);
    const std::uint32_t begin = i == 0 ? 0 : ends_[i - 1];
    return {hops_.data() + begin, ends_[i] - begin};
  }

 private:
  std::vector<ResourceId> hops_;
  std::vector<std::uint32_t> ends_;
};

}  // namespace orrery::replay
