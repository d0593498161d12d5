/// The switches of a network that share a place in its picture. Private to the outline.
#pragma once

#include "platforms/routes.hpp"
#include "sim/core/network_outline.hpp"

namespace orrery {

struct Grouping {
  NetworkForm form = NetworkForm::levels;
  std::vector<std::string> levels = {};
  std::vector<std::uint32_t> dimensions = {};
  std::vector<NetworkOutline::SwitchGroup> places = {};
  std::vector<std::uint32_t> place_of = {};  ///< [switches]
};

/// `switch_of` is the switch of each node's NIC.  [nodes]
Grouping group_switches(const Network& network, const Routes& routes, const std::vector<std::uint32_t>& switch_of);

}  // namespace orrery
