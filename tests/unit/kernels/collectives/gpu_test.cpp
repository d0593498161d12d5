#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "kernels/collectives/collective.hpp"
#include "kernels/collectives/gpu_ring.hpp"
#include "kernels/collectives/selector.hpp"
#include "sim/core/error.hpp"

using namespace orrery;
using namespace orrery::collectives;
using namespace orrery::literals;

namespace {

Task task_of(std::uint32_t nodes, std::uint32_t size, Member me = 0) {
  return {.operation = Operation::allreduce,
          .ranks = nodes * size,
          .me = me,
          .shares = Shares::balanced(nodes * size, 1 << 20),
          .nodes = Nodes::blocks(nodes * size, size)};
}

/// Nodes that lead from one to the root.
std::uint32_t depth(std::uint32_t count, std::uint32_t node, NodeTree (*tree)(std::uint32_t, std::uint32_t)) {
  std::uint32_t steps = 0;
  for (; tree(count, node).parent != NodeTree::none && steps <= count; ++steps) node = tree(count, node).parent;
  return steps;
}

const GpuParameters hopper{.link = 366_GBps,
                           .adapters = 380_GBps,
                           .hop = {0.6_us, 1.9_us, 3.4_us},
                           .network_hop = {27_us, 30_us, 58_us},
                           .in_switch = 305_GBps,
                           .in_switch_latency = 12.5_us,
                           .staging = 340_GBps};

std::string_view chosen(Operation operation, Bytes size, std::uint32_t ranks, std::uint32_t nodes,
                        const GpuParameters* gpus = &hopper) {
  return selectors()
      .at("nccl", "test")
      .choose({.operation = operation,
               .ranks = ranks,
               .size = size,
               .elements = static_cast<std::uint64_t>(size.si()),
               .shared_nodes = nodes < ranks,
               .nodes = nodes,
               .gpus = gpus})
      .algorithm;
}

}  // namespace

TEST_SUITE("kernels/collectives") {
  TEST_CASE("Both trees of a double binary tree reach every node in logarithmic depth") {
    for (std::uint32_t count = 1; count <= 65; ++count)
      for (const auto tree : {alternating_tree, complementary_tree}) {
        std::uint32_t roots = 0, children = 0;
        for (std::uint32_t node = 0; node < count; ++node) {
          const NodeTree here = tree(count, node);
          roots += here.parent == NodeTree::none ? 1 : 0;
          children += static_cast<std::uint32_t>(here.children.size());
          CHECK(here.children.size() <= 2);
          for (const std::uint32_t child : here.children) CHECK(tree(count, child).parent == node);
          CHECK((1u << depth(count, node, tree)) <= 4 * count);
        }
        CHECK(roots == 1);
        CHECK(children == count - 1);
      }
  }

  TEST_CASE("Inner nodes of one tree are leaves of its complement wherever nodes are even in number") {
    for (std::uint32_t count = 2; count <= 64; count += 2)
      for (std::uint32_t node = 0; node < count; ++node) {
        const bool inner = alternating_tree(count, node).children.size() > 1;
        if (inner) CHECK(complementary_tree(count, node).children.empty());
      }
  }

  TEST_CASE("Rings of all rails leave a node by the rail on which they enter the next") {
    const Task task = task_of(4, 8);
    std::set<Member> leaving;
    for (std::uint32_t channel = 0; channel < rails(task); ++channel) {
      const Ring ring(task, channel);
      for (std::uint32_t node = 0; node + 1 < 4; ++node) {
        const Member last = ring.member(node * 8 + 7), first = ring.member(node * 8 + 8);
        CHECK(last / 8 == node);
        CHECK(first / 8 == node + 1);
        CHECK(last % 8 == first % 8);
      }
      leaving.insert(ring.member(7));
    }
    CHECK(leaving.size() == 8);  // each adapter of node 0 carries one
  }

  TEST_CASE("Rings and trees of GPUs that are joined pairwise load every cable alike") {
    GpuParameters joined = hopper;
    joined.pairwise = true;
    for (const std::uint32_t nodes : {1u, 2u, 4u})
      for (const std::uint32_t size : {2u, 3u, 4u, 5u, 6u, 8u}) {
        CAPTURE(nodes);
        CAPTURE(size);
        Task task = task_of(nodes, size);
        task.nodes = task.nodes.with_gpus(std::make_shared<const GpuParameters>(joined));
        std::map<std::pair<Member, Member>, int> in_rings, in_trees;
        for (std::uint32_t channel = 0; channel < rings(task); ++channel) {
          const Ring ring(task, channel);
          std::set<Member> passed;
          for (std::uint32_t i = 0; i < task.ranks; ++i) {
            const Member from = ring.member(i), to = ring.member(i + 1);
            passed.insert(from);
            if (from / size == to / size) ++in_rings[{from, to}];
            if (nodes > 1 && size % 2 == 0 && from / size + 1 == to / size) CHECK(from % size == to % size);
          }
          CHECK(passed.size() == task.ranks);
        }
        for (std::uint32_t channel = 0; channel < 2 * heads(task); ++channel)
          for (task.me = 0; task.me < task.ranks; ++task.me)
            for (const Member child : branch_of(task, channel).children)
              if (child / size == task.me / size) ++in_trees[{task.me, child}];
        const auto alike = [&](const auto& loads) {
          return loads.size() == nodes * size * (size - 1) &&
                 std::ranges::all_of(loads, [&](const auto& one) { return one.second == loads.begin()->second; });
        };
        CHECK((alike(in_rings) || (nodes > 1 && size % 2 == 1)));
        CHECK(alike(in_trees));
      }
  }

  TEST_CASE("Nodes that one switch spans are one node to collectives between GPUs") {
    Layout layout;
    for (std::uint32_t rank = 0; rank < 12; ++rank) layout.placements.push_back({.node = NodeId{3 + rank / 2}});
    const Group world = Group::world(12);
    CHECK(nodes_of(world, &layout).count(12) == 6);
    GpuParameters parameters = hopper;
    parameters.span = 3;
    parameters.first_node = 3;
    layout.gpus = std::make_shared<const GpuParameters>(parameters);
    const Nodes nodes = nodes_of(world, &layout);
    CHECK(nodes.count(12) == 2);
    CHECK(nodes.size(0) == 6);
    CHECK(nodes.node(5) != nodes.node(6));
  }

  TEST_CASE("A ring alone or a tree alone takes the protocol of least time") {
    const auto by = [](const char* name, Operation operation, Bytes size, std::uint32_t nodes) {
      return selectors()
          .at(name, "test")
          .choose({.operation = operation, .ranks = 8 * nodes, .size = size, .nodes = nodes, .gpus = &hopper})
          .algorithm;
    };
    CHECK(by("nccl_algo_ring", Operation::allreduce, 256_B, 1) == "nccl_ring_ll");
    CHECK(by("nccl_algo_ring", Operation::allreduce, 1024_MiB, 1) == "nccl_ring");
    CHECK(by("nccl_algo_tree", Operation::allreduce, 256_B, 2) == "nccl_tree_ll");
    CHECK(by("nccl_algo_ring", Operation::bcast, 1024_MiB, 2) == "nccl_ring");
    CHECK_THROWS_WITH_AS(by("nccl_algo_tree", Operation::bcast, 8_B, 2),
                         "nccl_algo_tree: NCCL has no bcast by this algorithm (ring: allreduce, allgather, "
                         "reduce_scatter, bcast, reduce; tree: allreduce). Choose 'nccl'?",
                         InputError);
  }

  TEST_CASE("Chunks of trees shrink until enough are under way") {
    Task task = task_of(2, 8);
    task.element = 1_KiB;  // 1 GiB in all
    CHECK(tree_chunk(task, GpuProtocol::simple, 16) == 512);
    task.element = 64_B;  // 64 MiB: 128 KiB, of which 32 are under way
    CHECK(tree_chunk(task, GpuProtocol::simple, 16) == 2048);
    CHECK(tree_chunk(task, GpuProtocol::ll, 16) == 512);
    task.element = 16_B;  // 16 MiB
    CHECK(tree_chunk(task, GpuProtocol::simple, 16) == 4096);
    CHECK(tree_chunk(task, GpuProtocol::ll128, 16) ==
          4500);  // 576,000 B, which are 15/16 of a step, three times halved
  }

  TEST_CASE("Chunks of switches that trees join are as long as NCCL or the network's plugin has them") {
    Task task = task_of(2, 8);
    task.element = 1_KiB;  // 1 GiB in all
    CHECK(nvls_chunk(task, 8) == 128);
    GpuParameters told = hopper;
    told.reckoned_hop = {80_us, 84_us, 164_us};
    task.nodes = task.nodes.with_gpus(std::make_shared<const GpuParameters>(told));
    CHECK(nvls_chunk(task, 8) == 256);  // of 512 KiB each fewer than 32 would be under way
    task = task_of(4, 8);
    task.element = 256_B;
    CHECK(nvls_chunk(task, 8) == 256);  // 64 KiB from four nodes on
  }

  TEST_CASE("Short vectors go round fewer rings") {
    Task task = task_of(2, 8);
    task.element = 1_B;  // 1 MiB in all, 64 KiB a member
    CHECK(ring_channels(task, GpuProtocol::ll) == 8);
    CHECK(ring_channels(task, GpuProtocol::ll128) == 8);
    task.shares = Shares::balanced(16, 160 << 10);
    CHECK(ring_channels(task, GpuProtocol::ll) == 2);      // 4 KiB a member each
    CHECK(ring_channels(task, GpuProtocol::simple) == 5);  // 32 KiB each
    CHECK(ring_channels(task, GpuProtocol::ll128) == 8);   // 5 KiB each
    task.shares = Shares::balanced(16, 8);
    CHECK(ring_channels(task, GpuProtocol::ll) == 1);
  }

  TEST_CASE("Trees of GPUs over nodes leave each at the GPUs beside its adapters") {
    GpuParameters parameters = hopper;
    parameters.rails = 4;
    Task task = task_of(2, 8);
    CHECK(heads(task) == 8);
    task.nodes = task.nodes.with_gpus(std::make_shared<const GpuParameters>(parameters));
    CHECK(heads(task) == 4);
    for (std::uint32_t channel = 0; channel < 8; ++channel) {
      std::set<Member> crossing;
      for (task.me = 0; task.me < 16; ++task.me) {
        const Branch branch = branch_of(task, channel);
        if (!branch.is_root && branch.parent / 8 != task.me / 8) crossing.insert({task.me, branch.parent});
      }
      CHECK(crossing == std::set<Member>{channel / 2 * 2, channel / 2 * 2 + 8});
    }
    Task alone = task_of(1, 8);
    alone.nodes = alone.nodes.with_gpus(std::make_shared<const GpuParameters>(parameters));
    CHECK(heads(alone) == 8);
  }

  TEST_CASE("A short message has as many trees as its bytes are worth") {
    Task task = task_of(2, 8);
    const auto trees = [&](Bytes element, GpuProtocol protocol) {
      task.element = element;  // of 2^20 elements
      return tree_channels(task, protocol);
    };
    CHECK(trees(Bytes{1.0 / 1024}, GpuProtocol::ll) == 1);
    CHECK(trees(Bytes{1.0 / 32}, GpuProtocol::ll) == 8);
    CHECK(trees(Bytes{1.0 / 32}, GpuProtocol::ll128) == 6);
    CHECK(trees(Bytes{1.0 / 32}, GpuProtocol::simple) == 1);
    CHECK(trees(1_B, GpuProtocol::simple) == 16);
  }

  TEST_CASE("The nccl selector takes the algorithm and the protocol of least cost") {
    CHECK(chosen(Operation::allreduce, 8_B, 8, 1) == "nccl_ring_ll");
    CHECK(chosen(Operation::allreduce, 64_MiB, 8, 1) == "nccl_nvls");
    CHECK(chosen(Operation::allreduce, 8_B, 16, 2) == "nccl_tree_ll");
    CHECK(chosen(Operation::allreduce, 1024_MiB, 16, 2) == "nccl_nvls_tree");
    CHECK(chosen(Operation::reduce_scatter, 1024_MiB, 16, 2) == "nccl_ring");
    CHECK(chosen(Operation::alltoall, 1_MiB, 16, 2) == "nccl_pxn");
  }

  TEST_CASE("The nccl selector is for GPUs and says so") {
    CHECK_THROWS_WITH_AS(chosen(Operation::allreduce, 8_B, 8, 1, nullptr),
                         "nccl: some ranks are on cores (NCCL's algorithms are of GPUs that are alike and that a "
                         "fabric joins). Place them with 'gpus' in the layout, or choose 'openmpi'?",
                         InputError);
  }

  TEST_CASE("Algorithms of NCCL are refused where ranks are on cores and not where nobody says where they are") {
    Layout layout;
    for (std::uint32_t r = 0; r < 2; ++r) layout.placements.push_back({.node = NodeId{r}, .host = HostId{r}});
    const Group world = Group::world(2);
    const auto play = [&](std::string_view algorithm, const Layout* on) {
      auto steps =
          allreduce({.group = world, .me = Rank{0}, .algorithm = algorithm, .nodes = nodes_of(world, on)}, 8_B);
      return steps.next() != nullptr;
    };
    for (const char* algorithm : {"nccl_ring", "nccl_tree_ll", "nccl_nvls"})
      CHECK_THROWS_WITH_AS(play(algorithm, &layout),
                           (std::string(algorithm) +
                            ": some ranks are on cores (NCCL's algorithms are of GPUs that are alike and that a "
                            "fabric joins). Place them with 'gpus' in the layout, or choose 'openmpi'?")
                               .c_str(),
                           InputError);
    CHECK(play("lr", &layout));
    CHECK(play("nccl_ring", nullptr));
    for (Placement& place : layout.placements) place.gpu = true;
    CHECK(play("nccl_ring", &layout));
    for (const auto& [missing, remedy] :
         {std::pair{"no 'fabric' joins the GPUs of 'g'", "State 'fabric' and 'gpu-messages' as 'p4d' does"},
          {"the GPUs are of several types of node", "Take nodes of one type"}}) {
      layout.gpus_missing = missing;
      CHECK_THROWS_WITH_AS(play("nccl_ring", &layout),
                           (std::string("nccl_ring: ") + missing +
                            " (NCCL's algorithms are of GPUs that are alike and that a fabric joins). " + remedy +
                            ", or choose 'openmpi'?")
                               .c_str(),
                           InputError);
    }
  }
}
