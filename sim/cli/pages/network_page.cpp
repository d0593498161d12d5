// Networks as people read them: tables of `show platform` and `show network`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/cli/pages/platform_page.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/show/tables/text_grid.hpp"

namespace orrery::cli {

namespace {

using show::Column;

constexpr Bytes small = 8_B, medium = 64_KiB, large = 1_MiB;

/// Up to 32 nodes of a type, evenly spaced, the first and the last among them.
std::vector<NodeId> sample(const Platform& platform, std::uint32_t type) {
  constexpr std::uint32_t samples_max = 32;
  const auto first = static_cast<std::uint32_t>(index(platform.first_node_of(type)));
  const std::uint32_t count = platform.node_counts[type], wanted = std::min(count, samples_max);
  std::vector<NodeId> nodes;
  for (std::uint32_t i = 0; i < wanted; ++i)
    nodes.push_back(
        NodeId{first + (wanted == 1 ? 0 : static_cast<std::uint32_t>(std::uint64_t{i} * (count - 1) / (wanted - 1)))});
  return nodes;
}

/// Nearest and farthest pair of two types on a network; nothing when there is only one node.
void add_network_pair(const Platform& platform, const Network& network, const Routes& routes, std::uint32_t a,
                      std::uint32_t b, std::vector<PairFacts>& facts) {
  std::optional<PointToPoint> nearest, farthest;
  for (const NodeId from : sample(platform, a))
    for (const NodeId to : sample(platform, b)) {
      if (from == to) continue;
      const PointToPoint pair(platform, network, routes, from, to);
      if (!nearest || pair.latency() < nearest->latency()) nearest = pair;
      if (!farthest || pair.latency() > farthest->latency()) farthest = pair;
    }
  if (nearest)
    facts.push_back(
        {platform.node_types[a].name + " - " + platform.node_types[b].name, network.name, *nearest, *farthest});
}

/// Two CPU ranks of a node: on one socket, and on the farthest two.
void add_node_pair(const NodeType& type, std::vector<PairFacts>& facts) {
  const PointToPoint nearest(type);
  PointToPoint farthest = nearest;
  if (type.fabric.described()) {
    const FabricRoutes inside(type);
    for (std::uint32_t from = 0; from < type.sockets; ++from)
      for (std::uint32_t to = 0; to < type.sockets; ++to) {
        if (from == to || !inside.joined(from, to)) continue;
        const PointToPoint pair = PointToPoint::between_sockets(type, inside, from, to);
        if (pair.time(large) > farthest.time(large)) farthest = pair;
      }
  }
  facts.push_back({type.name + ", one node", "shared memory", nearest, farthest});
}

/// Two GPUs of a node whose messages go over its links; nothing for other types.
void add_gpu_pair(const NodeType& type, std::vector<PairFacts>& facts) {
  if (!type.gpu_messages || !type.fabric.described() || type.gpus.size() < 2) return;
  const FabricRoutes inside(type);
  std::optional<PointToPoint> nearest, farthest;
  const auto gpus = static_cast<std::uint32_t>(type.gpus.size());
  for (std::uint32_t from = 0; from < gpus; ++from)
    for (std::uint32_t to = 0; to < gpus; ++to) {
      if (from == to) continue;
      const PointToPoint pair(type, inside, from, to);
      if (!nearest || pair.time(large) < nearest->time(large)) nearest = pair;
      if (!farthest || pair.time(large) > farthest->time(large)) farthest = pair;
    }
  facts.push_back({type.name + ", two GPUs of a node", "GPU links", *nearest, *farthest});
}

/// The first GPUs of two nodes, where adapters reach them over the links of the node.
void add_gpu_network_pair(const Platform& platform, const Network& network, const Routes& routes, std::uint32_t number,
                          std::vector<PairFacts>& facts) {
  const NodeType& type = platform.node_types[number];
  if (network.adapters.of_type(number) == 0 || !network.protocol.gpu_direct || type.gpus.empty() ||
      !type.fabric.described())
    return;
  if (platform.node_counts[number] < 2) return;
  const auto first = static_cast<std::uint32_t>(index(platform.first_node_of(number)));
  const auto pair = [&](std::uint32_t other) {
    return PointToPoint(platform, network, routes, PointToPoint::GpuOfNode{NodeId{first}, 0},
                        PointToPoint::GpuOfNode{NodeId{other}, 0});
  };
  facts.push_back({type.name + ", GPUs of two nodes", network.name, pair(first + 1),
                   pair(first + platform.node_counts[number] - 1)});
}

template <class Quantity>
std::string range_text(Quantity a, Quantity b) {
  const std::string first = to_text(a), last = to_text(b);
  return first == last ? first : first + " .. " + last;
}

Column text_column(std::string header, bool right, std::vector<std::string> texts) {
  Column result{"", std::move(header), right, {}};
  for (auto& text : texts) result.cells.push_back({std::move(text)});
  return result;
}

std::string bisection_text(const NetworkFacts& facts) {
  if (!facts.bisection) return "-";
  return (facts.bisection->exact ? "" : "at most ") + to_text(facts.bisection->bandwidth);
}

/// "8 x 50 GB/s" where some node has several adapters.
std::string nic_text(const Network& network) {
  std::uint32_t most = 1;
  for (std::uint32_t type = 0; type < network.adapters.at.size(); ++type)
    most = std::max(most, network.adapters.of_type(type));
  return most == 1 ? to_text(network.bandwidth) : fmt::format("{} x {}", most, to_text(network.bandwidth));
}

/// Within a node whose channel makes no copies a message takes no time beyond its latency: there is no bandwidth.
std::string bandwidth_text(const PairFacts& facts) {
  const BytesPerSecond least = facts.farthest.bandwidth(large);
  return least > BytesPerSecond{} ? range_text(least, facts.nearest.bandwidth(large)) : "no copies";
}

}  // namespace

std::string topology_name(const Network& network) {
  constexpr const char* names[] = {"star", "fat tree", "torus", "dragonfly", "graph", "dragonfly+"};
  std::string name = names[network.topology.index()];
  if (const auto* tree = std::get_if<FatTreeTopology>(&network.topology))
    return fmt::format("{} {}", name, fmt::join(tree->down, " x "));
  if (const auto* torus = std::get_if<TorusTopology>(&network.topology))
    return fmt::format("{} {}", name, fmt::join(torus->dimensions, " x "));
  if (const auto* fly = std::get_if<DragonflyTopology>(&network.topology))
    return fmt::format("{} {} x {} x {}", name, fly->groups, fly->routers, fly->nodes);
  if (const auto* fly = std::get_if<DragonflyPlusTopology>(&network.topology))
    return fmt::format("{} {} x {} x {}", name, fly->cells, fly->leaves, fly->nodes);
  return name;
}

std::vector<PairFacts> pair_facts(const Platform& platform) {
  std::vector<PairFacts> facts;
  for (const auto& type : platform.node_types) add_node_pair(type, facts);
  for (const auto& type : platform.node_types) add_gpu_pair(type, facts);
  for (const auto& network : platform.networks)
    for (auto& pair : pair_facts(platform, network)) facts.push_back(std::move(pair));
  return facts;
}

std::vector<PairFacts> pair_facts(const Platform& platform, const Network& network) {
  std::vector<PairFacts> facts;
  const auto routes = build_routes(platform, network);
  const auto off = [&](std::uint32_t type) { return network.adapters.of_type(type) == 0; };
  for (std::uint32_t a = 0; a < platform.node_types.size(); ++a)
    for (std::uint32_t b = a; b < platform.node_types.size(); ++b)
      if (!off(a) && !off(b)) add_network_pair(platform, network, *routes, a, b, facts);
  for (std::uint32_t a = 0; a < platform.node_types.size(); ++a)
    add_gpu_network_pair(platform, network, *routes, a, facts);
  return facts;
}

NetworkFacts network_facts(const Platform& platform, const Network& network) {
  const auto routes = build_routes(platform, network);
  return {network.name, diameter(*routes), bisection_bandwidth(*routes), routes->switches()};
}

std::string network_table(std::span<const Network> networks, const Platform& platform, std::size_t width) {
  std::vector<std::string> cells[7];
  for (const auto& network : networks) {
    const NetworkFacts facts = network_facts(platform, network);
    const char* blocks = network.congestion == Congestion::head_of_line ? ", head-of-line" : "";
    const std::string row[] = {network.name,
                               network.technology,
                               topology_name(network) + blocks,
                               nic_text(network),
                               std::to_string(facts.switches),
                               fmt::format("{}{} links", facts.diameter.exact ? "" : "at least ", facts.diameter.links),
                               bisection_text(facts)};
    for (std::size_t c = 0; c < 7; ++c) cells[c].push_back(row[c]);
  }
  constexpr const char* headers[] = {"network", "technology", "topology", "NIC", "switches", "diameter", "bisection"};
  std::vector<Column> columns;
  for (std::size_t c = 0; c < 7; ++c) columns.push_back(text_column(headers[c], c > 2, std::move(cells[c])));
  return show::render(columns, 1, width, false);
}

std::string pair_table(const std::vector<PairFacts>& pairs, std::size_t width) {
  std::vector<std::string> cells[7];
  for (const PairFacts& facts : pairs) {
    const auto time = [&](Bytes m) { return range_text(facts.nearest.time(m), facts.farthest.time(m)); };
    const std::string row[] = {
        facts.pair,           facts.channel, range_text(facts.nearest.latency(), facts.farthest.latency()),
        time(small),          time(medium),  time(large),
        bandwidth_text(facts)};
    for (std::size_t c = 0; c < 7; ++c) cells[c].push_back(row[c]);
  }
  const std::string headers[] = {"pair of ranks",
                                 "channel",
                                 "latency",
                                 to_text(small),
                                 to_text(medium),
                                 to_text(large),
                                 "bandwidth at " + to_text(large)};
  std::vector<Column> columns;
  for (std::size_t c = 0; c < 7; ++c) columns.push_back(text_column(headers[c], c > 1, std::move(cells[c])));
  return show::render(columns, 2, width, false);
}

std::string network_page(const Platform& platform, std::span<const Network> networks, std::size_t terminal_width) {
  const std::size_t width = std::min(terminal_width, show::prose_width_max);
  std::string page = fmt::format("{}: {} nodes\n{}\n\n", platform.name, platform.nodes(), platform.file);
  page +=
      network_table(networks, platform, terminal_width) + "\n" + built_table(networks, platform, terminal_width) + "\n";
  const std::size_t tables = page.size();
  std::vector<PairFacts> pairs;
  for (const Network& network : networks) {
    if (const std::string words = network_words(platform, network); !words.empty())
      page += show::wrapped(network.name + ": " + words, width, "  ");
    for (auto& pair : pair_facts(platform, network)) pairs.push_back(std::move(pair));
  }
  if (page.size() > tables) page += "\n";
  if (!pairs.empty()) page += pair_table(pairs, terminal_width);
  return page + "\n" + show::wrapped(std::string(words_of_networks) + " " + words_of_pairs, width);
}

}  // namespace orrery::cli
