#include <algorithm>
#include <nlohmann/json.hpp>

#include "platforms/fabric.hpp"
#include "platforms/fields.hpp"
#include "platforms/network_outline.hpp"
#include "sim/cli/pages/platform_page.hpp"

namespace orrery::cli {

namespace {

using config::Key;
using config::KeyKind;
using nlohmann::ordered_json;

/// "link-bandwidth" -> "link_bandwidth_B_per_s"
std::string member_name(const Key& key) {
  std::string name = key.name;
  std::ranges::replace(name, '-', '_');
  switch (key.kind) {
    case KeyKind::time:
      return name + "_s";
    case KeyKind::data:
      return name + "_B";
    case KeyKind::bandwidth:
      return name + "_B_per_s";
    case KeyKind::speed:
      return name + "_flop_per_s";
    case KeyKind::rate:
      return name + "_per_s";
    case KeyKind::power:
      return name + "_W";
    default:
      return name;
  }
}

void set(ordered_json& json, const std::string& name, const auto& value) { json[name] = value; }
void set(ordered_json&, const std::string&, std::monostate) {}

/// What must be stated, and what is not as it is where nothing is stated; `all` of a section that need not stand.
template <class S>
ordered_json json_of(const std::vector<config::Field<S>>& fields, const S& of, bool all = false) {
  static const S nothing{};
  ordered_json json = ordered_json::object();
  for (const auto& field : fields) {
    if (field.value && (all || field.key.required() || field.value(of) != field.value(nothing)))
      std::visit([&](const auto& value) { set(json, member_name(field.key), value); }, field.value(of));
    if (field.inside.empty() || (field.stands && !field.stands(of))) continue;
    const bool need_not_stand = field.stands && !field.stands(nothing);
    if (auto inner = json_of(field.inside, of, all || need_not_stand); !inner.empty())
      json[member_name(field.key)] = std::move(inner);
  }
  return json;
}
template <class S>
ordered_json json_of(const config::Fields<S>& fields, const S& of) {
  return json_of(fields.fields(), of);
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
    gpus.push_back(json_of(gpu_fields(), gpu));
    if (!type.fabric.described()) continue;
    gpus.back().erase("link_bandwidth_B_per_s");  // among the links of the fabric
    gpus.back().erase("link_latency_s");
  }
  return gpus;
}

ordered_json node_types_json(const Platform& platform) {
  ordered_json types = ordered_json::array();
  for (std::size_t i = 0; i < platform.node_types.size(); ++i) {
    const NodeType& type = platform.node_types[i];
    ordered_json json = {{"name", type.name}, {"nodes", platform.node_counts[i]}};
    json.update(json_of(node_type_fields(), type));
    json["gpus"] = gpus_json(type);
    if (type.fabric.described()) json["fabric"] = fabric_json(type);
    if (type.gpu_messages) json["gpu_messages"] = json_of(gpu_messages_fields(), *type.gpu_messages);
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

/// Counted from the routes.
ordered_json built_json(const BuiltNetwork& network) {
  ordered_json rows = ordered_json::array();
  for (std::uint32_t k = 0; k < network.kinds.size(); ++k) {
    const auto& kind = network.kinds[k];
    ordered_json cables = ordered_json::array();
    for (const auto& sort : network.cables) {
      if (sort.from != k) continue;
      cables.push_back({{"to", network.kinds[sort.to].name},
                        {"global", sort.sort == ResourceKind::global_link},
                        {"cables", sort.count},
                        {"bandwidth_B_per_s", sort.bandwidth.si()}});
      if (sort.most) {
        cables.back()["oversubscription_least"] = *sort.least;
        cables.back()["oversubscription_most"] = *sort.most;
      }
    }
    rows.push_back({{"switches_are", kind.name},
                    {"switches", kind.switches},
                    {"switches_with_nodes", kind.with_adapters},
                    {"adapters", kind.adapters},
                    {"cables", std::move(cables)}});
  }
  return rows;
}

/// What is in no table: places of adapters, and what follows from a topology.
void add_stated(const Platform& platform, const Network& network, ordered_json& into) {
  const Adapters& adapters = network.adapters;
  if (!adapters.at.empty()) into["adapters"] = adapters_json(platform, network);
  const BuiltNetwork found = built(*build_routes(platform, network));
  into["as_built"] = built_json(found);
  if (!found.leaves_of_rail.empty()) into["rail_leaves"] = true;
  if (const auto* tree = std::get_if<FatTreeTopology>(&network.topology)) {
    into["taper"] = tapers(*tree, network);
    into["parallel_cables"] = tree->parallel;
  }
  const ordered_json protocol = into["protocol"];  // whose members stood here before
  for (const char* member : {"pair_bandwidth_B_per_s", "gpu_direct"})
    if (const auto stated = protocol.find(member); stated != protocol.end()) into[member] = *stated;
}

ordered_json networks_json(const Platform& platform) {
  ordered_json networks = ordered_json::array();
  for (const auto& network : platform.networks) {
    const NetworkFacts facts = network_facts(platform, network);
    ordered_json entry = {{"name", network.name}, {"topology", topology_name(network)}};
    entry.update(json_of(network_fields(), network));
    entry["switches"] = facts.switches;
    entry["diameter_links"] = facts.diameter.links;
    entry["diameter_exact"] = facts.diameter.exact;
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
  ordered_json pairs = ordered_json::array(), parameters = ordered_json::array();
  for (const PairFacts& facts : pair_facts(platform))
    pairs.push_back({{"pair", facts.pair},
                     {"channel", facts.channel},
                     {"nearest", cost_json(facts.nearest)},
                     {"farthest", cost_json(facts.farthest)}});
  for (const auto& entry : platform.provenance)
    parameters.push_back({{"parameter", entry.parameter}, {"value", entry.value}, {"source", entry.source}});
  const ordered_json page = {{"name", platform.name},
                             {"file", platform.file},
                             {"source", platform.source},
                             {"nodes", platform.nodes()},
                             {"node_types", node_types_json(platform)},
                             {"networks", networks_json(platform)},
                             {"point_to_point", std::move(pairs)},
                             {"parameters", std::move(parameters)}};
  return page.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace orrery::cli
