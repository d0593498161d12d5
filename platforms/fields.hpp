/// The tables of a platform file: one line for each key (sim/config/fields.hpp). The loader reads by them; pages, fits
/// and the reference list parameters from them.
#pragma once

#include "platforms/description.hpp"
#include "sim/config/fields.hpp"

namespace orrery {

const config::Fields<ChannelProperties>& protocol_fields();
const config::Fields<GpuMessages>& gpu_messages_fields();
const config::Fields<LocalRates>& local_work_fields();
const config::Fields<PowerDraw>& power_fields();
const config::Fields<NetworkPower>& network_power_fields();
const config::Fields<Fabric::Cable>& cable_fields();
const config::Fields<Gpu>& gpu_fields();
const config::Fields<NodeType>& shared_memory_fields();
const config::Fields<NodeType>& node_type_fields();
const config::Fields<GraphTopology::Edge>& edge_fields();
const config::Fields<GraphTopology::Route>& route_fields();
const config::Fields<Medium>& medium_fields();
const config::Fields<Medium>& backbone_fields();
const std::vector<config::Key>& graph_keys();
const std::vector<config::Key>& star_keys();
const config::Fields<FatTreeTopology>& fat_tree_fields();
const config::Fields<TorusTopology>& torus_fields();
const config::Fields<DragonflyTopology>& dragonfly_fields();
const config::Fields<DragonflyPlusTopology>& dragonfly_plus_fields();
const config::Fields<Adapter>& adapter_fields();
const config::Fields<Network>& network_fields();
const config::Fields<Platform>& platform_fields();

}  // namespace orrery
