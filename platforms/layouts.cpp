#include "platforms/layouts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "platforms/configuration.hpp"
#include "platforms/layout_shares.hpp"
#include "platforms/local_work.hpp"
#include "platforms/node_names.hpp"
#include "platforms/setups.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

/// More are a slip of the pen, and would fill the memory before anything could say so.
constexpr std::uint32_t ranks_max = 1u << 24;

void require_ranks_below_max(std::uint64_t ranks, const std::string& where) {
  if (ranks > ranks_max)
    throw InputError("{}: {} ranks are more than {} (the limit). Take fewer nodes or ranks?", where, ranks, ranks_max);
}

/// Places the processes of one node after another.
class Placer {
 public:
  explicit Placer(const Platform& platform) : platform_(platform) {}

  void begin_node(NodeId node) {
    node_ = node;
    type_number_ = platform_.type_of(node);
    type_ = &platform_.node_types[type_number_];
    free_.assign(type_->sockets, type_->cores_per_socket);
    load_.assign(type_->sockets, 0);
  }
  const NodeType& type() const { return *type_; }

  /// Takes cores of the first socket that has them; false when none has.
  bool place(std::uint32_t cores) {
    const auto socket = std::ranges::find_if(free_, [&](std::uint32_t left) { return left >= cores; });
    if (socket == free_.end()) return false;
    *socket -= cores;
    add(false, static_cast<std::uint32_t>(socket - free_.begin()), cores);
    return true;
  }
  /// Takes cores of the socket that has given the fewest, the first of equals; false when none has them.
  bool place_in_turn(std::uint32_t cores) {
    const auto socket = std::ranges::max_element(free_);
    if (*socket < cores) return false;
    *socket -= cores;
    add(false, static_cast<std::uint32_t>(socket - free_.begin()), cores);
    return true;
  }
  /// Takes cores of this socket; false when it has too few.
  bool place_on(std::uint32_t socket, std::uint32_t cores) {
    if (socket >= free_.size() || free_[socket] < cores) return false;
    free_[socket] -= cores;
    add(false, socket, cores);
    return true;
  }
  /// On the socket with the least load, whatever is free there.
  void share(std::uint32_t cores) {
    add(false, static_cast<std::uint32_t>(std::ranges::min_element(load_) - load_.begin()), cores);
  }
  /// A GPU process and a core for it, taken from the last socket that has one; false when there is none.
  bool take_core_for_gpu() {
    const auto socket = std::find_if(free_.rbegin(), free_.rend(), [](std::uint32_t left) { return left > 0; });
    if (socket == free_.rend()) return false;
    *socket -= 1;
    return true;
  }
  void add_gpu(std::uint32_t number) { add(true, number, 1); }
  std::uint64_t ranks() const { return layout_.placements.size(); }

  Layout finish(std::string name) {
    layout_.name = std::move(name);
    return std::move(layout_);
  }

 private:
  void add(bool gpu, std::uint32_t number, std::uint32_t cores) {
    if (!gpu) load_[number] += cores;
    layout_.placements.push_back({node_, host_of(platform_, node_, gpu, number), type_number_, cores, gpu, number});
  }

  const Platform& platform_;
  Layout layout_;
  NodeId node_{};
  std::uint32_t type_number_ = 0;
  const NodeType* type_ = nullptr;
  std::vector<std::uint32_t> free_;  ///< [sockets] cores
  std::vector<std::uint64_t> load_;  ///< [sockets] cores of the CPU ranks there
};

std::uint32_t type_number(const Platform& platform, const LayoutRow::Nodes& nodes) {
  if (nodes.type.empty() && platform.node_types.size() == 1) return 0;
  const auto found = std::ranges::find(platform.node_types, nodes.type, &NodeType::name);
  if (found != platform.node_types.end()) return static_cast<std::uint32_t>(found - platform.node_types.begin());
  std::vector<std::string> known;
  for (const auto& type : platform.node_types) known.push_back(type.name);
  if (nodes.type.empty())
    throw InputError("{}: '{}x{}' names no node type, and '{}' has several (known: {}). Write '{}x{}:{}'?", nodes.where,
                     nodes.nodes, nodes.processes.size(), platform.name, fmt::join(known, ", "), nodes.nodes,
                     nodes.processes.size(), known.front());
  throw InputError("{}: platform '{}' has no node type '{}'{}", nodes.where, platform.name, nodes.type,
                   known_names(nodes.type, known));
}

/// The processes of one node. GPU processes take their cores first (last socket), but are numbered after the others.
void place_node(Placer& placer, const LayoutRow::Nodes& nodes, const LayoutRow& row) {
  const NodeType& type = placer.type();
  if (nodes.gpus > type.gpus.size())
    throw InputError("{}: row '{}' puts {} GPU processes on a node of '{}', which has {} GPUs. Use fewer?", nodes.where,
                     row.name, nodes.gpus, type.name, type.gpus.size());
  bool fits = true;
  for (std::uint32_t i = 0; i < nodes.gpus; ++i) fits = fits && placer.take_core_for_gpu();
  for (const auto cores : nodes.processes) fits = fits && placer.place(cores);
  if (!fits)
    throw InputError(
        "{}: row '{}' puts processes of {} cores and {} GPU processes on a node of '{}' ({} "
        "sockets of {} cores; a process stays in one socket, a GPU process holds a core). Use "
        "fewer cores?",
        nodes.where, row.name, fmt::join(nodes.processes, ", "), nodes.gpus, type.name, type.sockets,
        type.cores_per_socket);
  for (std::uint32_t i = 0; i < nodes.gpus; ++i) placer.add_gpu(i);
}

}  // namespace

HostId host_of(const Platform& platform, NodeId node, bool gpu, std::uint32_t number) {
  std::uint32_t first = 0, before = 0;
  for (std::uint32_t type = 0; type < platform.node_types.size(); ++type) {
    const NodeType& described = platform.node_types[type];
    const auto hosts = described.sockets + static_cast<std::uint32_t>(described.gpus.size());
    const auto local = static_cast<std::uint32_t>(index(node)) - before;
    if (local < platform.node_counts[type])
      return HostId{first + local * hosts + (gpu ? described.sockets : 0) + number};
    first += platform.node_counts[type] * hosts;
    before += platform.node_counts[type];
  }
  throw DomainError("platform '{}' has {} nodes; node {} does not exist", platform.name, platform.nodes(), index(node));
}

namespace {

Layout layout_of_row(const Platform& platform, const LayoutRow& row) {
  if (!row.configuration.empty()) {
    const auto configuration = parse_configuration(row.configuration, platform, row.where);
    require_ranks_below_max(configuration.ranks(platform), row.where);
    return layout_of(configuration, platform);
  }
  if (row.spread) {
    Layout layout = spread_layout(platform, *row.spread, row.where);
    layout.name = row.name;
    return layout;
  }
  Placer placer(platform);
  std::vector<std::uint32_t> used(platform.node_types.size(), 0);
  for (const auto& nodes : row.place) {
    const std::uint32_t type = type_number(platform, nodes);
    const std::uint32_t left = platform.node_counts[type] - used[type];
    if (nodes.nodes > left)
      throw InputError("{}: row '{}' takes {} nodes of '{}', but {} of {} are free. Take fewer?", nodes.where, row.name,
                       nodes.nodes, nodes.type, left, platform.node_counts[type]);
    require_ranks_below_max(placer.ranks() + nodes.nodes * (nodes.processes.size() + nodes.gpus), row.where);
    for (std::uint32_t i = 0; i < nodes.nodes; ++i, ++used[type]) {
      placer.begin_node(NodeId{static_cast<std::uint32_t>(index(platform.first_node_of(type))) + used[type]});
      place_node(placer, nodes, row);
    }
  }
  Layout layout = placer.finish(row.name);
  if (layout.ranks() == 0)
    throw InputError("{}: row '{}' places no rank (at least one). Add nodes?", row.where, row.name);
  if (row.expected_ranks && *row.expected_ranks != layout.ranks())
    throw InputError("{}: row '{}' says {} ranks, but its nodes give {} (they must agree). Correct 'ranks'?", row.where,
                     row.name, *row.expected_ranks, layout.ranks());
  return row.taken ? taken_of(std::move(layout), row) : layout;
}

}  // namespace

Layout build_layout(const Platform& platform, const LayoutRow& row) {
  Layout layout = layout_of_row(platform, row);
  for (Placement& place : layout.placements) place.local_work = kinds_of(platform.local_rates(place));
  return layout;
}

namespace {

void require_gpus(const Platform& platform, std::uint32_t gpus, const std::string& where) {
  std::size_t most = 0;
  for (const NodeType& type : platform.node_types) most = std::max(most, type.gpus.size());
  if (gpus > most)
    throw InputError("{}: {} GPU ranks to a node, but no node of '{}' has more than {} GPUs. Use {}?", where, gpus,
                     platform.name, most, most == 0 ? "ranks on cores" : "fewer");
}

void require_nodes(const Platform& platform, const NodeChoice& choice) {
  std::vector<bool> seen(platform.nodes(), false);
  for (std::size_t i = 0; i < choice.listed.size(); ++i) {
    const NodeId node = choice.listed[i];
    if (index(node) >= platform.nodes())
      throw InputError("{}: 'node-list' has node {}, but '{}' has nodes 0..{}. Leave it out?", choice.where(i),
                       index(node), platform.name, platform.nodes() - 1);
    if (seen[index(node)] && !choice.of_ranks)
      throw InputError(
          "{}: 'node-list' has node {} twice (once each; 'per-node' says how many ranks it "
          "runs). Remove one?",
          choice.where(i), index(node));
    seen[index(node)] = true;
  }
}

/// Those that a spread may fill, in the order in which it does.
std::vector<NodeId> nodes_of_job(const Platform& platform, const LayoutRow::Spread& spread, const std::string& where) {
  NodeChoice choice = spread.nodes;
  require_nodes(platform, choice);
  if (!choice.named.empty()) choice.listed = nodes_named(platform, choice);
  return order_of_nodes(platform, choice, where);
}

void require_cores(const NodeType& type, std::uint32_t cores, const std::string& where) {
  if (cores == 0 || cores > type.cores_per_socket)
    throw InputError("{}: a rank takes {} cores, but a socket of '{}' has {} (1..{}). Use fewer?", where, cores,
                     type.name, type.cores_per_socket, type.cores_per_socket);
}

/// The node of each rank that a host file gives.
std::vector<NodeId> nodes_of_ranks(const Platform& platform, const LayoutRow::Spread& spread) {
  const NodeChoice& choice = spread.nodes;
  require_nodes(platform, choice);
  std::vector<NodeId> nodes = choice.named.empty() ? choice.listed : nodes_named(platform, choice);
  if (spread.ranks > nodes.size())
    throw InputError(
        "{}: {} ranks, but the host file has a node for {} (a line for each, or 'slots=N'). Add lines, or "
        "state 'per-node'?",
        choice.where(0), spread.ranks, nodes.size());
  if (spread.ranks > 0) nodes.resize(spread.ranks);
  return nodes;
}

/// A rank on the cores that a rankfile binds it to; those of a socket are alike.
void place_bound(Placer& placer, const NodeChoice& choice, std::size_t rank) {
  const NodeChoice::BoundTo& bound = choice.bound[rank];
  const NodeType& type = placer.type();
  const std::uint32_t per_socket = type.cores_per_socket;
  const std::uint32_t socket = bound.by_socket ? bound.socket : bound.first / per_socket;
  const std::uint32_t first = bound.by_socket ? bound.first : bound.first % per_socket;
  if (socket >= type.sockets || first + bound.cores > per_socket || !placer.place_on(socket, bound.cores))
    throw InputError(
        "{}: rank {} is bound to {} core{} from core {} of socket {}, but a node of '{}' has {} sockets of {} "
        "cores, and each core runs one rank (a rank stays in one socket). Bind it elsewhere?",
        choice.where(rank), rank, bound.cores, bound.cores == 1 ? "" : "s", first, socket, type.name, type.sockets,
        per_socket);
}

/// Those of a node take its sockets and cores in their order, as ranks that are spread do.
Layout layout_of_ranks(const Platform& platform, const LayoutRow::Spread& spread, const std::string& where) {
  const std::vector<NodeId> nodes = nodes_of_ranks(platform, spread);
  require_ranks_below_max(nodes.size(), where);
  std::map<NodeId, std::vector<std::size_t>> ranks_of;
  for (std::size_t rank = 0; rank < nodes.size(); ++rank) ranks_of[nodes[rank]].push_back(rank);
  std::vector<std::size_t> order;
  Placer placer(platform);
  for (const auto& [node, ranks] : ranks_of) {
    placer.begin_node(node);
    const NodeType& type = placer.type();
    require_cores(type, spread.cores, option_or(where, "--cores"));
    for (const std::size_t rank : ranks) {
      order.push_back(rank);
      if (!spread.nodes.bound.empty() && spread.nodes.bound[rank].cores > 0) {
        place_bound(placer, spread.nodes, rank);
        continue;
      }
      if (!(spread.alternate ? placer.place_in_turn(spread.cores) : placer.place(spread.cores)))
        throw InputError(
            "{}: rank {} is one too many for node {} ({} sockets of {} cores; a rank takes {}). Put it "
            "elsewhere, or state 'per-node: {}' so that ranks share cores?",
            spread.nodes.where(rank), rank, index(node), type.sockets, type.cores_per_socket, spread.cores,
            ranks.size());
    }
  }
  Layout by_node = placer.finish(fmt::format("{} ranks", nodes.size())), layout = by_node;
  for (std::size_t i = 0; i < order.size(); ++i) layout.placements[order[i]] = by_node.placements[i];
  return layout;
}

}  // namespace

std::string LayoutRow::Spread::name() const {
  if (ranks > 0) return fmt::format("{} ranks", ranks);
  if (nodes.of_ranks) return fmt::format("{} ranks", nodes.listed.size() + nodes.named.size());
  if (gpus == 0) return "all cores";
  return fmt::format("{} GPU ranks{} to a node", gpus * per_gpu,
                     per_node > 0 ? fmt::format(" and {} others", per_node) : "");
}

Layout spread_layout(const Platform& platform, const LayoutRow::Spread& stated, const std::string& where) {
  if (stated.nodes.of_ranks) return layout_of_ranks(platform, stated, where);
  require_gpus(platform, stated.gpus, where);
  const std::vector<NodeId> chosen = nodes_of_job(platform, stated, where);
  const LayoutRow::Spread spread = evenly_spread(platform, stated, chosen, where);
  const std::vector<NodeId> nodes = nodes_filled(platform, spread, chosen, where);
  std::uint64_t wanted = spread.ranks;
  for (std::size_t i = 0; spread.ranks == 0 && i < nodes.size(); ++i)
    wanted += share_of(platform.node_types[platform.type_of(nodes[i])], spread).ranks();
  require_ranks_below_max(wanted, where);
  const std::uint32_t cores = spread.cores;
  const auto in_order =
      spread.round_robin ? ranks_of_nodes(platform, spread, nodes, wanted) : std::vector<std::uint32_t>{};
  Placer placer(platform);
  std::uint32_t placed = 0;
  for (std::size_t i = 0; i < nodes.size() && (spread.ranks == 0 || placed < wanted); ++i) {
    placer.begin_node(nodes[i]);
    const NodeType& type = placer.type();
    require_cores(type, cores, option_or(where, "--cores"));
    NodeShare here = share_of(type, spread);
    const auto left = static_cast<std::uint32_t>(wanted) - placed;
    here.on_cores = spread.round_robin ? in_order[i] : std::min(here.on_cores, left);
    here.on_gpus = std::min(here.on_gpus, left - here.on_cores);
    for (std::uint32_t k = 0; k < here.on_gpus; ++k) placer.take_core_for_gpu();
    for (std::uint32_t k = 0; k < here.on_cores; ++k)
      if (!(spread.alternate ? placer.place_in_turn(cores) : placer.place(cores))) placer.share(cores);
    for (std::uint32_t k = 0; k < here.on_gpus; ++k) placer.add_gpu(k / spread.per_gpu);
    placed += here.on_cores + here.on_gpus;
  }
  require_placed(platform, spread, nodes, placed, where);
  Layout layout = placer.finish(fmt::format("{} ranks", placed));
  return spread.round_robin ? in_turn(std::move(layout)) : layout;
}

const LayoutRow& LayoutTable::row(const std::string& wanted, const std::string& where) const {
  const auto found = std::ranges::find(rows, wanted, &LayoutRow::name);
  if (found != rows.end()) return *found;
  std::vector<std::string> known;
  for (const auto& row : rows) known.push_back(row.name);
  throw InputError("{}: layout '{}' has no row '{}'{}", where, name, wanted, known_names(wanted, known));
}

}  // namespace orrery
