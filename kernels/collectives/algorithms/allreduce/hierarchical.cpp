/// By rails: a reduce-scatter within each node, an allreduce of the resulting shares in a ring along each rail, an
/// allgather within each node.
///
///   s members on each of N nodes, p = s N: messages 2 p (s - 1) + 2 p (N - 1)     volume 2 (p - 1) m
///   longest chain 2 (s - 1) + 2 (N - 1)
///
/// A node's adapters carry 2 (N - 1) / N m each way, as in a ring over all, and its fabric 2 (s - 1) / s m a member.
#include "kernels/collectives/gpu_nvls.hpp"

namespace orrery::collectives::hierarchical_allreduce {

namespace {

Generator<Action> actions(const Task& task) {
  const std::uint32_t node = task.nodes.node(task.me), size = task.nodes.size(node), nodes = node_count(task);
  const std::uint32_t number = local_number(task, task.me);
  const Shares shares = Shares::balanced(size, task.elements());
  const Shares cut = Shares::balanced(nodes, shares.size(number));
  const auto mate = [&](std::uint32_t i) { return task.nodes.member(node, i % size); };
  const auto piece = [&](std::uint32_t i) {
    return run(shares.begin(number) + cut.begin(i % nodes), cut.size(i % nodes));
  };
  for (std::uint32_t i = 1; i < size; ++i) {
    const Data mine_now = share(shares, number);
    co_yield exchange(mate(number + i), share(shares, (number + i) % size), mate(number + size - i), mine_now, scratch);
    co_yield combine(mine_now);
  }
  const Member next = task.nodes.member((node + 1) % nodes, number);
  const Member previous = task.nodes.member((node + nodes - 1) % nodes, number);
  for (std::uint32_t i = 1; i < nodes; ++i) {
    const Data in = piece(node + 2 * nodes - i - 1);
    co_yield exchange(next, piece(node + nodes - i), previous, in, scratch);
    co_yield combine(in);
  }
  for (std::uint32_t i = 0; i + 1 < nodes; ++i)
    co_yield exchange(next, piece(node + nodes - i), previous, piece(node + 2 * nodes - i - 1));
  for (std::uint32_t i = 1; i < size; ++i)
    co_yield exchange(mate(number + i), share(shares, number), mate(number + size - i),
                      share(shares, (number + size - i) % size));
}

std::string_view instead(const Task& task) { return switches_can(task) && node_count(task) > 1 ? "" : "nccl_ring"; }

Cost cost(const Task& task) {
  const double p = task.ranks, nodes = node_count(task), steps = 2.0 * (p / nodes - 1.0) + 2.0 * (nodes - 1.0);
  return {p * steps, 2.0 * (p - 1.0) * static_cast<double>(task.elements()), steps};
}

const bool entered = enter({Operation::allreduce},
                           {.name = "hierarchical",
                            .summary = "reduce-scatter in nodes, rings along rails, allgather in nodes",
                            .source = "Thakur, Rabenseifner & Gropp, IJHPCA 19(1), 2005, in two levels; unlike nodes, "
                                      "or one: nccl_ring",
                            .actions = actions,
                            .cost = cost,
                            .instead = instead,
                            .protocol = GpuProtocol::simple,
                            .launch = Seconds{8.4e-6}});

}  // namespace

}  // namespace orrery::collectives::hierarchical_allreduce
