/// The `topology:` section of a network. Private to platforms/.
#pragma once

#include <string>
#include <vector>

#include "platforms/parameter_reader.hpp"

namespace orrery {

/// What some kinds must know of their network.
struct TopologyOf {
  std::vector<bool> joined;  ///< [nodes] to the network: those that a graph attaches
  double link_per_node;      ///< bandwidth of a cable between switches by that of an adapter, which a taper counts
};

/// A kind of topology, said once: its keys are those of the section, and their reading is here.
struct TopologyKind {
  std::string word;
  std::vector<config::Key> keys;
  const char* size;  ///< the key that says how many places there are
  bool holds_nodes;  ///< nodes, however many adapters these have
  Topology (*load)(const ParameterReader& topology, const TopologyOf& of);
};
const std::vector<TopologyKind>& topology_kinds();
/// The kind 'graph' (graph_loader.cpp).
Topology load_graph(const ParameterReader& topology, const TopologyOf& of);

Topology load_topology(const ParameterReader& topology, const TopologyOf& of);

/// Where a network says how many places it needs, by its adapters; or has, where it states none or a scenario changed
/// the size of its topology.
std::string where_of_places(const ParameterReader& network);

}  // namespace orrery
