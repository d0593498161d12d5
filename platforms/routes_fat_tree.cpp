/// Fat trees as extended generalized fat trees XGFT(h; m_1..m_h; w_1..w_h), routed d-mod-k.
///
///   element of level l  = (a_h .. a_{l+1}, b_l .. b_1),  number e = A W_l + B,  A = node / M_l,  B = b's, b_1 lowest
///   M_l = m_1 .. m_l, W_l = w_1 .. w_l; level 0 are the nodes
///   up from level l towards node d:  port = (d / W_l) mod (w_{l+1} p_{l+1}), parent = port mod w, cable = port / w
///   down: the same cable of the pair of switches, so that everything towards d shares one way down
///
///   m, w, p  `down`, `up`, `parallel` of the topology (children, parents, cables side by side)
///
/// Source   Zahavi, Fat-tree routing and node ordering providing contention free traffic for MPI global collectives,
///          J. Parallel Distrib. Comput. 72, 2012; Öhring et al., On generalized fat trees, IPPS 1995
/// Checked  tests/unit/platforms/routes_test.cpp
#include <fmt/format.h>

#include <algorithm>

#include "platforms/routes_detail.hpp"

namespace orrery {

namespace {

class FatTreeRoutes final : public SwitchedRoutes {
 public:
  FatTreeRoutes(const Platform& platform, const Network& network, const FatTreeTopology& tree)
      : SwitchedRoutes(platform, network), tree_(tree), levels_(tree.down.size()) {
    m_.assign(levels_ + 1, 1);
    w_.assign(levels_ + 1, 1);
    for (std::size_t l = 0; l < levels_; ++l) {
      m_[l + 1] = m_[l] * tree.down[l];
      w_[l + 1] = w_[l] * tree.up[l];
    }
    first_switch_.assign(levels_ + 2, 0);
    first_link_.assign(levels_ + 1, 0);
    for (std::size_t l = 1; l <= levels_; ++l) {
      first_switch_[l + 1] = first_switch_[l] + elements(l);
      if (l < levels_) first_link_[l + 1] = first_link_[l] + 2 * elements(l) * tree.up[l] * tree.parallel[l];
    }
  }
  std::uint32_t switches() const override { return static_cast<std::uint32_t>(first_switch_[levels_ + 1]); }
  std::string switch_name(std::uint32_t number) const override {
    std::size_t level = 1;
    while (number >= first_switch_[level + 1]) ++level;
    const auto e = number - first_switch_[level];
    if (level == 1) return fmt::format("leaf-{}", e);
    return level == levels_ ? fmt::format("spine-{}", e) : fmt::format("level{}-{}", level, e);
  }
  std::string switch_words(std::uint32_t number) const override {
    std::size_t level = 1;
    while (number >= first_switch_[level + 1]) ++level;
    const auto e = number - first_switch_[level];
    if (level == 1) return fmt::format("leaf switch {}", e);
    return level == levels_ ? fmt::format("spine switch {}", e) : fmt::format("level-{} switch {}", level, e);
  }

 protected:
  std::uint32_t switch_links() const override { return static_cast<std::uint32_t>(first_link_[levels_]); }
  std::uint32_t switch_of(std::uint32_t node) const override { return static_cast<std::uint32_t>(node / m_[1]); }

  std::pair<std::uint32_t, std::uint32_t> switch_ends(std::uint32_t i) const override {
    const std::size_t level = level_of(i);
    const std::uint64_t cable = (i - first_link_[level]) / 2;
    const bool down = (i - first_link_[level]) % 2 == 1;
    const std::uint64_t ports = std::uint64_t{tree_.up[level]} * tree_.parallel[level];
    const std::uint64_t e = cable / ports, parent = cable % ports / tree_.parallel[level];
    const std::uint64_t a = e / w_[level] / tree_.down[level], b = e % w_[level] + parent * w_[level];
    const auto lower = static_cast<std::uint32_t>(first_switch_[level] + e);
    const auto upper = static_cast<std::uint32_t>(first_switch_[level + 1] + a * w_[level + 1] + b);
    return down ? std::pair{upper, lower} : std::pair{lower, upper};
  }

  Cable cable_of(std::uint32_t i) const override {
    const std::size_t level = level_of(i);
    const std::uint32_t parallel = tree_.parallel[level];
    return {static_cast<std::uint32_t>((i - first_link_[level]) / 2 % parallel) + 1, parallel};
  }
  std::string relation(std::uint32_t i) const override {
    return (i - first_link_[level_of(i)]) % 2 == 1 ? "downlink of" : "uplink of";
  }

  void append_switch_route(std::uint32_t from, std::uint32_t to, std::vector<LinkId>& into) const override {
    std::size_t top = 1;
    while (from / m_[top] != to / m_[top]) ++top;
    for (std::size_t l = 1; l < top; ++l) into.push_back(cable(l, from, to, 0));
    for (std::size_t l = top - 1; l >= 1; --l) into.push_back(cable(l, to, to, 1));
  }

  /// A way for each choice of ports upwards; there are no detours, as all go over the top.
  PathCounts switch_paths(std::uint32_t from, std::uint32_t to) const override {
    std::uint64_t ways = 1;
    for (std::size_t l = 1; from / m_[l] != to / m_[l]; ++l) ways *= ports(l);
    return {ways, 0};
  }

  void append_switch_path(std::uint32_t from, std::uint32_t to, std::uint64_t path,
                          std::vector<LinkId>& into) const override {
    std::vector<LinkId> downwards;
    std::uint64_t branch = 0;  // b_l .. b_1 of the switch on the way
    for (std::size_t l = 1; from / m_[l] != to / m_[l]; ++l) {
      const std::uint64_t port = path % ports(l);
      path /= ports(l);
      into.push_back(cable_at(l, from / m_[l] * w_[l] + branch, port, 0));
      downwards.push_back(cable_at(l, to / m_[l] * w_[l] + branch, port, 1));
      branch += port % tree_.up[l] * w_[l];
    }
    into.insert(into.end(), downwards.rbegin(), downwards.rend());
  }

 private:
  /// Of the switches that the i-th link comes up from.
  std::size_t level_of(std::uint32_t i) const {
    std::size_t level = 1;
    while (i >= first_link_[level + 1]) ++level;
    return level;
  }

  std::uint64_t elements(std::size_t level) const { return m_[levels_] / m_[level] * w_[level]; }

  /// The link between the element of `level` above `node` and its parent on the way to node d.
  LinkId cable(std::size_t level, std::uint32_t node, std::uint32_t d, std::uint32_t down) const {
    return cable_at(level, node / m_[level] * w_[level] + d % w_[level], d / w_[level] % ports(level), down);
  }
  std::uint64_t ports(std::size_t level) const { return std::uint64_t{tree_.up[level]} * tree_.parallel[level]; }
  /// The cable from port `port` of the e-th element of `level`.
  LinkId cable_at(std::size_t level, std::uint64_t e, std::uint64_t port, std::uint32_t down) const {
    const std::uint64_t w = tree_.up[level], p = tree_.parallel[level];
    return switch_link(first_link_[level] + 2 * ((e * w + port % w) * p + port / w) + down);
  }

  FatTreeTopology tree_;
  std::size_t levels_;
  std::vector<std::uint64_t> m_, w_, first_switch_, first_link_;  ///< [levels + 1 or + 2], first_* from level 1
};

}  // namespace

std::unique_ptr<Routes> make_fat_tree_routes(const Platform& platform, const Network& network) {
  return std::make_unique<FatTreeRoutes>(platform, network, std::get<FatTreeTopology>(network.topology));
}

}  // namespace orrery
