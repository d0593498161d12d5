/// Private to the import of SimGrid platforms: declared routes as a graph of switches, links and media.
///
/// A link of SimGrid has no ends. Routes list the neighbours before and after it. If these fit two ends, it becomes a
/// link between two switches: a split-duplex link enters one way where it leaves the other way; for a link that both
/// directions share, all neighbours before it in a route are at one end, all neighbours after it at the other. A link
/// that does not fit two ends is a medium: a bus, a backbone, the link that connects several zones.
///
/// Hosts of clusters and cabinets, which forward no routes, have their links as adapters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platforms/simgrid_elements.hpp"

namespace orrery {

struct SimgridGraph {
  struct Cable {
    std::uint32_t from = 0, to = 0;     ///< switches or media
    std::uint32_t there = 0, back = 0;  ///< links; equal if both directions share it
    std::string name;
  };
  struct Medium {
    std::uint32_t link = 0;
    std::string name;
    std::vector<std::uint32_t> between;  ///< switches
  };
  std::vector<std::string> switches;
  std::vector<Medium> media;  ///< as ends: numbered after the switches
  std::vector<Cable> cables;
  std::vector<std::uint32_t> place_of;  ///< [hosts] a switch or medium
  std::vector<bool> has_adapter;        ///< [hosts] its own links become its adapter

  const std::string& name_of(std::uint32_t place) const {
    return place < switches.size() ? switches[place] : media[place - switches.size()].name;
  }
};

SimgridGraph graph_of(const SimgridElements& elements);

}  // namespace orrery
