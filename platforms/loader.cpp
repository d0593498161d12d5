#include "platforms/loader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platforms/adapters_loader.hpp"
#include "platforms/fabric.hpp"
#include "platforms/fabric_loader.hpp"
#include "platforms/figures.hpp"
#include "platforms/keys.hpp"
#include "platforms/local_work.hpp"
#include "platforms/node_names.hpp"
#include "platforms/routes.hpp"
#include "platforms/topology_loader.hpp"
#include "sim/config/csv.hpp"
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
    throw InputError(
        fmt::format("{}: name '{}' (1 to 64 characters of a-z, 0-9 and '-'). Choose another?", where, shown(name)));
}

/// `host`: its ranks are on CPUs, or may be.
ChannelProperties load_channel(const Figures& figures, bool host = true) {
  ChannelProperties channel;
  channel.send_overhead = figures.overhead("send-overhead");
  channel.isend_overhead = figures.overhead_or("isend-overhead", channel.send_overhead);
  channel.receive_overhead = figures.overhead("receive-overhead");
  channel.probe_overhead = figures.seconds("probe-overhead");
  channel.eager = figures.bytes("eager");
  channel.detach = figures.bytes_or("detach", channel.eager);
  if (channel.detach > channel.eager)
    figures.section().refuse("detach", fmt::format("'detach' is {}, above 'eager' {} (at most that). Lower it?",
                                                   to_text(channel.detach), to_text(channel.eager)));
  channel.handshake = figures.count("handshake");
  channel.handshake_request = figures.count("handshake-request");
  if (channel.handshake_request > channel.handshake)
    figures.section().refuse("handshake-request",
                             fmt::format("'handshake-request' is {}, above 'handshake' {} (a part of that). Lower it?",
                                         channel.handshake_request, channel.handshake));
  const auto copies = figures.counts("copies");
  if (copies.size() != 2)
    figures.section().refuse("copies", fmt::format("'copies' has {} numbers (two: sender's and receiver's end). Write "
                                                   "'[1, 1]'?",
                                                   copies.size()));
  channel.copies = {static_cast<std::uint8_t>(copies[0]), static_cast<std::uint8_t>(copies[1])};
  channel.copy_mode = static_cast<CopyMode>(figures.figure("copy-mode").choice());
  if (host) channel.unexpected_copy = figures.bandwidth_or("unexpected-copy", BytesPerSecond(0.0));
  channel.latency_factor = figures.factor("latency-factor");
  channel.bandwidth_factor = figures.factor("bandwidth-factor");
  if (host) channel.gpu_direct = figures.figure("gpu-direct").boolean();
  channel.overhead_variation = figures.figure("overhead-variation").number();
  return channel;
}

void load_hops(const Figures& figures, ChannelProperties& channel) {
  if (!figures.has("hop-latency")) return;
  const Figures hops = figures.inside("hop-latency");
  for (std::size_t i = 0; i < gpu_protocols; ++i)
    channel.hop_latency[i] = hops.seconds_or(gpu_protocol_names[i], Seconds{});
  channel.hop_rendezvous = hops.seconds_or("rendezvous", Seconds{});
  channel.hop_reported = hops.seconds_or("reported", Seconds{});
  channel.hop_gap = hops.seconds_or("gap", Seconds{});
  channel.hop_ll_limit = hops.bandwidth_or("ll-limit", BytesPerSecond{});
  hops.finish();
}

std::vector<Gpu> load_gpus(const Figures& type) {
  std::vector<Gpu> gpus;
  for (const Value& item : type.section().optional_list("gpus")) {
    const Figures figures = type.inside(item);
    const std::uint32_t count = figures.count("count");
    Gpu gpu;
    gpu.model = figures.section().text("model");
    gpu.speed = figures.speed("speed");
    gpu.memory = figures.bytes("memory");
    gpu.memory_bandwidth = figures.bandwidth("memory-bandwidth");
    if (figures.has("link-bandwidth") || !type.has("fabric")) {
      gpu.link_bandwidth = figures.bandwidth("link-bandwidth");
      gpu.link_latency = figures.seconds("link-latency");
    } else {
      gpu.link_latency = figures.seconds_or("link-latency", Seconds{});
    }
    gpu.local_work = load_local_work(figures);
    figures.finish();
    gpus.insert(gpus.end(), count, gpu);
  }
  return gpus;
}

void load_gpu_messages(const Figures& figures, NodeType& type) {
  if (!figures.has("gpu-messages")) return;
  const FabricRoutes routes(type);
  for (std::uint32_t gpu = 0; gpu < type.gpus.size(); ++gpu)
    if (!routes.joined(routes.gpu(gpu), routes.gpu(0)) || !type.fabric.described())
      figures.section().refuse(
          "gpu-messages", fmt::format("no cable of 'fabric' joins GPU {} of '{}' to GPU 0 (messages between GPUs take "
                                      "them). Add 'fabric', or remove 'gpu-messages'?",
                                      gpu, type.name));
  if (type.gpus.empty())
    figures.section().refuse("gpu-messages", fmt::format("'{}' has no GPUs. Remove 'gpu-messages'?", type.name));
  const Figures messages = figures.inside("gpu-messages");
  type.gpu_messages = GpuMessages{messages.seconds("latency"), load_channel(messages, false)};
  type.gpu_messages->protocol.wire_efficiency = messages.factor("wire-efficiency");
  load_hops(messages, type.gpu_messages->protocol);
  if (messages.has("multicast")) {
    const Figures multicast = messages.inside("multicast");
    type.gpu_messages->multicast = {multicast.figure("efficiency").number(), multicast.seconds("latency"),
                                    multicast.bandwidth("staging")};
    multicast.finish();
  }
  messages.finish();
}

/// One for each node.
std::string names_of(const Value& value, std::uint32_t nodes) {
  if (const auto names = expanded_names(value); names.size() != nodes)
    value.refuse(fmt::format("{} names of {} nodes (one for each). Count the brackets?", names.size(), nodes));
  return value.text();
}

NodeType load_node_type(const std::string& name, const Figures& figures, std::uint32_t count) {
  NodeType type;
  type.name = name;
  if (const auto names = figures.section().optional("names")) type.names = names_of(*names, count);
  type.sockets = figures.count("sockets");
  type.cores_per_socket = figures.count("cores-per-socket");
  type.core_speed = figures.speed("core-speed");
  type.memory = figures.bytes("memory");
  type.memory_bandwidth = figures.bandwidth("memory-bandwidth");
  type.copy_bandwidth = figures.bandwidth("copy-bandwidth");
  if (type.copy_bandwidth > type.memory_bandwidth)
    figures.section().refuse("copy-bandwidth",
                             fmt::format("'copy-bandwidth' is {}, above 'memory-bandwidth' {} (one core copies no "
                                         "faster than the node). Swap them?",
                                         to_text(type.copy_bandwidth), to_text(type.memory_bandwidth)));
  type.time_sharing_overhead = figures.figure("time-sharing-overhead").share();
  type.local_work = load_local_work(figures);
  const Figures shared = figures.inside("shared-memory");
  type.shared_memory_latency = shared.seconds("latency");
  type.shared_memory = load_channel(shared);
  shared.finish();
  type.gpus = load_gpus(figures);
  if (type.gpus.size() > type.cores())
    figures.section().refuse("gpus", fmt::format("{} GPUs, but {} cores (a GPU process holds one core). Fewer GPUs?",
                                                 type.gpus.size(), type.cores()));
  load_fabric(figures, type);
  load_gpu_messages(figures, type);
  return type;
}

void load_node_types(const Figures& file, Platform& platform) {
  const Figures types = file.inside("node-types");
  for (const auto& [name, value] : types.section().items()) {
    if (name == "source" || name == "assumed") continue;
    require_name(name, value.where());
    const Figures figures = types.inside(value);
    platform.node_counts.push_back(figures.count("count"));
    platform.node_types.push_back(load_node_type(name, figures, platform.node_counts.back()));
    figures.finish();
  }
  std::uint64_t nodes = 0;
  for (const auto count : platform.node_counts) nodes += count;
  if (nodes == 0 || nodes > nodes_max)
    types.section().refuse("",
                           fmt::format("'node-types' describes {} nodes (1..{}). Change 'count'?", nodes, nodes_max));
}

/// What only a network has.
void load_ports(const Figures& protocol, ChannelProperties& channel) {
  channel.wire_efficiency = protocol.factor("wire-efficiency");
  load_hops(protocol, channel);
  channel.pair_bandwidth = protocol.bandwidth_or("pair-bandwidth", BytesPerSecond{});
  channel.pair_from = protocol.bytes("pair-from");
  channel.discipline = static_cast<Discipline>(protocol.figure("discipline").choice());
  channel.frame = protocol.bytes("frame");
  channel.frame_header = protocol.bytes("frame-header");
  channel.message_header = protocol.bytes("message-header");
  channel.acknowledgement = protocol.figure("acknowledgement").share();
  if (channel.discipline == Discipline::fifo && protocol.has("bandwidth-factor"))
    protocol.section().refuse("bandwidth-factor",
                              "'bandwidth-factor' beside 'discipline: fifo' (a message has the port to itself while it "
                              "goes out). Leave it out?");
}

/// Of each node, if any type has one of its own.
std::vector<Adapter> load_nics(const Figures& network, const Adapter& common, const Platform& platform) {
  if (!network.has("nic")) return {};
  const Figures types = network.inside("nic");
  std::vector<Adapter> of_type(platform.node_types.size(), common);
  for (const auto& [name, value] : types.section().items()) {
    if (name == "source" || name == "assumed") continue;
    const auto type = std::ranges::find(platform.node_types, name, &NodeType::name);
    if (type == platform.node_types.end()) {
      std::vector<std::string> known;
      for (const auto& one : platform.node_types) known.push_back(one.name);
      throw InputError(fmt::format("{}: unknown type of node '{}'{}", value.where(), name, known_names(name, known)));
    }
    const Figures figures = types.inside(value);
    of_type[static_cast<std::size_t>(type - platform.node_types.begin())] = {
        figures.bandwidth_or("bandwidth", common.bandwidth), figures.seconds_or("latency", common.latency)};
    figures.finish();
  }
  std::vector<Adapter> nics;
  for (std::uint32_t node = 0; node < platform.nodes(); ++node) nics.push_back(of_type[platform.type_of(NodeId{node})]);
  return nics;
}

/// A message has a flow for each part and way; more of them than a handful are a slip of the pen.
void require_parts(const Figures& figures, const Network& network) {
  constexpr std::uint32_t parts_max = 12;
  const std::uint32_t ways = network.routing.kind == Routing::Kind::split ? network.routing.paths : 1;
  if (const std::uint32_t parts = ways * network.adapters.stripe_over; parts > parts_max)
    figures.section().refuse("routing",
                             fmt::format("a message over {} adapters in {} ways each has {} parts (at most {}). "
                                         "Split over fewer?",
                                         network.adapters.stripe_over, ways, parts, parts_max));
}

/// First-in-first-out ports are those of one switch and of nodes with one adapter and nothing else on the way.
void require_ports(const Figures& protocol, const Platform& platform, const Network& network) {
  if (network.protocol.discipline != Discipline::fifo) return;
  if (!std::holds_alternative<StarTopology>(network.topology))
    protocol.section().refuse("discipline", "'discipline' is fifo (only for topology star: one switch). Use fair?");
  const bool fabric =
      std::ranges::any_of(platform.node_types, [](const auto& type) { return type.fabric.described(); });
  if (fabric || !network.adapters.at.empty() || network.adapters.message_rate > PerSecond{} ||
      network.routing.kind != Routing::Kind::deterministic || network.protocol.pair_bandwidth > BytesPerSecond{})
    protocol.section().refuse("discipline",
                              "'discipline' is fifo (only for nodes without 'fabric' and networks without 'adapters', "
                              "'message-rate', 'routing' and 'pair-bandwidth'). Use fair?");
}

bool has_leaves(const Topology& topology) {
  return std::holds_alternative<FatTreeTopology>(topology) || std::holds_alternative<DragonflyTopology>(topology) ||
         std::holds_alternative<DragonflyPlusTopology>(topology);
}

Network load_network(const std::string& name, const Figures& figures, const Platform& platform) {
  Network network;
  network.name = name;
  network.technology = figures.section().optional_text("technology").value_or(name);
  network.bandwidth = figures.bandwidth("bandwidth");
  network.latency = figures.seconds("latency");
  network.link_bandwidth = figures.bandwidth_or("link-bandwidth", network.bandwidth);
  network.link_latency = figures.seconds("link-latency");
  const Figures protocol = figures.inside("protocol");
  network.protocol = load_channel(protocol);
  load_ports(protocol, network.protocol);
  protocol.finish();
  network.nics = load_nics(figures, {network.bandwidth, network.latency}, platform);
  const Figures topology = figures.inside("topology");
  network.topology = load_topology(topology, platform.nodes(), network.link_bandwidth / network.bandwidth);
  network.adapters.rail_leaves = topology.figure("rail-leaves").boolean();
  if (network.adapters.rail_leaves && !has_leaves(network.topology))
    topology.section().refuse("rail-leaves",
                              "'rail-leaves' of a topology without leaves (fat-tree, dragonfly and dragonfly-plus have "
                              "some). Remove it, or choose 'kind: fat-tree'?");
  topology.finish();
  load_adapters(figures, platform, network);
  network.routing = load_routing(figures);
  network.receive_buffer = figures.bytes_or("receive-buffer", Bytes{});
  require_parts(figures, network);
  require_ports(protocol, platform, network);
  return network;
}

void load_networks(const Figures& file, Platform& platform) {
  const Figures networks = file.inside("networks");
  for (const auto& [name, value] : networks.section().items()) {
    if (name == "source" || name == "assumed") continue;
    require_name(name, value.where());
    const Figures figures = networks.inside(value);
    platform.networks.push_back(load_network(name, figures, platform));
    figures.finish();
    build_routes(platform, platform.networks.back(), where_of_places(figures));  // refuses too few places
  }
  if (platform.networks.empty()) networks.section().refuse("", "'networks' describes none (at least one). Add one?");
}

/// `compute: {model: polynomial, figures: dahu, ...}` with a source of its own or the file's.
ComputeChoice load_compute(const Figures& file) {
  if (!file.has("compute")) return {};
  const Figures choice = file.inside("compute");
  const Value model = choice.figure("model");
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
  const config::Section root = document.root(platform_keys());
  platform.name = root.text("name");
  require_name(platform.name, root.where("name"));
  platform.source = root.text("source");
  const Figures figures(root, platform.provenance);
  load_node_types(figures, platform);
  load_networks(figures, platform);
  if (figures.has("processors")) platform.processors = figures.count("processors");
  if (figures.has("forwarding")) {
    platform.forwarding = platform.forwarding_next = figures.seconds("forwarding");
    if (platform.processors == 0)
      throw InputError(
          fmt::format("{}: 'forwarding' is {} of the processors of one machine that emulates all nodes (there are "
                      "none). Say how many: 'processors: 2'?",
                      root.where("forwarding"), to_text(platform.forwarding)));
  }
  if (figures.has("forwarding-next")) {
    platform.forwarding_next = figures.seconds("forwarding-next");
    if (platform.forwarding_next > platform.forwarding)
      throw InputError(
          fmt::format("{}: 'forwarding-next' is {}, above 'forwarding' {} (a switch that is awake has less to "
                      "do). Swap them?",
                      root.where("forwarding-next"), to_text(platform.forwarding_next), to_text(platform.forwarding)));
  }
  if (figures.has("start-skew")) platform.start_skew = figures.seconds("start-skew");
  platform.compute = load_compute(figures);
  figures.finish();
  return platform;
}

Platform load_platform(const std::string& path) { return load_platform(config::read_yaml(path), path); }

}  // namespace orrery
