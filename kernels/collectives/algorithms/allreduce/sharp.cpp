/// In the switches of the network: a stream up a tree of switches, each of which combines its inputs and passes on one
/// stream, and at the same time a stream of the result down the same tree.
///
///   n nodes, vector of m bytes in c segments: 2 (n - 1) c messages, of which each link carries m bytes once each way
///   about 2 (L + l) + (1 + 1/c) m / B
///
///   L     s     latency of the longest route to the first member's node, which is the root of the tree
///   l     s     `aggregation: latency` of the network: what switches and adapters add, each way
///   B     B/s   the narrowest link of the tree, at most `aggregation: bandwidth`
///   c     1     min(32, m / 4 KiB), at least 1, or as the call says
///
/// `sharp`: members of a node first reduce to the lowest of them (binomial), which broadcasts the result.
/// `hierarchical_sharp`, between GPUs: a reduce-scatter in each node, a tree of switches for each rail, an allgather.
///
/// Source   Graham et al., Scalable Hierarchical Aggregation Protocol (SHArP), COMHPC 2016 (8 B on 128 hosts: 2.83 us for
///          6.01); Graham et al., SHARP streaming-aggregation hardware design and evaluation, ISC 2020 (95 % of the
///          network's bandwidth)
/// Valid    where the platform's network has `aggregation`; elsewhere the run is refused
/// Differs  the root is the first member's leaf, not the highest switch, so that up and down are a route more where that
///          is far; segments, not packets, follow each other; any number of operations go on at once;
///          GPUs are reached without staging, and models take the messages for plain ones
/// Checked  tests/contract/every_collective_test.cpp; tests/replay/aggregation_test.cpp
#include <algorithm>
#include <functional>

#include "kernels/collectives/gpu_nvls.hpp"
#include "kernels/collectives/pipeline.hpp"
#include "kernels/collectives/two_level.hpp"

namespace orrery::collectives::sharp_allreduce {

namespace {

/// Of some members of the group: the first of them is the root, `me` is which of them this is.
struct Stream {
  Segments segments;
  std::uint32_t members, me;
  std::function<Member(std::uint32_t)> member;
};

Segments cut(const Task& task, std::uint64_t begin, std::uint64_t elements) {
  constexpr double most = 32.0, least = 4096.0;
  const double segment = std::max(least, static_cast<double>(elements) * task.element.si() / most);
  return {begin, elements, task.segment_or(Bytes{segment})};
}

Generator<Action> not_first(Stream stream) {
  const std::uint32_t count = stream.segments.count();
  const Member root = stream.member(0);
  for (std::uint32_t k = 0; k < count; ++k) co_yield start_receive(k, root, stream.segments[k]);
  for (std::uint32_t k = 0; k < count; ++k)
    co_yield start_send(count + k, root, stream.segments[k]).by(InSwitch::reduce);
  co_yield wait_all();
}

/// What switches have combined comes to it from each member, as nothing is left to be done to it.
Generator<Action> first(Stream stream) {
  for (std::uint32_t k = 0; k < stream.segments.count(); ++k) {
    for (std::uint32_t from = 1; from < stream.members; ++from) {
      co_yield receive(stream.member(from), stream.segments[k], scratch);
      co_yield combine(stream.segments[k]).by(InSwitch::reduce);
    }
    for (std::uint32_t to = 1; to < stream.members; ++to)
      co_yield start_send(k * stream.members + to, stream.member(to), stream.segments[k]).by(InSwitch::multicast);
  }
  co_yield wait_all();
}

Generator<Action> streamed(Stream stream) {
  return stream.me == 0 ? first(std::move(stream)) : not_first(std::move(stream));
}

Generator<Action> by_leaders(const Task& task) {
  if (task.nodes.count(task.ranks) == task.ranks) {
    const Stream all{cut(task, 0, task.elements()), task.ranks, task.me, [](std::uint32_t i) { return i; }};
    co_yield elements_of(streamed(all));
    co_return;
  }
  co_yield elements_of(within_node(task, Operation::reduce, "binomial"));
  if (leads_node(task)) co_yield elements_of(among_leaders(task, Operation::allreduce, "sharp"));
  co_yield elements_of(within_node(task, Operation::bcast, "binomial_tree"));
}

Generator<Action> by_rails(const Task& task) {
  const std::uint32_t node = task.nodes.node(task.me), size = task.nodes.size(node);
  const std::uint32_t number = local_number(task, task.me);
  const Shares shares = Shares::balanced(size, task.elements());
  const auto mate = [&](std::uint32_t i) { return task.nodes.member(node, i % size); };
  for (std::uint32_t i = 1; i < size; ++i) {
    co_yield exchange(mate(number + i), share(shares, (number + i) % size), mate(number + size - i),
                      share(shares, number), scratch);
    co_yield combine(share(shares, number));
  }
  const Stream rail{cut(task, shares.begin(number), shares.size(number)), node_count(task), node,
                    [nodes = task.nodes, number](std::uint32_t i) { return nodes.member(i, number); }};
  co_yield elements_of(streamed(rail));
  for (std::uint32_t i = 1; i < size; ++i)
    co_yield exchange(mate(number + i), share(shares, number), mate(number + size - i),
                      share(shares, (number + size - i) % size));
}

std::string_view instead_of_rails(const Task& task) {
  return switches_can(task) && node_count(task) > 1 ? "" : "nccl_ring";
}

const bool entered =
    enter({Operation::allreduce}, {.name = "sharp",
                                   .summary = "in the switches of the network, where it has 'aggregation'",
                                   .source = "Graham et al., COMHPC 2016; ISC 2020",
                                   .actions = by_leaders});
const bool entered_rails =
    enter({Operation::allreduce},
          {.name = "hierarchical_sharp",
           .summary = "reduce-scatter in nodes, the network's switches along rails, allgather in nodes",
           .source = "Graham et al., ISC 2020, for each rail; unlike nodes, or one: nccl_ring",
           .actions = by_rails,
           .instead = instead_of_rails,
           .protocol = GpuProtocol::simple,
           .launch = Seconds{8.4e-6}});

}  // namespace

}  // namespace orrery::collectives::sharp_allreduce
