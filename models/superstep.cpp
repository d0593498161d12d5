#include "models/superstep.hpp"

#include <algorithm>
#include <map>

namespace orrery {

bool is_barrier(const Phase& phase) { return phase.name == "barrier"; }

std::vector<CorePlace> cores_of_ranks(const Layout& layout, const Platform& platform) {
  std::map<HostId, std::uint32_t> taken;
  std::vector<CorePlace> places;
  for (const Placement& place : layout.placements) {
    const NodeType& type = platform.node_types[place.node_type];
    std::uint32_t core = 0;
    if (!place.gpu) {
      std::uint32_t& of_host = taken[place.host];
      core = place.socket_of_node * type.cores_per_socket + of_host % type.cores_per_socket;
      of_host += place.cores;
    }
    places.push_back({place.node, core});
  }
  return places;
}

FlopsPerSecond daxpy_rate(const PredictionInput& run) {
  double sum = 0.0;
  for (std::uint32_t rank = 0; rank < run.layout.ranks(); ++rank) {
    std::vector<stats::Point> times;
    for (double n = 1.0; n <= 1024.0; n *= 2.0) {
      const Compute daxpy{Work::daxpy, Flops(2.0 * n), {n, 1.0, 0.0}, Bytes(24.0 * n)};
      times.push_back({daxpy.flops.si(), run.compute.compute_time(daxpy, Rank{rank}).si()});
    }
    sum += 1.0 / stats::fit_line(times, stats::Deviations::absolute).slope;
  }
  return FlopsPerSecond(sum / run.layout.ranks());
}

}  // namespace orrery
