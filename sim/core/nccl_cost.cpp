#include "sim/core/nccl_cost.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace orrery {

namespace {

constexpr BytesPerSecond no_limit{std::numeric_limits<double>::infinity()};
constexpr HopLatency ring_launch{Seconds{6.6e-6}, Seconds{14e-6}, Seconds{8.4e-6}};
constexpr HopLatency tree_launch{Seconds{6.8e-6}, Seconds{14e-6}, Seconds{8.4e-6}};
constexpr Seconds switch_launch{23e-6};
constexpr BytesPerSecond ll_limit_of_two{39e9}, ll_limit_of_more{20.4e9};  // llMaxBws with Intel's processors
constexpr double tree_share = 0.92, plateau = 1.4;

/// By log2 of the message over 64 B: NCCL's treeCorrectionFactor, in tenths.
constexpr std::array<std::array<std::uint8_t, 24>, gpu_protocols> correction_tenths{{
    {10, 10, 10, 10, 9, 8, 7, 7, 7, 7, 6, 5, 4, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 10},
    {10, 10, 10, 10, 10, 9, 8, 8, 8, 7, 6, 6, 6, 6, 6, 6, 8, 9, 9, 9, 9, 10, 10, 10},
    {9, 9, 9, 9, 9, 9, 9, 8, 7, 6, 6, 5, 5, 5, 5, 6, 7, 8, 7, 7, 8, 9, 9, 9},
}};

double correction(GpuProtocol protocol, Bytes bytes) {
  const auto lines = static_cast<std::uint64_t>(bytes.si() / 64.0);
  const auto& row = correction_tenths[static_cast<std::size_t>(protocol) - 1];
  const std::size_t log = lines == 0 ? 0 : static_cast<std::size_t>(std::bit_width(lines)) - 1;
  return log < row.size() ? row[log] / 10.0 : 1.0;
}

double log2_of(std::uint32_t nodes) { return std::bit_width(nodes) - 1.0; }

/// What leaves the busiest node of a double binary tree for each byte of the vector.
double out_of_node(std::uint32_t nodes) {
  if (nodes < 3) return 1.0;
  return nodes == 3 ? 1.5 : 2.0;
}

BytesPerSecond adapters_of(const NcclCall& call, const GpuParameters& gpus) {
  return call.nodes > 1 ? gpus.adapters : no_limit;
}

BytesPerSecond within_ll_limit(BytesPerSecond bus, const NcclCall& call, GpuProtocol protocol,
                               const GpuParameters& gpus) {
  if (protocol != GpuProtocol::ll || call.nodes < 2) return bus;
  const BytesPerSecond of_two = gpus.ll_limit == BytesPerSecond{} ? ll_limit_of_two : gpus.ll_limit;
  return std::min({bus, of_two, call.nodes > 2 ? ll_limit_of_more : no_limit});
}

/// All links of a GPU to others of its node.
BytesPerSecond links_of(const NcclCall& call, const GpuParameters& gpus) {
  const double of_node = static_cast<double>(call.ranks) / call.nodes;
  return gpus.pairwise && of_node > 2.0 ? (of_node - 1.0) * gpus.link : gpus.link;
}

/// Of what a ring carries a GPU's link has all but what leaves the node beside it.
BytesPerSecond links_of_ring(const NcclCall& call, const GpuParameters& gpus) {
  if (call.nodes < 2) return links_of(call, gpus);
  const double of_node = static_cast<double>(call.ranks) / call.nodes;
  return of_node > 1.0 ? of_node / (of_node - 1.0) * links_of(call, gpus) : no_limit;
}

NcclCost ring(const NcclCall& call, GpuProtocol protocol, const GpuParameters& gpus) {
  const bool twice = call.operation == Operation::allreduce;
  const double steps = (twice ? 2.0 : 1.0) * (call.ranks - 1.0);
  const double outside = twice ? (call.nodes > 1 ? 2.0 * call.nodes : 0.0) : call.nodes - 1.0;
  Seconds hops = (steps - outside) * of(gpus.hop, protocol) + outside * of(gpus.network_hop, protocol);
  if (twice && call.nodes > 1 && protocol == GpuProtocol::simple) hops = plateau * hops;
  const BytesPerSecond bus = 1.0 / flagged(protocol) * std::min(links_of_ring(call, gpus), adapters_of(call, gpus));
  return {of(ring_launch, protocol) + hops, call.ranks / steps * within_ll_limit(bus, call, protocol, gpus)};
}

/// To or from a root: all of it passes each GPU once, and as many hops.
NcclCost chain(const NcclCall& call, GpuProtocol protocol, const GpuParameters& gpus) {
  const Seconds hops = (call.ranks - call.nodes) * of(gpus.hop, protocol) +
                       (call.nodes > 1 ? call.nodes : 1.0) * of(call.nodes > 1 ? gpus.network_hop : gpus.hop, protocol);
  const BytesPerSecond bus = 1.0 / flagged(protocol) * std::min(links_of(call, gpus), adapters_of(call, gpus));
  return {of(ring_launch, protocol) + hops, within_ll_limit(bus, call, protocol, gpus)};
}

NcclCost tree(const NcclCall& call, GpuProtocol protocol, const GpuParameters& gpus) {
  const double of_node = static_cast<double>(call.ranks) / call.nodes;
  const Seconds hops =
      2.0 * ((of_node - 1.0) * of(gpus.hop, protocol) + log2_of(call.nodes) * of(gpus.network_hop, protocol));
  double share = 1.0;
  if (protocol == GpuProtocol::ll) share /= 3.8;
  if (protocol == GpuProtocol::ll128) share *= call.nodes == 1 ? 7.0 / 9.0 : 120.0 / 128.0;
  const BytesPerSecond limit =
      std::min(tree_share / 2.0 * links_of(call, gpus), 1.0 / out_of_node(call.nodes) * adapters_of(call, gpus));
  const BytesPerSecond bus = within_ll_limit(2.0 * share * limit, call, protocol, gpus);
  return {of(tree_launch, protocol) + hops, correction(protocol, call.bytes) / 2.0 * bus};
}

NcclCost by_switch(const NcclCall& call, const GpuParameters& gpus) {
  const double of_node = static_cast<double>(call.ranks) / call.nodes;
  const Seconds trees = 2.0 * log2_of(call.nodes) * of(gpus.network_hop, GpuProtocol::simple);
  return {
      switch_launch + 2.0 * gpus.in_switch_latency + trees,
      std::min(of_node / (of_node + 1.0) * gpus.in_switch, 1.0 / out_of_node(call.nodes) * adapters_of(call, gpus))};
}

struct Named {
  std::string_view name;
  NcclAlgorithm algorithm;
  GpuProtocol protocol;
};
constexpr std::array named{Named{"nccl_ring_ll", NcclAlgorithm::ring, GpuProtocol::ll},
                           Named{"nccl_ring_ll128", NcclAlgorithm::ring, GpuProtocol::ll128},
                           Named{"nccl_ring", NcclAlgorithm::ring, GpuProtocol::simple},
                           Named{"nccl_tree_ll", NcclAlgorithm::tree, GpuProtocol::ll},
                           Named{"nccl_tree_ll128", NcclAlgorithm::tree, GpuProtocol::ll128},
                           Named{"nccl_tree", NcclAlgorithm::tree, GpuProtocol::simple},
                           Named{"nccl_nvls", NcclAlgorithm::nvls, GpuProtocol::simple},
                           Named{"nccl_nvls_tree", NcclAlgorithm::nvls_tree, GpuProtocol::simple}};

NcclChoice choice_of(const Named& one, const NcclCall& call, const GpuParameters& gpus) {
  return {one.name, one.algorithm, one.protocol, nccl_cost(call, one.algorithm, one.protocol, gpus)};
}

/// As NCCL reckons: of switches joined by trees five sixths of what adapters carry too. It decides where rings begin,
/// of three nodes and more.
NcclCost reckoned(const NcclChoice& choice, const NcclCall& call, const GpuParameters& gpus) {
  NcclCost cost = choice.cost;
  if (choice.algorithm == NcclAlgorithm::nvls_tree && call.nodes > 2)
    cost.bandwidth = std::min(cost.bandwidth, 5.0 / 6.0 / out_of_node(call.nodes) * adapters_of(call, gpus));
  return cost;
}

}  // namespace

namespace {
bool rooted(Operation operation) { return operation == Operation::bcast || operation == Operation::reduce; }
}  // namespace

bool nccl_models(Operation operation) {
  return rooted(operation) || operation == Operation::allreduce || operation == Operation::allgather ||
         operation == Operation::allgatherv || operation == Operation::reduce_scatter;
}

NcclCost nccl_cost(const NcclCall& call, NcclAlgorithm algorithm, GpuProtocol protocol, const GpuParameters& gpus) {
  if (!nccl_models(call.operation) || call.ranks < 2) return {};
  if (!gpus.carried[static_cast<std::size_t>(protocol) - 1]) return {};
  if (algorithm == NcclAlgorithm::ring)
    return rooted(call.operation) ? chain(call, protocol, gpus) : ring(call, protocol, gpus);
  if (call.operation != Operation::allreduce) return {};
  if (algorithm == NcclAlgorithm::tree) return tree(call, protocol, gpus);
  const bool several = call.nodes > 1, alone = call.ranks < 2 * call.nodes || call.ranks % call.nodes != 0;
  if (gpus.in_switch == BytesPerSecond{} || alone || several != (algorithm == NcclAlgorithm::nvls_tree)) return {};
  return by_switch(call, gpus);
}

NcclChoice nccl_choice(const NcclCall& call, const GpuParameters& gpus, std::optional<NcclAlgorithm> only) {
  GpuParameters believed = gpus;
  if (gpus.reckoned_hop != HopLatency{}) believed.network_hop = gpus.reckoned_hop;
  NcclChoice best;
  for (const Named& one : named) {
    if (only && one.algorithm != *only) continue;
    NcclChoice choice = choice_of(one, call, believed);
    if (!choice.cost.possible()) continue;
    choice.cost = reckoned(choice, call, believed);
    if (!best.cost.possible() || choice.cost.time(call.bytes) < best.cost.time(call.bytes)) best = choice;
  }
  if (!best.name.empty()) best.cost = nccl_cost(call, best.algorithm, best.protocol, gpus);
  return best;
}

NcclChoice nccl_named(std::string_view name, const NcclCall& call, const GpuParameters& gpus) {
  for (const Named& one : named)
    if (one.name == name) return choice_of(one, call, gpus);
  return {};
}

}  // namespace orrery
