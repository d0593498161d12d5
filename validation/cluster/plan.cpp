#include "validation/cluster/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platforms/sharing.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"

namespace orrery::cluster {

namespace {

/// Above it one machine's processors, not the links, set the pace (validation/cluster/README.md).
constexpr double bandwidth_max = 125e6;

}  // namespace

std::string address_of(std::size_t node) { return fmt::format("10.111.0.{}", node + 1); }

Plan plan_of(const Platform& platform, const Network& network) {
  if (!std::holds_alternative<StarTopology>(network.topology))
    throw InputError("{}: network '{}' is no star (an emulated cluster has one switch). Choose another network?",
                     platform.file, network.name);
  if (const std::string shared = shared_words(network); !shared.empty())
    throw InputError("{}: network '{}' has {} (links of an emulated cluster are full-duplex). Choose another network?",
                     platform.file, network.name, shared);
  if (platform.nodes() > nodes_max)
    throw InputError("{}: {} nodes are more than {}, the most of an emulated cluster. Use fewer?", platform.file,
                     platform.nodes(), nodes_max);
  BytesPerSecond fastest = network.bandwidth;
  for (const Adapter& adapter : network.nics) fastest = std::max(fastest, adapter.bandwidth);
  if (fastest.si() > bandwidth_max)
    throw InputError(
        "{}: network '{}' has {}, but one machine keeps up with 1 Gb/s at most (200 Mb/s for times to be "
        "trusted). Slow it down?",
        platform.file, network.name, to_text(fastest));
  Plan plan{platform.name, {}};
  for (std::uint32_t node = 0; node < platform.nodes(); ++node)
    plan.nodes.push_back({platform.node_name(NodeId{node}),
                          {network.nic(NodeId{node}).bandwidth.si(), network.nic(NodeId{node}).latency.si()},
                          platform.node_types[platform.type_of(NodeId{node})].cores()});
  return plan;
}

}  // namespace orrery::cluster
