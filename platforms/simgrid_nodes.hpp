/// Private to the import of SimGrid platforms: hosts as node types.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platforms/simgrid_elements.hpp"
#include "platforms/simgrid_routing.hpp"

namespace orrery {

/// Properties of messages between ranks of one host.
struct SimgridInside {
  double bandwidth = 1e10, latency = 0.0;  ///< SimGrid's defaults
  bool own_links = false;                  ///< they use the host's links to other hosts
  bool operator==(const SimgridInside&) const = default;
};

/// Identical hosts, as one node type.
struct SimgridNodes {
  std::string name;
  std::uint32_t kind = 0;
  std::uint32_t cluster = no_point;  ///< its links are the adapters
  SimgridInside inside;
  std::vector<std::uint32_t> hosts;
};

/// `has_adapter`: [hosts] whether a host's own links become its adapter.
std::vector<SimgridNodes> node_types_of(SimgridElements& elements, const SimgridRouting& routing,
                                        const std::vector<bool>& has_adapter);

/// Lower case letters, digits and '-'; not empty; different from all in `used`.
std::string plain_simgrid_name(std::string_view text, std::vector<std::string>& used);

}  // namespace orrery
