#include <nlohmann/json.hpp>

#include "platforms/fabric.hpp"
#include "platforms/network_outline.hpp"
#include "sim/app/pages/platform_page.hpp"

namespace orrery::app {

namespace {

using nlohmann::ordered_json;

/// Members for what is stated only.
void add_rate(ordered_json& into, const char* key, BytesPerSecond rate) {
  if (rate > BytesPerSecond{}) into[key] = rate.si();
}

ordered_json local_work_json(const LocalRates& work) {
  ordered_json json = ordered_json::object();
  add_rate(json, "reduction_B_per_s", work.reduction);
  add_rate(json, "copy_B_per_s", work.copy);
  if (!json.empty()) json["cache_B"] = work.cache.si();
  add_rate(json, "cached_reduction_B_per_s", work.cached_reduction);
  add_rate(json, "cached_copy_B_per_s", work.cached_copy);
  add_rate(json, "fresh_memory_B_per_s", work.fresh_memory);
  if (work.fresh_memory > BytesPerSecond{}) json["fresh_from_B"] = work.fresh_from.si();
  add_rate(json, "heap_memory_B_per_s", work.heap_memory);
  if (work.datatype > Seconds{}) json["datatype_s"] = work.datatype.si();
  return json;
}

ordered_json fabric_json(const NodeType& type) {
  ordered_json links = ordered_json::array();
  for (const auto& cable : type.fabric.cables)
    links.push_back({{"link", resource_kind_name(cable.kind)},
                     {"between", {element_name(type, cable.from), element_name(type, cable.to)}},
                     {"bandwidth_B_per_s", cable.bandwidth.si()},
                     {"latency_s", cable.latency.si()}});
  ordered_json json = {{"links", std::move(links)}};
  if (type.fabric.span > 1) {
    json["spans_nodes"] = type.fabric.span;
    json["shared"] = element_name(type, type.fabric.shared);
  }
  return json;
}

ordered_json gpus_json(const NodeType& type) {
  ordered_json gpus = ordered_json::array();
  for (const auto& gpu : type.gpus) {
    ordered_json json = {{"model", gpu.model},
                         {"speed_flop_per_s", gpu.speed.si()},
                         {"memory_B", gpu.memory.si()},
                         {"memory_bandwidth_B_per_s", gpu.memory_bandwidth.si()}};
    if (!type.fabric.described()) {
      json["link_bandwidth_B_per_s"] = gpu.link_bandwidth.si();
      json["link_latency_s"] = gpu.link_latency.si();
    }
    if (auto work = local_work_json(gpu.local_work); !work.empty()) json["local_work"] = std::move(work);
    gpus.push_back(std::move(json));
  }
  return gpus;
}

ordered_json node_types_json(const Platform& platform) {
  ordered_json types = ordered_json::array();
  for (std::size_t i = 0; i < platform.node_types.size(); ++i) {
    const NodeType& type = platform.node_types[i];
    ordered_json json = {{"name", type.name},
                         {"nodes", platform.node_counts[i]},
                         {"sockets", type.sockets},
                         {"cores_per_socket", type.cores_per_socket},
                         {"core_speed_flop_per_s", type.core_speed.si()},
                         {"memory_B", type.memory.si()},
                         {"memory_bandwidth_B_per_s", type.memory_bandwidth.si()},
                         {"copy_bandwidth_B_per_s", type.copy_bandwidth.si()},
                         {"gpus", gpus_json(type)}};
    if (type.fabric.described()) json["fabric"] = fabric_json(type);
    if (type.gpu_messages)
      json["gpu_messages"] = {{"latency_s", type.gpu_messages->latency.si()},
                              {"multicast", type.gpu_messages->multicast.has_value()}};
    if (auto work = local_work_json(type.local_work); !work.empty()) json["local_work"] = std::move(work);
    types.push_back(std::move(json));
  }
  return types;
}

ordered_json adapters_json(const Platform& platform, const Network& network) {
  ordered_json adapters = ordered_json::object();
  for (std::size_t i = 0; i < network.adapters.at.size(); ++i) {
    const NodeType& type = platform.node_types[i];
    ordered_json places = ordered_json::array();
    for (const std::uint32_t element : network.adapters.at[i]) places.push_back(element_name(type, element));
    adapters[type.name] = std::move(places);
  }
  return adapters;
}

/// Adapters, routing and limits, where the network states them.
void add_stated(const Platform& platform, const Network& network, ordered_json& into) {
  const Adapters& adapters = network.adapters;
  if (!adapters.at.empty()) into["adapters"] = adapters_json(platform, network);
  if (adapters.rail_leaves) into["rail_leaves"] = true;
  if (const auto* tree = std::get_if<FatTreeTopology>(&network.topology)) {
    into["taper"] = tapers(*tree, network);
    into["parallel_cables"] = tree->parallel;
  }
  if (network.routing.kind != Routing::Kind::deterministic) {
    constexpr const char* kinds[] = {"deterministic", "hash", "split", "valiant", "adaptive"};
    into["routing"] = {{"kind", kinds[static_cast<std::size_t>(network.routing.kind)]},
                       {"paths", network.routing.paths},
                       {"seed", network.routing.seed}};
  }
  if (adapters.stripe_over > 1)
    into["striping"] = {{"from_B", adapters.stripe_from.si()}, {"over", adapters.stripe_over}};
  if (adapters.message_rate > PerSecond{}) into["message_rate_per_s"] = adapters.message_rate.si();
  add_rate(into, "pair_bandwidth_B_per_s", network.protocol.pair_bandwidth);
  if (network.protocol.gpu_direct) into["gpu_direct"] = true;
  if (network.receive_buffer > Bytes{}) into["receive_buffer_B"] = network.receive_buffer.si();
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
    add_stated(platform, network, entry);
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
