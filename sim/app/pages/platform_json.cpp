#include <nlohmann/json.hpp>

#include "sim/app/pages/platform_page.hpp"

namespace orrery::app {

namespace {

using nlohmann::ordered_json;

ordered_json node_types_json(const Platform& platform) {
  ordered_json types = ordered_json::array();
  for (std::size_t i = 0; i < platform.node_types.size(); ++i) {
    const NodeType& type = platform.node_types[i];
    ordered_json gpus = ordered_json::array();
    for (const auto& gpu : type.gpus)
      gpus.push_back({{"model", gpu.model},
                      {"speed_flop_per_s", gpu.speed.si()},
                      {"memory_B", gpu.memory.si()},
                      {"memory_bandwidth_B_per_s", gpu.memory_bandwidth.si()},
                      {"link_bandwidth_B_per_s", gpu.link_bandwidth.si()},
                      {"link_latency_s", gpu.link_latency.si()}});
    types.push_back({{"name", type.name},
                     {"nodes", platform.node_counts[i]},
                     {"sockets", type.sockets},
                     {"cores_per_socket", type.cores_per_socket},
                     {"core_speed_flop_per_s", type.core_speed.si()},
                     {"memory_B", type.memory.si()},
                     {"memory_bandwidth_B_per_s", type.memory_bandwidth.si()},
                     {"copy_bandwidth_B_per_s", type.copy_bandwidth.si()},
                     {"gpus", std::move(gpus)}});
  }
  return types;
}

ordered_json networks_json(const Platform& platform) {
  ordered_json networks = ordered_json::array();
  for (const auto& network : platform.networks) {
    const NetworkFacts facts = network_facts(platform, network);
    ordered_json entry = {{"name", network.name},
                          {"technology", network.technology},
                          {"topology", topology_name(network)},
                          {"bandwidth_B_per_s", network.bandwidth.si()},
                          {"latency_s", network.latency.si()},
                          {"switches", facts.switches},
                          {"diameter_links", facts.diameter.links},
                          {"diameter_exact", facts.diameter.exact}};
    if (facts.bisection) {
      entry["bisection_B_per_s"] = facts.bisection->bandwidth.si();
      entry["bisection_exact"] = facts.bisection->exact;
    }
    networks.push_back(std::move(entry));
  }
  return networks;
}

ordered_json cost_json(const PointToPoint& pair) {
  ordered_json times = ordered_json::array();
  for (const Bytes m : {8_B, 64_KiB, 1_MiB})
    times.push_back(
        {{"message_B", m.si()}, {"time_s", pair.time(m).si()}, {"bandwidth_B_per_s", pair.bandwidth(m).si()}});
  return {{"latency_s", pair.latency().si()}, {"times", std::move(times)}};
}

}  // namespace

std::string platform_json(const Platform& platform) {
  ordered_json pairs = ordered_json::array(), figures = ordered_json::array();
  for (const PairFacts& facts : pair_facts(platform))
    pairs.push_back({{"pair", facts.pair},
                     {"channel", facts.channel},
                     {"nearest", cost_json(facts.nearest)},
                     {"farthest", cost_json(facts.farthest)}});
  for (const auto& entry : platform.provenance)
    figures.push_back({{"figure", entry.figure}, {"value", entry.value}, {"source", entry.source}});
  const ordered_json page = {{"name", platform.name},
                             {"file", platform.file},
                             {"source", platform.source},
                             {"nodes", platform.nodes()},
                             {"node_types", node_types_json(platform)},
                             {"networks", networks_json(platform)},
                             {"point_to_point", std::move(pairs)},
                             {"figures", std::move(figures)}};
  return page.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace orrery::app
