/// Tori and meshes: a router per node; dimension order, the shorter way round, upwards when both ways are equally long.
///
///   A dimension of n > 2 that wraps has 2 links per router (up, down), one that does not has 2 (n-1) a line; of 2, one
///   per router; of 1, none.
///
/// The numbered ways: every order of the dimensions in which the two differ, with every choice of direction where both
/// ways round are equally long; detours go over each other router, in dimension order to it and from it.
///
/// Checked  tests/unit/platforms/routes_test.cpp, paths_test.cpp
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "platforms/routes_detail.hpp"

namespace orrery {

namespace {

class TorusRoutes final : public SwitchedRoutes {
 public:
  TorusRoutes(const Platform& platform, const Network& network, const TorusTopology& torus)
      : SwitchedRoutes(platform, network), dimensions_(torus.dimensions) {
    std::uint32_t stride = 1;
    for (const auto size : dimensions_) {
      first_port_.push_back(links_per_router_);
      links_per_router_ += size > 2 ? 2 : size - 1;
      strides_.push_back(stride);
      stride *= size;
    }
    routers_ = stride;
    wraps_.assign(dimensions_.size(), true);
    for (std::size_t d = 0; d < torus.wrap.size(); ++d) wraps_[d] = torus.wrap[d] || dimensions_[d] <= 2;
    mesh_ = std::ranges::find(wraps_, false) != wraps_.end();
    std::uint32_t links = 0;
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      first_link_.push_back(links);
      links += links_of(d);
    }
    links_ = links;
  }
  std::uint32_t switches() const override { return routers_; }
  std::string switch_name(std::uint32_t number) const override { return fmt::format("router-{}", number); }
  /// By its coordinates: "router (3, 0, 1)".
  std::string switch_words(std::uint32_t number) const override {
    std::vector<std::uint32_t> place;
    for (const std::uint32_t size : dimensions_) {
      place.push_back(number % size);
      number /= size;
    }
    return fmt::format("router ({})", fmt::join(place, ", "));
  }

 protected:
  std::uint32_t switch_links() const override { return links_; }
  std::uint32_t switch_of(std::uint32_t place) const override { return joined_at(place); }

  std::pair<std::uint32_t, std::uint32_t> switch_ends(std::uint32_t i) const override {
    if (mesh_) return mesh_ends(i);
    const std::uint32_t router = i / links_per_router_, port = i % links_per_router_;
    const auto after = std::ranges::upper_bound(first_port_, port);
    // A dimension of size 1 shares its first port with the next: the last dimension that begins here owns the port.
    const auto dimension = static_cast<std::size_t>(after - first_port_.begin()) - 1;
    return {router, neighbour(router, dimension, port == first_port_[dimension])};
  }

  void append_switch_route(std::uint32_t from, std::uint32_t to, std::vector<LinkId>& into) const override {
    append_in_order(joined_at(from), joined_at(to), into);
  }

  PathCounts switch_paths(std::uint32_t from, std::uint32_t to) const override {
    const std::uint32_t a = joined_at(from), b = joined_at(to);
    if (a == b) return {};
    std::uint64_t ways = 1, differing = 0;
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      const Hops hops = hops_of(a, b, d);
      if (hops.count > 0) ways *= ++differing;
      if (hops.either) ways *= 2;
    }
    return {ways, routers_ - 2};
  }

  void append_switch_path(std::uint32_t from, std::uint32_t to, std::uint64_t path,
                          std::vector<LinkId>& into) const override {
    const std::uint32_t a = joined_at(from), b = joined_at(to);
    const std::uint64_t minimal = switch_paths(from, to).minimal;
    if (path >= minimal) {
      auto over = static_cast<std::uint32_t>(path - minimal);
      for (const std::uint32_t taken : {std::min(a, b), std::max(a, b)})
        if (over >= taken) ++over;
      append_in_order(a, over, into);
      return append_in_order(over, b, into);
    }
    std::vector<std::size_t> left;
    for (std::size_t d = 0; d < dimensions_.size(); ++d)
      if (hops_of(a, b, d).count > 0) left.push_back(d);
    for (std::uint32_t at = a; !left.empty();) {
      const std::size_t d = left[path % left.size()];
      path /= left.size();
      Hops hops = hops_of(a, b, d);
      if (hops.either) {
        hops.up = path % 2 == 0;
        path /= 2;
      }
      at = append_line(at, d, hops, into);
      std::erase(left, d);
    }
  }

 private:
  struct Hops {
    std::uint32_t count = 0;
    bool up = true, either = false;  ///< either: both ways round are equally long
  };
  Hops hops_of(std::uint32_t from, std::uint32_t to, std::size_t d) const {
    const std::uint32_t size = dimensions_[d];
    const std::uint32_t here = from / strides_[d] % size, there = to / strides_[d] % size;
    if (!wraps_[d]) return {here < there ? there - here : here - there, here <= there, false};
    const std::uint32_t forward = (there + size - here) % size;
    const bool up = 2 * forward <= size;
    return {up ? forward : size - forward, up, size > 2 && 2 * forward == size};
  }

  void append_in_order(std::uint32_t from, std::uint32_t to, std::vector<LinkId>& into) const {
    for (std::size_t d = 0; d < dimensions_.size(); ++d) from = append_line(from, d, hops_of(from, to, d), into);
  }

  std::uint32_t append_line(std::uint32_t from, std::size_t d, const Hops& hops, std::vector<LinkId>& into) const {
    for (std::uint32_t left = hops.count; left > 0; --left) {
      into.push_back(switch_link(link_from(from, d, hops.up)));
      from = neighbour(from, d, hops.up);
    }
    return from;
  }

  std::uint64_t link_from(std::uint32_t router, std::size_t d, bool up) const {
    if (!mesh_) return std::uint64_t{router} * links_per_router_ + first_port_[d] + (up ? 0 : 1);
    const std::uint32_t size = dimensions_[d];
    if (wraps_[d]) return first_link_[d] + std::uint64_t{router} * (size > 2 ? 2 : 1) + (up || size <= 2 ? 0 : 1);
    const std::uint32_t line = router / (strides_[d] * size) * strides_[d] + router % strides_[d];
    const std::uint32_t place = router / strides_[d] % size;
    return first_link_[d] + 2 * (std::uint64_t{line} * (size - 1) + (up ? place : place - 1)) + (up ? 0 : 1);
  }

  std::uint32_t links_of(std::size_t d) const {
    const std::uint32_t size = dimensions_[d];
    if (!wraps_[d]) return routers_ / size * 2 * (size - 1);
    return routers_ * (size > 2 ? 2 : size - 1);
  }

  std::pair<std::uint32_t, std::uint32_t> mesh_ends(std::uint32_t i) const {
    std::size_t d = dimensions_.size() - 1;
    while (first_link_[d] > i || links_of(d) == 0) --d;
    const std::uint32_t local = i - first_link_[d], size = dimensions_[d];
    if (wraps_[d]) {
      const std::uint32_t per_router = size > 2 ? 2 : 1;
      return {local / per_router, neighbour(local / per_router, d, local % per_router == 0)};
    }
    const std::uint32_t line = local / 2 / (size - 1), place = local / 2 % (size - 1);
    const std::uint32_t lower = line / strides_[d] * strides_[d] * size + line % strides_[d] + place * strides_[d];
    const std::uint32_t upper = lower + strides_[d];
    return local % 2 == 0 ? std::pair{lower, upper} : std::pair{upper, lower};
  }

  std::uint32_t neighbour(std::uint32_t router, std::size_t d, bool up) const {
    const std::uint32_t size = dimensions_[d], place = (router / strides_[d]) % size;
    const std::uint32_t next = (place + (up ? 1 : size - 1)) % size;
    return router - place * strides_[d] + next * strides_[d];
  }

  std::vector<std::uint32_t> dimensions_, strides_, first_port_, first_link_;
  std::vector<bool> wraps_;
  std::uint32_t links_per_router_ = 0, routers_ = 1, links_ = 0;
  bool mesh_ = false;  ///< some dimension does not wrap: links are numbered dimension by dimension
};

}  // namespace

std::unique_ptr<Routes> make_torus_routes(const Platform& platform, const Network& network) {
  return std::make_unique<TorusRoutes>(platform, network, std::get<TorusTopology>(network.topology));
}

}  // namespace orrery
