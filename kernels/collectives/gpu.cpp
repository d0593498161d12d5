#include "kernels/collectives/gpu.hpp"

#include <algorithm>
#include <bit>

namespace orrery::collectives {

namespace {

constexpr double tree_chunks_max = 512.0, nvls_chunks_max = 1024.0;
/// A step of NCCL's buffers; of LL128 the 15/16 that are no flags.
constexpr Bytes slot_simple = 512_KiB, slot_ll = 32_KiB, slot_ll128{576000.0};

std::uint32_t least_node(const Task& task) {
  std::uint32_t least = task.ranks;
  for (std::uint32_t node = 0; node < node_count(task); ++node) least = std::min(least, task.nodes.size(node));
  return least;
}

std::uint32_t greatest_node(const Task& task) {
  std::uint32_t greatest = 1;
  for (std::uint32_t node = 0; node < node_count(task); ++node) greatest = std::max(greatest, task.nodes.size(node));
  return greatest;
}

double log2_nodes(const Task& task) { return std::bit_width(node_count(task)) - 1.0; }

std::uint64_t elements_of_chunk(const Task& task, Bytes chunk) {
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(chunk / task.element));
}

/// Thread blocks that share a channel: none where channels go over adapters.
double copies_of(const Task& task) {
  const std::uint32_t channels = 2 * heads(task);
  return node_count(task) > 1 ? 1.0 : static_cast<double>(std::max(thread_blocks, channels)) / channels;
}

/// The longest chunk of switches joined by trees. A network's plugin that tells NCCL a latency (aws-ofi-nccl) sets
/// NCCL_NVLSTREE_MAX_CHUNKSIZE too.
Bytes switch_chunk(const Task& task) {
  const GpuParameters* const gpus = task.nodes.gpus();
  if (gpus != nullptr && gpus->reckoned_hop != HopLatency{}) return 512_KiB;
  return node_count(task) >= 4 ? 64_KiB : 128_KiB;
}

/// Whether each two GPUs of a node have a cable of their own, and all nodes as many GPUs.
bool pairwise(const Task& task) {
  const GpuParameters* const gpus = task.nodes.gpus();
  return gpus != nullptr && gpus->pairwise && rails(task) > 1 && least_node(task) == greatest_node(task);
}

/// Whether the links between the GPUs of each node make rings, and all nodes have as many GPUs.
bool over_mesh(const Task& task) {
  if (task.nodes.gpus() == nullptr || least_node(task) != greatest_node(task)) return false;
  for (std::uint32_t node = 0; node < node_count(task); ++node)
    if (task.nodes.rings(node).empty()) return false;
  return true;
}

/// The GPUs of a node in the order of ring `channel`, from place `begin` of that ring on.
std::vector<std::uint32_t> turned(const GpuRing& ring, std::uint32_t begin) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < ring.size(); ++i) order.push_back(ring[(begin + i) % ring.size()]);
  return order;
}

/// Of several nodes all channels take the ring over most links, every second one backwards where the GPUs are even in
/// number. Each node is entered at the GPU where the one before was left.
std::vector<std::uint32_t> way_over_mesh(const Task& task, std::uint32_t node, std::uint32_t channel) {
  const auto rings = task.nodes.rings(node);
  const auto size = static_cast<std::uint32_t>(rings.front().size());
  const bool backwards = size % 2 == 0 && channel % 2 == 1;  // ring 1 is ring 0 backwards
  const std::uint32_t place = backwards ? size - 1 - channel % size : channel % size;
  return turned(rings[backwards ? 1 : 0], (place + size - node % size) % size);
}

/// The `place`th of `count` on a zigzag from `first`: first, first + 1, first - 1, first + 2, ...; or mirrored.
std::uint32_t zigzag(std::uint32_t count, std::uint32_t first, std::uint32_t place, bool mirrored = false) {
  const std::uint32_t step = (place + 1) / 2 % count;
  return (place % 2 == 1) != mirrored ? (first + step) % count : (first + count - step) % count;
}

/// Numbers of the GPUs of a node in the order of ring `channel` of the only node.
std::vector<std::uint32_t> cycle(std::uint32_t size, std::uint32_t channel) {
  const std::uint32_t others = size - 1, different = size % 2 == 1 ? others / 2 : others;
  std::vector<std::uint32_t> order{others};
  for (std::uint32_t place = 0; place < others; ++place)
    order.push_back(zigzag(others, channel / 2 % different, place));
  if (channel % 2 == 1) std::ranges::reverse(order);
  return order;
}

/// The same for node `node` of several.
std::vector<std::uint32_t> way_through(const Task& task, std::uint32_t node, std::uint32_t channel) {
  if (over_mesh(task)) return way_over_mesh(task, node, channel);
  const std::uint32_t size = task.nodes.size(node);
  const bool zigzags = pairwise(task) && size % 2 == 0;
  const std::uint32_t begin =
      zigzags ? (channel + node % 2 * (size / 2)) % size : (channel + size - node % size) % size;
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < size; ++i) order.push_back(zigzags ? zigzag(size, begin, i) : (begin + i) % size);
  return order;
}

NodeTree tree_of(std::uint32_t count, std::uint32_t node, bool complement) {
  return complement ? complementary_tree(count, node) : alternating_tree(count, node);
}

}  // namespace

std::uint32_t rails(const Task& task) { return std::max(1u, least_node(task)); }

std::uint32_t heads(const Task& task) {
  const GpuParameters* const gpus = task.nodes.gpus();
  if (node_count(task) < 2 || gpus == nullptr || gpus->rails == 0) return rails(task);
  return std::min(rails(task), gpus->rails);
}

std::uint32_t rings(const Task& task) {
  const std::uint32_t size = rails(task);
  if (node_count(task) == 1 && over_mesh(task)) return static_cast<std::uint32_t>(task.nodes.rings(0).size());
  if (!pairwise(task) || node_count(task) > 1) return size;
  return size % 2 == 1 ? size - 1 : 2 * (size - 1);
}

std::uint32_t local_number(const Task& task, Member member) {
  const std::uint32_t node = task.nodes.node(member);
  std::uint32_t number = 0;
  while (task.nodes.member(node, number) != member) ++number;
  return number;
}

Ring::Ring(const Task& task, std::uint32_t channel) : position_(task.ranks) {
  order_.reserve(task.ranks);
  const bool alone = node_count(task) == 1, zigzags = alone && pairwise(task);
  for (std::uint32_t node = 0; node < node_count(task); ++node) {
    const auto rings = alone && over_mesh(task) ? task.nodes.rings(node) : std::span<const GpuRing>();
    const auto order = !rings.empty() ? rings[channel % rings.size()]
                       : zigzags      ? cycle(task.ranks, channel)
                                      : way_through(task, node, channel);
    for (const std::uint32_t number : order) order_.push_back(task.nodes.member(node, number));
  }
  for (std::uint32_t i = 0; i < order_.size(); ++i) position_[order_[i]] = i;
}

NodeTree alternating_tree(std::uint32_t count, std::uint32_t node) {
  NodeTree tree;
  if (node == 0) {
    if (count > 1) tree.children.push_back(std::bit_floor(count - 1));
    return tree;
  }
  const std::uint32_t bit = node & (~node + 1);
  tree.parent = (node ^ bit) | (bit << 1);
  if (tree.parent >= count) tree.parent = node ^ bit;
  if (bit == 1) return tree;
  tree.children.push_back(node - bit / 2);
  for (std::uint32_t step = bit / 2; step > 0; step /= 2)
    if (node + step < count) {
      tree.children.push_back(node + step);
      break;
    }
  return tree;
}

NodeTree complementary_tree(std::uint32_t count, std::uint32_t node) {
  const bool mirrors = count % 2 == 0;
  const auto here = [&](std::uint32_t there) { return mirrors ? count - 1 - there : (there + 1) % count; };
  NodeTree tree = alternating_tree(count, mirrors ? count - 1 - node : (node + count - 1) % count);
  if (tree.parent != NodeTree::none) tree.parent = here(tree.parent);
  for (std::uint32_t& child : tree.children) child = here(child);
  return tree;
}

Branch branch_of(const Task& task, std::uint32_t channel) {
  const std::uint32_t node = task.nodes.node(task.me), size = task.nodes.size(node), all = heads(task);
  const auto head = [&](std::uint32_t of) { return channel / 2 * task.nodes.size(of) / all; };
  const bool zigzags = pairwise(task), meshed = over_mesh(task);
  const auto on_chain = [&](std::uint32_t of, std::uint32_t at) {
    const std::uint32_t there = task.nodes.size(of);
    if (meshed) {
      const auto rings = task.nodes.rings(of);
      const GpuRing& ring = rings[channel % rings.size()];
      const auto from = static_cast<std::uint32_t>(std::ranges::find(ring, head(of)) - ring.begin());
      return task.nodes.member(of, ring[(from + at) % there]);
    }
    return task.nodes.member(of, zigzags ? zigzag(there, head(of), at, channel % 2 == 1) : (head(of) + at) % there);
  };
  std::uint32_t place = 0;  // 0: the head
  while (on_chain(node, place) != task.me) ++place;
  Branch branch;
  if (place + 1 < size) branch.children.push_back(on_chain(node, place + 1));
  if (place > 0) {
    branch.is_root = false;
    branch.parent = on_chain(node, place - 1);
    return branch;
  }
  const NodeTree tree = tree_of(node_count(task), node, channel % 2 == 1);
  for (const std::uint32_t child : tree.children) branch.children.push_back(on_chain(child, 0));
  branch.is_root = tree.parent == NodeTree::none;
  if (!branch.is_root) branch.parent = on_chain(tree.parent, 0);
  return branch;
}

Branch rail_branch_of(const Task& task, std::uint32_t channel) {
  const std::uint32_t node = task.nodes.node(task.me), rail = channel / 2;
  const NodeTree tree = tree_of(node_count(task), node, channel % 2 == 1);
  Branch branch;
  for (const std::uint32_t child : tree.children) branch.children.push_back(task.nodes.member(child, rail));
  branch.is_root = tree.parent == NodeTree::none;
  if (!branch.is_root) branch.parent = task.nodes.member(tree.parent, rail);
  return branch;
}

Bytes worth_of_block(GpuProtocol protocol) {
  if (protocol == GpuProtocol::simple) return 32_KiB;
  return protocol == GpuProtocol::ll ? 4_KiB : 5_KiB;
}

std::uint32_t tree_channels(const Task& task, GpuProtocol protocol) {
  const double blocks =
      static_cast<double>(task.elements()) * task.element / (copies_of(task) * worth_of_block(protocol));
  return static_cast<std::uint32_t>(std::clamp(blocks, 1.0, 2.0 * heads(task)));
}

std::uint64_t tree_chunk(const Task& task, GpuProtocol protocol, std::uint32_t channels) {
  if (task.segment > 0) return task.segment;
  const double copies = copies_of(task);
  const double total = (static_cast<double>(task.elements()) * task.element).si(), blocks = copies * channels;
  const double depth = greatest_node(task) - 1.0 + log2_nodes(task);
  const double longest = total / channels / tree_chunks_max / copies;
  if (protocol == GpuProtocol::ll) return elements_of_chunk(task, copies * Bytes{std::max(slot_ll.si(), longest)});
  double chunk = (protocol == GpuProtocol::ll128 ? slot_ll128 : slot_simple).si();
  const auto halve = [&](double in_flight, double least) {
    while (total / (blocks * chunk) < in_flight && chunk > least) chunk /= 2.0;
  };
  if (protocol == GpuProtocol::ll128) {
    const double size = greatest_node(task), steps = 1.0 + log2_nodes(task) + 0.1 * size;
    halve(64.0 * steps / size, 131072.0);
    halve(16.0 * steps / size, 32768.0);
  } else {
    halve(8.0 * depth, 131072.0);
    halve(4.0 * depth, 65536.0);
    halve(depth, 32768.0);
  }
  return elements_of_chunk(task, copies * Bytes{std::max(chunk, longest)});
}

std::uint64_t ring_chunk(const Task& task, GpuProtocol protocol, std::uint32_t channels) {
  if (task.segment > 0) return task.segment;
  const double total = (static_cast<double>(task.elements()) * task.element).si();
  const Bytes slot = protocol == GpuProtocol::ll ? slot_ll : slot_simple;
  const double copies = static_cast<double>(std::max(thread_blocks, channels)) / channels;
  return elements_of_chunk(task, Bytes{std::max(copies * slot.si(), total / channels / tree_chunks_max)});
}

std::uint64_t nvls_chunk(const Task& task, std::uint32_t heads) {
  if (task.segment > 0) return task.segment;
  const double total = (static_cast<double>(task.elements()) * task.element).si();
  const double beside = static_cast<double>(thread_blocks) * heads;
  double chunk = 131072.0;
  if (node_count(task) > 1) {
    chunk = switch_chunk(task).si();
    for (const auto& [in_flight, longest] :
         {std::pair{32.0, 262144.0}, {16.0, 131072.0}, {4.0, 65536.0}, {1.0, 32768.0}})
      if (total < in_flight * beside * chunk) chunk = std::min(chunk, longest);
    return elements_of_chunk(task, Bytes{std::max(chunk, total / heads / nvls_chunks_max)});
  }
  if (total < 64.0 * beside * chunk) chunk = 65536.0;
  if (total < 8.0 * beside * chunk) chunk = 32768.0;
  if (total < 2.0 * beside * chunk) chunk = 16384.0;
  return elements_of_chunk(task, Bytes{std::max(chunk, total / heads / nvls_chunks_max)});
}

std::vector<std::uint32_t> SendWindow::open() const {
  std::vector<std::uint32_t> requests;
  for (std::uint32_t i = sent_ - std::min(sent_, width_); i < sent_; ++i) requests.push_back(first_ + i % width_);
  return requests;
}

bool enter_in_protocols(const std::vector<Operation>& of, const Algorithm& algorithm, const InProtocols& lanes,
                        const HopLatency& launch, const Costs& costs) {
  const auto entered = [&](const char* suffix, const char* words, GpuProtocol protocol, Lanes of_protocol) {
    Algorithm one = algorithm;
    one.name += suffix;
    one.summary += words;
    one.protocol = protocol;
    one.lanes = of_protocol;
    one.launch = orrery::of(launch, protocol);
    if (const auto cost = costs[static_cast<std::size_t>(protocol) - 1]) one.cost = cost;
    return enter(of, one);
  };
  return entered("", "; protocol Simple", GpuProtocol::simple, lanes.simple) &&
         entered("_ll", "; protocol LL", GpuProtocol::ll, lanes.ll) &&
         entered("_ll128", "; protocol LL128", GpuProtocol::ll128, lanes.ll128);
}

}  // namespace orrery::collectives
