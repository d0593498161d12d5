// Every kernel on CPUs and GPUs with uneven shares: its messages to and from GPUs staged through the host, or
// GPU-direct.
//
// Two nodes with two GPU processes and three core processes each, GPUs five times as fast. What staging adds is checked
// on a single message in tests/replay/message_test.cpp; here, that no kernel's messages get round it.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <map>

#include "kernels/kernel.hpp"
#include "models/partition/partitioner.hpp"
#include "platforms/layouts.hpp"
#include "sim/engine/batch.hpp"
#include "tests/support/loads.hpp"
#include "tests/support/partition_problem.hpp"
#include "tests/support/recorder.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;

namespace {

/// A GPU process does five times the work of a core process in the same time.
class Hybrid final : public ComputeModel {
 public:
  explicit Hybrid(const Layout& layout) : layout_(layout) {}
  std::string description() const override { return "1 Gflop/s a core, 5 Gflop/s a GPU"; }
  Seconds compute_time(const Compute& compute, Rank rank) const override {
    return Seconds{compute.flops.si() * (layout_.of(rank).gpu ? 0.2e-9 : 1e-9)};
  }

 private:
  const Layout& layout_;
};

enum class Transfer : std::uint8_t { staged, gpu_direct };

Platform two_hybrid_nodes(Transfer transfer) {
  NodeType node;
  node.name = "hybrid";
  node.sockets = 1;
  node.cores_per_socket = 8;
  node.core_speed = FlopsPerSecond{1e9};
  node.memory_bandwidth = 20_GBps;
  node.copy_bandwidth = 6_GBps;
  node.shared_memory_latency = 0.4_us;
  node.shared_memory.copies = {1, 1};
  node.shared_memory.gpu_direct = transfer == Transfer::gpu_direct;
  Gpu gpu;
  gpu.model = "GPU";
  gpu.link_bandwidth = 8_GBps;
  gpu.link_latency = 5_us;
  node.gpus = {gpu, gpu};
  Network network;
  network.name = "wire";
  network.bandwidth = 5_GBps;
  network.latency = 1.5_us;
  network.topology = StarTopology{};
  network.protocol.gpu_direct = transfer == Transfer::gpu_direct;
  Platform platform;
  platform.name = "hybrid";
  platform.node_types = {node};
  platform.node_counts = {2};
  platform.networks = {network};
  return platform;
}

/// GPUs first, then cores, node after node.
Layout two_gpus_and_three_cores_each(const Platform& platform) {
  Layout layout{.name = "hybrid", .placements = {}};
  for (std::uint32_t node = 0; node < 2; ++node)
    for (std::uint32_t i = 0; i < 5; ++i) {
      const bool gpu = i < 2;
      const std::uint32_t number = gpu ? i : 0;
      layout.placements.push_back({NodeId{node}, host_of(platform, NodeId{node}, gpu, number), 0, 1, gpu, number});
    }
  return layout;
}

/// One call of the kernel with little work and its shares in proportion to the speeds, in whatever words it has for
/// them: a partition of its grid, or weights. Null when it reads a file.
std::unique_ptr<Program> uneven_program(const KernelEntry& entry, const std::vector<double>& speeds) {
  const auto ranks = static_cast<std::uint32_t>(speeds.size());
  const std::map<std::string, std::string> uneven = {
      {"iterations", "2"},
      {"repetitions", "2"},
      {"batch", "20"},
      {"distribute", "true"},
      {"form", entry.name == "fft" ? "slab" : "bsp"},
      {"process-grid", entry.name == "fft" ? "" : fmt::format("1x1x{}", ranks)},
      {"operation", "alltoallv"},
      {"weights", fmt::format("{}", fmt::join(speeds, ","))},
      {"weights-k", fmt::format("{}", fmt::join(speeds, ","))},
      {"weights-z", fmt::format("{}", fmt::join(speeds, ","))},
  };
  Parameters parameters(entry.parameters);
  if (entry.name == "training-step")  // a model, which is none of little work by default
    for (const auto& [name, word] : entry.small) parameters.set(name, word, "test");
  for (const auto& parameter : entry.parameters) {
    if (parameter.name == "file") return nullptr;
    if (const auto at = uneven.find(parameter.name); at != uneven.end())
      parameters.set(parameter.name, at->second, "test");
  }
  KernelInput input{parameters, ranks, nullptr};
  if (entry.grid) {
    const GridSize grid = entry.grid(parameters);
    input.partition =
        std::make_shared<Partition>(partitioners().at("beaumont-columns", "test").make(test::problem_of(grid, speeds)));
  }
  return entry.make(input);
}

/// What the messages of a program must carry over the links of GPUs: their size once for each end on a GPU.
Bytes over_gpu_links(const Program& program, const Layout& layout) {
  Bytes sum;
  for (const auto& message : match_messages(record(program)).messages) {
    if (message.from == message.to) continue;
    sum += (layout.of(message.from).gpu ? 1.0 : 0.0) * message.size +
           (layout.of(message.to).gpu ? 1.0 : 0.0) * message.size;
  }
  return sum;
}

Bytes carried(const RunResult& result, ResourceKind kind) {
  Bytes sum;
  for (const auto& resource : result.resources)
    if (resource.kind == kind) sum += resource.bytes;
  return sum;
}

enum class Staging : std::uint8_t { in_compute_model, of_messages };

RunResult play(const Program& program, const Platform& platform, const Layout& layout, Staging staging, bool flow) {
  const Hybrid compute(layout);
  const auto played =
      engine::play_all({.jobs = 1, .threads = flow},
                       {{program.name(), [&](const ReplayProgress& tell) {
                           ReplayInput input{&program, &platform, &platform.networks.front(), &layout, &compute, {}};
                           input.options.tight_precision = true;
                           input.options.staging_in_compute_model = staging == Staging::in_compute_model;
                           input.options.progress = tell;
                           return (flow ? make_flow_engine() : make_simgrid_engine())->replay(input);
                         }}});
  test::check_loads(played.front().value());
  return played.front().value();
}

/// Calls `check` with every kernel of the catalogue, uneven on the hybrid layout.
void for_each_kernel(const std::function<void(const Program&, const Layout&)>& check) {
  const Platform platform = two_hybrid_nodes(Transfer::staged);
  const Layout layout = two_gpus_and_three_cores_each(platform);
  std::vector<double> speeds;
  for (const Placement& placement : layout.placements) speeds.push_back(placement.gpu ? 5.0 : 1.0);
  for (const auto& named : kernels().entries()) {
    INFO(named.first);
    if (const auto program = uneven_program(named.second, speeds)) check(*program, layout);
  }
}

}  // namespace

TEST_SUITE("replay/every kernel hybrid") {
  TEST_CASE("Every kernel with uneven shares takes each message of a GPU over its link when it is staged") {
    const Platform staging = two_hybrid_nodes(Transfer::staged);
    std::size_t played = 0;
    for_each_kernel([&](const Program& program, const Layout& layout) {
      const RunResult staged = play(program, staging, layout, Staging::of_messages, true);
      const double expected = over_gpu_links(program, layout).si();
      CHECK(expected > 0.0);
      CHECK(carried(staged, ResourceKind::pcie).si() == near(expected));
      CHECK(staged.unreceived.messages == 0);
      ++played;
    });
    CHECK(played + 1 == kernels().names().size());  // all but the one that reads a file
  }

  TEST_CASE("Every kernel runs GPU-direct as if its compute model contained the staging") {
    const Platform staging = two_hybrid_nodes(Transfer::staged), direct = two_hybrid_nodes(Transfer::gpu_direct);
    for_each_kernel([&](const Program& program, const Layout& layout) {
      const RunResult contained = play(program, staging, layout, Staging::in_compute_model, true);
      const RunResult without = play(program, direct, layout, Staging::of_messages, true);
      CHECK(without.makespan == contained.makespan);
      CHECK(carried(without, ResourceKind::pcie).si() == 0.0);
    });
  }

  TEST_CASE("Both engines stage the messages of every kernel alike") {
    const Platform staging = two_hybrid_nodes(Transfer::staged);
    for_each_kernel([&](const Program& program, const Layout& layout) {
      const RunResult flow = play(program, staging, layout, Staging::of_messages, true);
      const RunResult simgrid = play(program, staging, layout, Staging::of_messages, false);
      CHECK(flow.makespan.si() == near(simgrid.makespan.si()));
      CHECK(flow.messages == simgrid.messages);
      CHECK(simgrid.unreceived.messages == 0);
    });
  }
}
