/// GPUs by rails: data for a GPU of another node first go to the GPU of the same node on that GPU's rail, which sends
/// all data of its node for that GPU in one message. No message leaves its rail.
///
/// Long vectors go in stages, one for each 4 MiB of a member, at most 8 and at most as many as nodes: while the blocks
/// for some nodes are on the network, those for the next ones are passed inside the node.
///
///   s GPUs in each of N nodes, g stages: messages p (p / s - 1) between nodes and p g (s - 1) within (p = s N)
///   volume: blocks that change both node and rail travel twice
///   longest chain g + 1 (g = N: g)
///
/// Source   NCCL 2.12 (PXN); Doubling all2all performance with NCCL 2.12, NVIDIA technical blog, 2022
/// Differs  NCCL hands over chunk by chunk
#include <algorithm>

#include "kernels/collectives/gpu.hpp"
#include "kernels/collectives/gpu_nvls.hpp"

namespace orrery::collectives::nccl_pxn_alltoall {

namespace {

constexpr std::uint32_t stages_max = 8;
constexpr Bytes of_stage = 4_MiB;

/// As member 0 has it: the same for all.
std::uint32_t stage_count(const Task& task) {
  std::uint64_t elements = 0;
  for (Member to = 0; to < task.ranks; ++to) elements += task.pairs(0, to);
  const double worth = static_cast<double>(elements) * task.element / of_stage;
  const std::uint32_t most = std::min(stages_max, node_count(task));
  return static_cast<std::uint32_t>(std::clamp(worth, 1.0, static_cast<double>(most)));
}

/// Nodes so far behind a member's own, from `first` up to `last`, which is not included. Its own comes last, behind
/// all.
struct Stage {
  std::uint32_t first, last;
};
Stage stage_of(const Task& task, std::uint32_t number, std::uint32_t count) {
  const Shares nodes = Shares::balanced(count, node_count(task));
  return {static_cast<std::uint32_t>(nodes.begin(number)) + 1, static_cast<std::uint32_t>(nodes.begin(number + 1)) + 1};
}

Member on_rail(const Task& task, Member from, std::uint64_t behind, std::uint64_t rail) {
  const auto node = static_cast<std::uint32_t>((task.nodes.node(from) + behind) % node_count(task));
  return task.nodes.member(node, static_cast<std::uint32_t>(rail));
}

/// Blocks of one member for one rail of a stage's nodes; on its own node for the member there.
Data for_rail(const Task& task, Member from, std::uint32_t rail, Stage stage) {
  std::uint64_t elements = 0;
  for (std::uint32_t i = stage.first; i < stage.last; ++i) elements += task.pairs(from, on_rail(task, from, i, rail));
  return {.elements = elements,
          .a = from,
          .b = rail,
          .c = std::uint64_t{stage.first} << 32 | stage.last,
          .context = &task,
          .list = [](const Data& data, Data::Parts& parts) {
            const Task& its = *static_cast<const Task*>(data.context);
            const auto of = static_cast<Member>(data.a);
            for (std::uint64_t i = data.c >> 32; i < (data.c & 0xffffffffu); ++i)
              parts.emplace_back(data.a * its.ranks + on_rail(its, of, i, data.b), 1);
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

/// Requests 2 (s - 1) number and following.
Generator<Action> hand_over(const Task& task, std::uint32_t number, Stage stage) {
  const std::uint32_t node = task.nodes.node(task.me), rail = local_number(task, task.me), size = task.nodes.size(node);
  std::uint32_t request = 2 * (size - 1) * number;
  for (std::uint32_t i = 1; i < size; ++i) {
    const std::uint32_t other = (rail + i) % size;
    const Member peer = task.nodes.member(node, other);
    co_yield start_receive(request++, peer, for_rail(task, peer, rail, stage));
    co_yield start_send(request++, peer, for_rail(task, task.me, other, stage));
  }
}

Generator<Action> actions(const Task& task) {
  const std::uint32_t node = task.nodes.node(task.me), rail = local_number(task, task.me), nodes = node_count(task);
  const std::uint32_t handed = 2 * (task.nodes.size(node) - 1), stages = stage_count(task);
  std::uint32_t request = handed * stages;
  co_yield elements_of(hand_over(task, 0, stage_of(task, 0, stages)));
  for (std::uint32_t number = 0; number < stages; ++number) {
    const Stage stage = stage_of(task, number, stages);
    for (std::uint32_t i = 0; i < handed; ++i) co_yield wait(handed * number + i);
    if (number + 1 < stages) co_yield elements_of(hand_over(task, number + 1, stage_of(task, number + 1, stages)));
    for (std::uint32_t i = stage.first; i < std::min(stage.last, nodes); ++i) {
      const std::uint32_t from = (node + nodes - i) % nodes;
      const Member to = task.nodes.member((node + i) % nodes, rail);
      co_yield start_receive(request++, task.nodes.member(from, rail), from_node(task, from, task.me));
      co_yield start_send(request++, to, from_node(task, node, to));
    }
  }
  co_yield wait_all();
}

std::string_view instead(const Task& task) {
  const std::string_view direct = task.operation == Operation::alltoall ? "basic_linear" : "ompi_basic_linear";
  return switches_can(task) && node_count(task) > 1 ? "" : direct;
}

Cost cost(const Task& task) {
  const double p = task.ranks, nodes = node_count(task), stages = stage_count(task);
  const double rounds = stages < nodes ? stages + 1.0 : stages;  // of as many stages as nodes the last stays inside
  return {stages * p * (p / nodes - 1.0) + p * (nodes - 1.0), no_formula, rounds};
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

}  // namespace orrery::collectives::nccl_pxn_alltoall
