/// What a route passes, by name.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "platforms/routes.hpp"

namespace orrery::test {

/// "node 0", "leaf-0", "spine-1", "leaf-1", "node 5".
inline std::vector<std::string> route_names(const Routes& routes, NodeId from, NodeId to) {
  std::vector<std::string> names{fmt::format("node {}", index(from))};
  for (const LinkId id : routes.route(from, to)) {
    const std::uint32_t end = routes.ends(id).second;
    const std::uint32_t adapters = routes.adapters();
    names.push_back(end < adapters ? fmt::format("node {}", index(routes.node_of(AdapterId{end})))
                                   : routes.switch_name(end - adapters));
  }
  return names;
}

}  // namespace orrery::test
