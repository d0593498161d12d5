/// GPUs by rails: what is for a GPU of another node is first handed to the GPU of my own node on that GPU's rail, which
/// sends all that its node has for it in one message. No message leaves its rail.
///
///   s GPUs in each of N nodes: messages p (p / s - 1) between nodes and p (s - 1) within (p = s N)
///   volume: blocks that change both node and rail travel twice
///
/// Source   NCCL 2.12 (PXN); Doubling all2all performance with NCCL 2.12, NVIDIA technical blog, 2022
/// Differs  NCCL hands over chunk by chunk; here all blocks for a rail are handed over before any is sent on
#include "kernels/collectives/gpu.hpp"
#include "kernels/collectives/gpu_nvls.hpp"

namespace orrery::collectives {

namespace {

/// Blocks of one member for one rail of all nodes but its own, and, on its own node, for the member there.
Data for_rail(const Task& task, Member from, std::uint32_t rail) {
  std::uint64_t elements = 0;
  for (std::uint32_t node = 0; node < node_count(task); ++node)
    elements += task.pairs(from, task.nodes.member(node, rail));
  return {
      .elements = elements, .a = from, .b = rail, .context = &task, .list = [](const Data& data, Data::Parts& parts) {
        const Task& its = *static_cast<const Task*>(data.context);
        for (std::uint32_t node = 0; node < node_count(its); ++node)
          parts.emplace_back(data.a * its.ranks + its.nodes.member(node, static_cast<std::uint32_t>(data.b)), 1);
      }};
}

/// What all GPUs of a node have for one member.
Data from_node(const Task& task, std::uint32_t node, Member to) {
  std::uint64_t elements = 0;
  for (std::uint32_t i = 0; i < task.nodes.size(node); ++i) elements += task.pairs(task.nodes.member(node, i), to);
  return {.elements = elements, .a = node, .b = to, .context = &task, .list = [](const Data& data, Data::Parts& parts) {
            const Task& its = *static_cast<const Task*>(data.context);
            const auto of = static_cast<std::uint32_t>(data.a);
            for (std::uint32_t i = 0; i < its.nodes.size(of); ++i)
              parts.emplace_back(std::uint64_t{its.nodes.member(of, i)} * its.ranks + data.b, 1);
          }};
}

Generator<Action> actions(const Task& task) {
  const std::uint32_t node = task.nodes.node(task.me), rail = local_number(task, task.me);
  std::uint32_t request = 0;
  for (std::uint32_t i = 1; i < task.nodes.size(node); ++i) {
    const std::uint32_t other = (rail + i) % task.nodes.size(node);
    const Member peer = task.nodes.member(node, other);
    co_yield start_receive(request++, peer, for_rail(task, peer, rail));
    co_yield start_send(request++, peer, for_rail(task, task.me, other));
  }
  co_yield wait_all();
  request = 0;
  for (std::uint32_t i = 1; i < node_count(task); ++i) {
    const std::uint32_t other = (node + i) % node_count(task);
    const Member peer = task.nodes.member(other, rail);
    co_yield start_receive(request++, peer, from_node(task, other, task.me));
    co_yield start_send(request++, peer, from_node(task, node, peer));
  }
  co_yield wait_all();
}

std::string_view instead(const Task& task) {
  const std::string_view direct = task.operation == Operation::alltoall ? "basic_linear" : "ompi_basic_linear";
  return switches_can(task) && node_count(task) > 1 ? "" : direct;
}

Cost cost(const Task& task) {
  const double p = task.ranks, nodes = node_count(task);
  return {p * (p / nodes - 1.0) + p * (nodes - 1.0), no_formula, 2.0};
}

const bool entered = enter({Operation::alltoall, Operation::alltoallv},
                           {.name = "nccl_pxn",
                            .summary = "GPUs: over the switch to the rail of the receiver, then along it",
                            .source = "NCCL 2.12 PXN; one node, or unlike nodes: all posted at once",
                            .actions = actions,
                            .cost = cost,
                            .instead = instead,
                            .protocol = GpuProtocol::simple,
                            .launch = Seconds{8.4e-6}});

}  // namespace

}  // namespace orrery::collectives
