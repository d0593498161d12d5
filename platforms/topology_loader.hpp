/// The `topology:` section of a network. Private to platforms/.
#pragma once

#include <string>
#include <vector>

#include "platforms/parameter_reader.hpp"

namespace orrery {

/// Properties of a network that some kinds need.
struct TopologyOf {
  std::vector<bool> joined;  ///< [nodes] whether a graph attaches the node
  double link_per_node;      ///< bandwidth of a cable between switches over that of an adapter, for a taper
};

/// A kind of topology, defined once: its keys are those of the section, and its loader is here.
struct TopologyKind {
  std::string word;
  std::vector<config::Key> keys;
  const char* size;  ///< the key with the number of places
  bool holds_nodes;  ///< places are nodes, however many adapters these have
  Topology (*load)(const ParameterReader& topology, const TopologyOf& of);
};
const std::vector<TopologyKind>& topology_kinds();
/// The kind 'graph' (graph_loader.cpp).
Topology load_graph(const ParameterReader& topology, const TopologyOf& of);

Topology load_topology(const ParameterReader& topology, const TopologyOf& of);

/// The place in a network's section that gives the number of places: of its adapters, or of its topology if it has no
/// adapters or if a scenario changed the size of the topology.
std::string where_of_places(const ParameterReader& network);

}  // namespace orrery
