// A dragonfly as SimGrid has it: groups of chassis of routers; one bundle of cables between two groups.
#include "platforms/simgrid_topology_links.hpp"

namespace orrery {

namespace {

/// Routers of a chassis are joined all to all (green), and so are those of one number in the chassis of a group (black).
/// Groups a and b are joined by one bundle (blue), from router b of group a to router a of group b.
class SimgridDragonfly final : public SimgridTopology {
 public:
  SimgridDragonfly(SimgridElements& elements, const SimgridCluster& cluster,
                   const std::vector<std::vector<std::uint32_t>>& lists)
      : groups_(lists[0][0]),
        chassis_(lists[1][0]),
        blades_(lists[2][0]),
        nodes_(lists[3][0]),
        links_(elements, cluster, cluster.hosts + groups_ * chassis_ * blades_, cables_of_all()) {
    const std::uint32_t routers = groups_ * chassis_ * blades_;
    for (std::uint32_t i = 0; i < cluster.hosts; ++i) local_.push_back(links_.cable());
    for (std::uint32_t router = 0; router < routers; ++router)
      for (std::uint32_t k = router % blades_ + 1; k < blades_; ++k)
        join(router, router - router % blades_ + k, lists[2][1]);
    for (std::uint32_t router = 0; router < routers; ++router)
      for (std::uint32_t k = router / blades_ % chassis_ + 1; k < chassis_; ++k)
        join(router, router + (k - router / blades_ % chassis_) * blades_, lists[1][1]);
    for (std::uint32_t a = 0; a < groups_; ++a)
      for (std::uint32_t b = a + 1; b < groups_; ++b)
        join(a * blades_ * chassis_ + b, b * blades_ * chassis_ + a, lists[0][1]);
  }

  std::string ours() const override { return {}; }
  std::vector<Cable> cables() const override { return cables_; }
  std::uint32_t router_of(std::uint32_t place) const override { return place / nodes_; }

  void append_way(std::uint32_t from, std::uint32_t to, SimgridWay& into) const override {
    if (from == to && links_.append_loopback(from, into)) return;
    std::uint32_t here = router_of(from);
    const std::uint32_t end = router_of(to), group = blades_ * chassis_, mine = here / group, target = end / group;
    links_.append_limiter(from, into);
    into.push_back(local_[from]);
    if (mine != target) {
      move(here, here - here % blades_ + target, into);  // to the router of this chassis that is called as the group
      move(here, mine * group + target, into);           // to the first chassis
      into.push_back(link(here, target * group + mine));
      links_.append_limiter(limiter_of(here), into);
      here = target * group + mine;
    }
    if (const std::uint32_t blade = here - here % blades_ + end % blades_; blade != here) {
      move(here, blade, into);
      here = target * group + end % blades_;  // SimGrid 3.32 goes on as from the first chassis, whichever it is in
    }
    move(here, end, into);
    links_.append_limiter(limiter_of(end), into);
    into.push_back(links_.back(local_[to]));
    links_.append_limiter(to, into);
  }

 private:
  double cables_of_all() const {
    const double routers = static_cast<double>(groups_) * chassis_ * blades_;
    return routers * nodes_ + routers * (blades_ + chassis_) + static_cast<double>(groups_) * groups_;
  }
  void join(std::uint32_t a, std::uint32_t b, std::uint32_t cables) {
    const std::uint32_t link = links_.cable(cables);
    between_[(std::uint64_t{a} << 32) | b] = link;
    between_[(std::uint64_t{b} << 32) | a] = links_.back(link);
    cables_.push_back({a, b, link});
  }
  std::uint32_t link(std::uint32_t a, std::uint32_t b) const { return between_.at((std::uint64_t{a} << 32) | b); }
  /// Routers have limiters, too, behind those of the hosts.
  std::uint32_t limiter_of(std::uint32_t router) const { return static_cast<std::uint32_t>(local_.size()) + router; }
  void move(std::uint32_t& here, std::uint32_t there, SimgridWay& into) const {
    if (here == there) return;
    links_.append_limiter(limiter_of(here), into);
    into.push_back(link(here, there));
    here = there;
  }

  std::uint32_t groups_, chassis_, blades_, nodes_;
  SimgridTopologyLinks links_;
  std::vector<std::uint32_t> local_;  ///< [nodes] cable to the router
  std::unordered_map<std::uint64_t, std::uint32_t> between_;
  std::vector<Cable> cables_;
};

}  // namespace

std::shared_ptr<const SimgridTopology> make_simgrid_dragonfly(SimgridElements& elements, const SimgridCluster& cluster,
                                                              const std::vector<std::vector<std::uint32_t>>& lists) {
  return std::make_shared<SimgridDragonfly>(elements, cluster, lists);
}

}  // namespace orrery
