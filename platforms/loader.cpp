#include "platforms/loader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "platforms/adapters_loader.hpp"
#include "platforms/energy.hpp"
#include "platforms/fabric.hpp"
#include "platforms/fabric_loader.hpp"
#include "platforms/fields.hpp"
#include "platforms/node_names.hpp"
#include "platforms/parameter_reader.hpp"
#include "platforms/routes.hpp"
#include "platforms/sharing.hpp"
#include "platforms/topology_loader.hpp"
#include "sim/config/csv.hpp"
#include "sim/config/files.hpp"
#include "sim/config/formats/known_formats.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

using config::Value;

constexpr std::uint32_t nodes_max = 1u << 22;

/// A name that may stand in routes, files and pictures.
void require_name(const std::string& name, const std::string& where) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  if (name.empty() || name.size() > 64 || !std::ranges::all_of(name, plain))
    throw InputError("{}: name '{}' (1 to 64 characters of a-z, 0-9 and '-'). Choose another?", where, shown(name));
}

std::vector<Gpu> load_gpus(const ParameterReader& type) {
  std::vector<Gpu> gpus;
  for (const Value& item : type.section().optional_list("gpus")) {
    const ParameterReader parameters = type.inside(item);
    const std::uint32_t count = parameters.count("count");
    Gpu gpu;
    if (type.has("fabric") && !parameters.has("link-bandwidth"))
      parameters.read(gpu_fields(), gpu, {"link-bandwidth", "link-latency"});
    else
      parameters.read(gpu_fields(), gpu);
    parameters.finish();
    gpus.insert(gpus.end(), count, gpu);
  }
  return gpus;
}

void load_gpu_messages(const ParameterReader& parameters, NodeType& type) {
  if (!parameters.has("gpu-messages")) return;
  const FabricRoutes routes(type);
  for (std::uint32_t gpu = 0; gpu < type.gpus.size(); ++gpu)
    if (!routes.joined(routes.gpu(gpu), routes.gpu(0)) || !type.fabric.described())
      parameters.section().refuse(
          "gpu-messages", Refusal("no cable of 'fabric' joins GPU {} of '{}' to GPU 0 (messages between GPUs take "
                                  "them). Add 'fabric', or remove 'gpu-messages'?",
                                  gpu, type.name));
  if (type.gpus.empty())
    parameters.section().refuse("gpu-messages", Refusal("'{}' has no GPUs. Remove 'gpu-messages'?", type.name));
  const ParameterReader messages = parameters.inside("gpu-messages");
  messages.read(gpu_messages_fields(), type.gpu_messages.emplace());
  messages.finish();
  std::vector<std::uint32_t> all;
  for (std::uint32_t gpu = 0; gpu < type.gpus.size(); ++gpu) all.push_back(type.sockets + gpu);
  if (type.gpu_messages->multicast && !FabricRoutes(type).common_switch(all))
    type.fabric.notes.push_back(fmt::format(
        "no switch joins all GPUs of '{}': 'multicast' of 'gpu-messages' is of no use to them together", type.name));
}

/// One for each node, which no other node has.
void require_names(const Value& value, std::uint32_t nodes, std::set<std::string>& taken) {
  const auto names = expanded_names(value);
  if (names.size() != nodes)
    value.refuse(Refusal("{} names of {} nodes (one for each). Count the brackets?", names.size(), nodes));
  for (const std::string& name : names)
    if (!taken.insert(name).second)
      value.refuse(Refusal("two nodes are called '{}' (names are unique). Rename one?", shown(name)));
}

NodeType load_node_type(const std::string& name, const ParameterReader& parameters, std::uint32_t count,
                        std::set<std::string>& names_taken) {
  NodeType type;
  type.name = name;
  parameters.read(node_type_fields(), type);
  if (const auto names = parameters.section().optional("names")) require_names(*names, count, names_taken);
  type.gpus = load_gpus(parameters);
  if (type.gpus.size() > type.cores())
    parameters.section().refuse("gpus", Refusal("{} GPUs, but {} cores (a GPU process holds one core). Fewer GPUs?",
                                                type.gpus.size(), type.cores()));
  load_fabric(parameters, type);
  load_gpu_messages(parameters, type);
  if (const Refusal problem = cap_problem(type); !problem.empty()) parameters.section().refuse("power-cap", problem);
  return type;
}

void load_node_types(const ParameterReader& file, Platform& platform) {
  const ParameterReader types = file.inside("node-types");
  std::set<std::string> names;
  for (const auto& [name, value] : types.section().items()) {
    if (name == "source" || name == "assumed") continue;
    require_name(name, value.where());
    const ParameterReader parameters = types.inside(value);
    platform.node_counts.push_back(parameters.count("count"));
    platform.node_types.push_back(load_node_type(name, parameters, platform.node_counts.back(), names));
    parameters.finish();
  }
  std::uint64_t nodes = 0;
  for (const auto count : platform.node_counts) nodes += count;
  if (nodes == 0 || nodes > nodes_max)
    types.section().refuse("", Refusal("'node-types' describes {} nodes (1..{}). Change 'count'?", nodes, nodes_max));
}

/// Of each node, if any type has one of its own.
std::vector<Adapter> load_nics(const ParameterReader& network, const Adapter& common, const Platform& platform) {
  if (!network.has("nic")) return {};
  const ParameterReader types = network.inside("nic");
  std::vector<Adapter> of_type(platform.node_types.size(), common);
  for (const auto& [name, value] : types.section().items()) {
    if (name == "source" || name == "assumed") continue;
    const auto type = std::ranges::find(platform.node_types, name, &NodeType::name);
    if (type == platform.node_types.end()) {
      std::vector<std::string> known;
      for (const auto& one : platform.node_types) known.push_back(one.name);
      throw InputError("{}: unknown type of node '{}'{}", value.where(), name, known_names(name, known));
    }
    const ParameterReader parameters = types.inside(value);
    parameters.read(adapter_fields(), of_type[static_cast<std::size_t>(type - platform.node_types.begin())]);
    parameters.finish();
  }
  std::vector<Adapter> nics;
  for (std::uint32_t node = 0; node < platform.nodes(); ++node) nics.push_back(of_type[platform.type_of(NodeId{node})]);
  return nics;
}

/// A message has a flow for each part and way; more of them than a handful are a slip of the pen.
void require_parts(const ParameterReader& parameters, const Network& network) {
  constexpr std::uint32_t parts_max = 12;
  const std::uint32_t ways = network.routing.kind == Routing::Kind::split ? network.routing.paths : 1;
  if (const std::uint32_t parts = ways * network.adapters.stripe_over; parts > parts_max)
    parameters.section().refuse("routing",
                                Refusal("a message over {} adapters in {} ways each has {} parts (at most {}). "
                                        "Split over fewer?",
                                        network.adapters.stripe_over, ways, parts, parts_max));
}

/// First-in-first-out ports are those of one switch and of nodes with one adapter and nothing else on the way.
void require_ports(const config::Section& protocol, const Platform& platform, const Network& network) {
  if (network.protocol.discipline != Discipline::fifo) return;
  if (network.congestion == Congestion::head_of_line)
    protocol.refuse(
        "discipline",
        "'discipline' is fifo beside 'congestion: head-of-line' (its ports have lines of their own, without "
        "bounds). Leave one of the two out?");
  if (!std::holds_alternative<StarTopology>(network.topology))
    protocol.refuse("discipline", "'discipline' is fifo (only for topology star: one switch). Use fair?");
  const bool fabric =
      std::ranges::any_of(platform.node_types, [](const auto& type) { return type.fabric.described(); });
  if (fabric || !network.adapters.at.empty() || network.adapters.rated() || network.adapters.send_queues > 0 ||
      network.routing.kind != Routing::Kind::deterministic || network.protocol.pair_bandwidth > BytesPerSecond{})
    protocol.refuse("discipline",
                    "'discipline' is fifo (only for nodes without 'fabric' and networks without 'adapters', "
                    "'message-rate', 'send-queues', 'routing' and 'pair-bandwidth'). Use fair?");
}

void require_send_queues(const config::Section& network, const Adapters& adapters) {
  if (adapters.send_queues > 0 && adapters.stripe_over > 1)
    network.refuse("send-queues",
                   Refusal("'send-queues' is {} beside 'striping' (a message over several adapters would "
                           "wait in one of them alone). Leave one of the two out?",
                           adapters.send_queues));
}

bool has_leaves(const Topology& topology) {
  return std::holds_alternative<FatTreeTopology>(topology) || std::holds_alternative<DragonflyTopology>(topology) ||
         std::holds_alternative<DragonflyPlusTopology>(topology);
}

/// [nodes] whether they have an adapter.
std::vector<bool> joined_nodes(const Platform& platform, const Network& network) {
  std::vector<bool> joined;
  for (std::uint32_t t = 0; t < platform.node_types.size(); ++t)
    joined.insert(joined.end(), platform.node_counts[t], network.adapters.of_type(t) > 0);
  return joined;
}

Network load_network(const std::string& name, const ParameterReader& parameters, const Platform& platform) {
  Network network;
  network.name = name;
  network.technology = name;
  parameters.read(network_fields(), network);
  network.nics =
      load_nics(parameters, {network.bandwidth, network.latency, network.sharing, network.both_ways}, platform);
  load_adapters(parameters, platform, network);
  const ParameterReader topology = parameters.inside("topology");
  network.topology =
      load_topology(topology, {joined_nodes(platform, network), network.link_bandwidth / network.bandwidth});
  network.adapters.rail_leaves = topology.parameter("rail-leaves").boolean();
  if (network.adapters.rail_leaves && !has_leaves(network.topology))
    topology.section().refuse("rail-leaves",
                              "'rail-leaves' of a topology without leaves (fat-tree, dragonfly and dragonfly-plus have "
                              "some). Remove it, or choose 'kind: fat-tree'?");
  topology.finish();
  require_parts(parameters, network);
  require_ports(parameters.section().section("protocol"), platform, network);
  require_send_queues(parameters.section(), network.adapters);
  require_playable(parameters.section(), network);
  return network;
}

void load_networks(const ParameterReader& file, Platform& platform) {
  const ParameterReader networks = file.inside("networks");
  for (const auto& [name, value] : networks.section().items()) {
    if (name == "source" || name == "assumed") continue;
    require_name(name, value.where());
    const ParameterReader parameters = networks.inside(value);
    platform.networks.push_back(load_network(name, parameters, platform));
    parameters.finish();
    build_routes(platform, platform.networks.back(), where_of_places(parameters));  // refuses too few places
  }
  if (platform.networks.empty()) networks.section().refuse("", "'networks' describes none (at least one). Add one?");
}

/// `compute: {model: polynomial, parameters: dahu, ...}` with a source of its own or the file's.
ComputeChoice load_compute(const ParameterReader& file) {
  if (!file.has("compute")) return {};
  const ParameterReader choice = file.inside("compute");
  const Value model = choice.parameter("model");
  ComputeChoice compute{.model = model.text(), .where = model.where(), .settings = {}, .rows = {}};
  for (const auto& [key, value] : choice.section().items()) {
    if (key == "rows")
      compute.rows = std::make_shared<const DataTable>(config::rows_of(value));
    else if (key != "model" && key != "source" && key != "assumed")
      compute.settings.push_back({key, value.text(), value.where()});
  }
  return compute;
}

}  // namespace

Platform load_platform(const config::Document& document, const std::string& file) {
  Platform platform;
  platform.file = file;
  const config::Section root = document.root(platform_fields().mapping());
  platform.name = root.text("name");
  require_name(platform.name, root.where("name"));
  const ParameterReader parameters(root, platform.provenance);
  load_node_types(parameters, platform);
  load_networks(parameters, platform);
  parameters.read(platform_fields(), platform);
  platform.compute = load_compute(parameters);
  parameters.finish();
  return platform;
}

Platform load_platform(const std::string& path) {
  config::refuse_other_format(config::read_file(path), path, "a platform", {"platform", "yaml"});
  return load_platform(config::read_yaml(path), path);
}

}  // namespace orrery
