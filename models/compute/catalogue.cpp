#include "models/compute/catalogue.hpp"

#include <cassert>

namespace orrery {

Catalogue<ComputeModelEntry>& compute_models() {
  static Catalogue<ComputeModelEntry> catalogue("compute model");
  return catalogue;
}

std::vector<FlopsPerSecond> peak_speeds(const Platform& platform, const Layout& layout) {
  std::vector<FlopsPerSecond> speeds;
  for (const Placement& place : layout.placements) {
    const NodeType& type = platform.node_types[place.node_type];
    assert(!place.gpu || place.socket_of_node < type.gpus.size());
    speeds.push_back(place.gpu ? type.gpus[place.socket_of_node].speed : place.cores * type.core_speed);
  }
  return speeds;
}

std::vector<double> process_speeds(const ComputeModel& model, const Layout& layout, const Compute& work) {
  std::vector<double> speeds;
  for (std::uint32_t r = 0; r < layout.ranks(); ++r)
    speeds.push_back((work.flops / model.compute_time(work, Rank{r})).si());
  return speeds;
}

std::vector<double> process_speeds(const Platform& platform, const Layout& layout, Work work) {
  const auto& entry = compute_models().at("constant", "speeds");
  const auto model = entry.make(platform, layout, Parameters(entry.parameters));
  return process_speeds(*model, layout, Compute{work, Flops(1e9), {}});
}

}  // namespace orrery
