/// Private to the clusters of SimGrid platforms: the links that a topology adds to the elements.
#pragma once

#include <fmt/format.h>

#include <cstdint>

#include "platforms/simgrid_elements.hpp"
#include "platforms/simgrid_topologies.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

inline constexpr double simgrid_links_max = 1u << 23;  ///< of a cluster

/// Loopbacks and limiters of the places, then cables.
class SimgridTopologyLinks {
 public:
  SimgridTopologyLinks(SimgridElements& elements, const SimgridCluster& cluster, std::uint32_t limited, double cables)
      : elements_(&elements), cluster_(cluster) {
    if (cables > simgrid_links_max)
      elements.refuse(cluster.line, Refusal("topo_parameters '{}' describe {:.0f} cables (at most {:.0f}). Use a "
                                            "smaller cluster?",
                                            shown(cluster.parameters), cables, simgrid_links_max));
    loopbacks_ = next();
    for (std::uint32_t i = 0; cluster.loopback && i < cluster.hosts; ++i)
      add("loopback", cluster.loopback->first, cluster.loopback->second, false, true);
    limiters_ = next();
    for (std::uint32_t i = 0; cluster.limiter > 0.0 && i < limited; ++i)
      add("limiter", cluster.limiter, 0.0, false, false);
  }

  std::uint32_t cable(double count = 1.0) {
    return add("cable", cluster_.bandwidth * count, cluster_.latency, cluster_.split, false);
  }
  std::uint32_t back(std::uint32_t cable) const { return split_ ? cable + 1 : cable; }

  bool append_loopback(std::uint32_t place, SimgridWay& into) const {
    if (loops_) into.push_back(loopbacks_ + place);
    return loops_;
  }
  void append_limiter(std::uint32_t place, SimgridWay& into) const {
    if (limited_) into.push_back(limiters_ + place);
  }

 private:
  std::uint32_t next() const { return static_cast<std::uint32_t>(elements_->links.size()); }
  std::uint32_t add(const char* what, double bandwidth, double latency, bool split, bool fatpipe) {
    return add_simgrid_link(*elements_,
                            {.name = fmt::format("{}_{}_{}", cluster_.name, what, next() - cluster_.first_link),
                             .bandwidth = bandwidth,
                             .latency = latency,
                             .fatpipe = fatpipe,
                             .line = cluster_.line},
                            split);
  }

  SimgridElements* elements_;  ///< while links are added
  SimgridCluster cluster_;
  bool split_ = cluster_.split, loops_ = cluster_.loopback.has_value(), limited_ = cluster_.limiter > 0.0;
  std::uint32_t loopbacks_ = 0, limiters_ = 0;
};

std::shared_ptr<const SimgridTopology> make_simgrid_dragonfly(SimgridElements& elements, const SimgridCluster& cluster,
                                                              const std::vector<std::vector<std::uint32_t>>& lists);

}  // namespace orrery
