#include "sim/study/play/smpi_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "platforms/routes.hpp"
#include "sim/config/files.hpp"
#include "sim/config/traces/trace_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"

namespace orrery::study {

namespace {

constexpr std::uint32_t routed_nodes_max = 512;

/// SMPI's piecewise form: 'from:offset:slope' joined by ';'.
std::string smpi_function(const PiecewiseLinear& function) {
  const auto& points = function.points();
  if (points.empty()) return "0:0:0";
  std::string text = fmt::format("0:{:.17g}:0", points.front().second);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& [x, y] = points[i];
    const bool last = i + 1 == points.size();
    const double slope = last ? function.slope_after() : (points[i + 1].second - y) / (points[i + 1].first - x);
    if (last && slope == 0.0 && i == 0) continue;
    text += fmt::format(";{:.17g}:{:.17g}:{:.17g}", x, y - slope * x, slope);
  }
  return text;
}

/// The part of a link's bandwidth that long messages get together: what SimGrid's links are given.
double payload_share(const Network& network) {
  const auto& steps = network.protocol.wire_efficiency.steps();
  return steps.empty() ? 1.0 : steps.back().second;
}

/// What nodes and routing have that no SimGrid platform file says.
std::vector<std::string> inside_left_out(const Platform& platform, const Network& network) {
  std::vector<std::string> left_out;
  std::uint32_t adapters = 1;
  bool fabric = false;
  for (std::uint32_t t = 0; t < platform.node_types.size(); ++t) {
    adapters = std::max(adapters, network.adapters.of_type(t));
    fabric = fabric || platform.node_types[t].fabric.described();
    if (network.adapters.of_type(t) == 0)
      left_out.push_back(
          fmt::format("nodes of '{}' have no adapter on network '{}'", platform.node_types[t].name, network.name));
  }
  if (adapters > 1)
    left_out.push_back(
        fmt::format("a node has {} adapters on network '{}'; here it has the first alone", adapters, network.name));
  if (fabric) left_out.push_back("nodes have a fabric inside (sockets, PCIe, GPUs); here they are single hosts");
  if (network.protocol.hop_latency != HopLatency{})
    left_out.push_back(fmt::format(
        "kernels of GPUs have hops of their own on network '{}'; here all messages its latency", network.name));
  if (network.adapters.rated())
    left_out.push_back(
        fmt::format("an adapter takes {}; here any number", messages_text(network.adapters.message_rate)));
  if (network.adapters.send_queues > 0)
    left_out.push_back(fmt::format("an adapter sends from {} queues, a message at a time; here all share it at once",
                                   network.adapters.send_queues));
  if (network.aggregation)
    left_out.push_back(
        fmt::format("switches of network '{}' reduce and multicast; here they pass messages on", network.name));
  if (network.routing.kind != Routing::Kind::deterministic)
    left_out.push_back(
        fmt::format("network '{}' chooses among several ways; here each pair has the deterministic one", network.name));
  return left_out;
}

std::string host_name(NodeId node) { return fmt::format("node-{}", index(node)); }

/// SimGrid's list of numbers: "0-3,7".
std::string radical(const std::vector<NodeId>& nodes) {
  std::string text;
  for (std::size_t i = 0; i < nodes.size();) {
    std::size_t last = i;
    while (last + 1 < nodes.size() && index(nodes[last + 1]) == index(nodes[last]) + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", index(nodes[i]));
    if (last > i) text += fmt::format("-{}", index(nodes[last]));
    i = last + 1;
  }
  return text;
}

/// Of the whole node: ranks of a host without `core` would take turns on one.
std::uint32_t cores_of(const Platform& platform, NodeId node) {
  return platform.node_types[platform.type_of(node)].cores();
}

/// SimGrid's word.
const char* policy(Sharing sharing) {
  return sharing == Sharing::none ? "FATPIPE" : sharing == Sharing::half_duplex ? "SHARED" : "SPLITDUPLEX";
}

std::string cluster_xml(const std::string& id, std::uint32_t cores, const std::vector<NodeId>& nodes,
                        const Network& network) {
  const double share = payload_share(network);
  std::string more;
  if (network.both_ways > BytesPerSecond{})
    more += fmt::format(" limiter_link=\"{:.17g}Bps\"", network.both_ways.si() * share);
  if (const auto& backbone = std::get<StarTopology>(network.topology).backbone)
    more += fmt::format(" bb_bw=\"{:.17g}Bps\" bb_lat=\"{:.17g}s\" bb_sharing_policy=\"{}\"",
                        backbone->bandwidth.si() * share, backbone->latency.si(), policy(backbone->sharing));
  return fmt::format(
      "  <cluster id=\"{}\" prefix=\"node-\" suffix=\"\" radical=\"{}\" speed=\"1Gf\" core=\"{}\" bw=\"{:.17g}Bps\" "
      "lat=\"{:.17g}s\" sharing_policy=\"{}\"{}/>\n",
      id, radical(nodes), cores, network.bandwidth.si() * share, network.latency.si() / 2.0, policy(network.sharing),
      more);
}

/// Those of so many cores each.
std::map<std::uint32_t, std::vector<NodeId>> nodes_by_cores(const Platform& platform,
                                                            const std::vector<NodeId>& nodes) {
  std::map<std::uint32_t, std::vector<NodeId>> by_cores;
  for (const NodeId node : nodes) by_cores[cores_of(platform, node)].push_back(node);
  return by_cores;
}

/// A cluster for each number of cores, since SimGrid's have one; between them a link that costs nothing, since it has
/// no routes without links.
std::string star_xml(const Platform& platform, const Network& network, const std::vector<NodeId>& nodes) {
  const auto by_cores = nodes_by_cores(platform, nodes);
  if (by_cores.size() == 1) return cluster_xml("cluster", by_cores.begin()->first, nodes, network);
  std::string clusters, routes;
  for (auto to = by_cores.begin(); to != by_cores.end(); ++to) {
    const auto id = [](std::uint32_t cores) { return fmt::format("cluster-of-{}", cores); };
    clusters += cluster_xml(id(to->first), to->first, to->second, network);
    for (auto from = by_cores.begin(); from != to; ++from)
      routes += fmt::format(
          "  <zoneRoute src=\"{0}\" dst=\"{1}\" gw_src=\"node-{0}_router\" gw_dst=\"node-{1}_router\"><link_ctn "
          "id=\"between\"/></zoneRoute>\n",
          id(from->first), id(to->first));
  }
  return "  <zone id=\"clusters\" routing=\"Full\">\n" + clusters +
         "  <link id=\"between\" bandwidth=\"1e15Bps\" latency=\"0s\" sharing_policy=\"FATPIPE\"/>\n" + routes +
         "  </zone>\n";
}

std::string routed_xml(const Platform& platform, const Network& network, const std::vector<NodeId>& nodes) {
  if (nodes.size() > routed_nodes_max)
    throw InputError(
        "simgrid-xml: {} nodes of platform '{}' (at most {} unless the topology is a star: each pair's "
        "route is written). Export {}?",
        nodes.size(), platform.name, routed_nodes_max,
        nodes.size() == platform.nodes() ? "a smaller platform" : "a job on fewer nodes");
  const auto routes = build_routes(platform, network);
  std::string hosts, ways;
  std::set<LinkId> used;
  for (const NodeId from : nodes) {
    hosts +=
        fmt::format("    <host id=\"{}\" speed=\"1Gf\" core=\"{}\"/>\n", host_name(from), cores_of(platform, from));
    for (const NodeId to : nodes) {
      if (from == to) continue;
      ways += fmt::format("    <route src=\"{}\" dst=\"{}\" symmetrical=\"NO\">", host_name(from), host_name(to));
      for (const LinkId id : routes->route(from, to)) {
        ways += fmt::format("<link_ctn id=\"{}\"/>", index(id));
        used.insert(id);
      }
      ways += "</route>\n";
    }
  }
  std::string links;
  for (const LinkId id : used) {
    const Link link = routes->link(id);
    links += fmt::format("    <link id=\"{}\" bandwidth=\"{:.17g}Bps\" latency=\"{:.17g}s\"{}/>\n", index(id),
                         link.bandwidth.si() * payload_share(network), link.latency.si(),
                         link.alone ? " sharing_policy=\"FATPIPE\"" : "");
  }
  return "  <zone id=\"cluster\" routing=\"Full\">\n" + hosts + links + ways + "  </zone>\n";
}

/// Whether SimGrid's clusters say all of it. Those of unlike nodes have no backbone in common.
bool is_cluster(const Platform& platform, const Network& network, const std::vector<NodeId>& nodes) {
  const auto* star = std::get_if<StarTopology>(&network.topology);
  return star != nullptr && network.nics.empty() && network.faults == nullptr &&
         (!star->backbone || nodes_by_cores(platform, nodes).size() == 1);
}

}  // namespace

std::string simgrid_xml(const Platform& platform, const Network& network, const std::vector<NodeId>& nodes) {
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform "
         "version=\"4.1\">\n" +
         (is_cluster(platform, network, nodes) ? star_xml(platform, network, nodes)
                                               : routed_xml(platform, network, nodes)) +
         "</platform>\n";
}

std::string simgrid_xml(const Platform& platform, const Network& network) {
  std::vector<NodeId> nodes;
  for (std::uint32_t n = 0; n < platform.nodes(); ++n)
    if (network.adapters.of_type(platform.type_of(NodeId{n})) > 0) nodes.push_back(NodeId{n});
  return simgrid_xml(platform, network, nodes);
}

std::string smpi_options(const Network& network, const std::string& collectives) {
  const ChannelProperties& protocol = network.protocol;
  // Full: SimGrid's default, Lazy, ends flows through one NIC too early when they begin at different times (1.3 % of an
  // exchange of six ranks, validation/smpi-traces). Thresholds: SMPI compares with <, as we do, and takes integers.
  const auto threshold = [](Bytes m) { return static_cast<long long>(std::min(m.si(), 2147483647.0)); };
  return fmt::format(
      "--cfg=network/model:CM02 --cfg=network/weight-S:0 --cfg=network/crosstraffic:0 --cfg=network/TCP-gamma:1e18 "
      "--cfg=network/latency-factor:1 --cfg=network/bandwidth-factor:1 --cfg=network/optim:Full "
      "--cfg=smpi/coll-selector:{} --cfg=smpi/test:0 --cfg=smpi/async-small-thresh:{} "
      "--cfg=smpi/send-is-detached-thresh:{} "
      "--cfg=smpi/os:\"{}\" --cfg=smpi/ois:\"{}\" --cfg=smpi/or:\"{}\"",
      collectives, threshold(protocol.eager), threshold(protocol.detach), smpi_function(protocol.send_overhead),
      smpi_function(protocol.isend_overhead), smpi_function(protocol.receive_overhead));
}

std::vector<std::string> smpi_differences(const Platform& platform, const Network& network) {
  std::vector<std::string> differences;
  const ChannelProperties& protocol = network.protocol;
  if (protocol.copies[0] + protocol.copies[1] > 0)
    differences.push_back(fmt::format("network '{}' copies {} + {} times per message; SMPI does not", network.name,
                                      protocol.copies[0], protocol.copies[1]));
  if (protocol.discipline == Discipline::fifo)
    differences.push_back(fmt::format("network '{}' is first in, first out; SimGrid shares fairly", network.name));
  if (network.congestion == Congestion::head_of_line)
    differences.push_back(fmt::format(
        "on network '{}' messages hold up others behind them (congestion: head-of-line); in SMPI they do not",
        network.name));
  if (protocol.pair_bandwidth > BytesPerSecond{})
    differences.push_back(
        fmt::format("network '{}' limits what two ranks exchange (pair-bandwidth); SMPI does not", network.name));
  if (protocol.handshake > 0)
    differences.push_back(fmt::format("a rendezvous starts after {} {}; SMPI starts it at once", protocol.handshake,
                                      protocol.handshake == 1 ? "latency" : "latencies"));
  if (protocol.handshake_request > 0)
    differences.push_back(
        "the request of a rendezvous travels before its receive is posted (handshake-request); SMPI sends none");
  if (!protocol.block_overhead.points().empty())
    differences.push_back("telling an adapter of a collective's blocks takes time (block-overhead); in SMPI none");
  if (protocol.progress == MessageProgress::in_calls)
    differences.push_back("long messages move in MPI calls alone (progress: in-calls); in SMPI by themselves");
  if (std::ranges::any_of(platform.node_types, [](const NodeType& type) { return type.waiting == Waiting::polls; }))
    differences.push_back("ranks that wait keep the core they share (waiting: polls); in SMPI they leave it");
  if (std::ranges::any_of(platform.node_types, [](const NodeType& type) { return type.numa_domains() > 1; }))
    differences.push_back(
        "each socket has a memory of its own (numa-domain: socket); in SMPI nothing waits for memory");
  if (!protocol.latency_factor.steps().empty())
    differences.push_back("latency changes with the message size; CM02 takes one factor for all sizes");
  if (!protocol.bandwidth_factor.steps().empty())
    differences.push_back(
        "one message gets a part of the bandwidth (bandwidth-factor), several more; a factor of SimGrid holds for one "
        "flow up to 3.27 and for all together from 3.28 on, so it is left out");
  if (protocol.wire_efficiency.steps().size() > 1)
    differences.push_back("what a link carries changes with the message size; here it is that of the longest messages");
  if (protocol.send_overhead(protocol.detach) > 0.0 || protocol.receive_overhead(protocol.detach) > 0.0)
    differences.push_back(
        "from 'detach' on a blocking send and receiving its message cost overheads; SMPI charges none");
  differences.push_back("SMPI sends an envelope of 16 B with each message");
  differences.push_back("an unexpected message is copied once more; SMPI does not copy");
  if (!std::holds_alternative<StarTopology>(network.topology))
    differences.push_back("CM02 shares a link by latency: flows over routes of unequal latency get unequal shares");
  for (std::string& left_out : inside_left_out(platform, network)) differences.push_back(std::move(left_out));
  for (const NodeType& type : platform.node_types)
    if (type.cores() > 1) {
      differences.push_back("ranks of one node talk over SMPI's loopback, not through shared memory");
      break;
    }
  return differences;
}

void write_smpi_export(const std::string& folder, const Trace& trace, const Layout& layout, const Platform& platform,
                       const Network& network) {
  const std::string xml = simgrid_xml(platform, network, layout.nodes());
  std::string index_of_traces, hosts;
  for (std::uint32_t rank = 0; rank < trace.ranks.size(); ++rank) {
    const std::string file = fmt::format("rank-{}.txt", rank);
    config::write_into(folder, file, config::ti_text(trace, Rank{rank}));
    index_of_traces += folder + "/" + file + "\n";
    hosts += host_name(layout.of(Rank{rank}).node) + "\n";
  }
  config::write_into(folder, "index.txt", index_of_traces);
  config::write_into(folder, "hostfile.txt", hosts);
  config::write_into(folder, "platform.xml", xml);
}

}  // namespace orrery::study
