// The flow engine against SimGrid: every kernel of the catalogue over every topology.
//
// Over its first iterations a program must come out the same, to one part in 1e9 of every phase and of the makespan
// (SimGrid with tight precision). Long contended runs are chaotic in both engines: there the two are compared as
// samples of one distribution, see below.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "kernels/kernel.hpp"
#include "models/partition/partitioner.hpp"
#include "sim/app/engine_difference.hpp"
#include "sim/app/expected_messages.hpp"
#include "sim/core/error.hpp"
#include "sim/replay/batch.hpp"
#include "tests/support/example_trace.hpp"

using namespace orrery;

namespace {

/// No two ranks compute at one speed, so that they drift apart and messages meet at all phases of each other's life.
class Drifting final : public ComputeModel {
 public:
  std::string description() const override { return "1 Gflop/s, up to 10 % slower by rank"; }
  Seconds compute_time(const Compute& compute, Rank rank) const override {
    return Seconds{compute.flops.si() * 1e-9 * (1.0 + 0.1 * static_cast<double>((index(rank) * 7919u) % 101u) / 101.0)};
  }
};

/// The first iterations of a program; what it does before its first mark belongs to them.
class FirstIterations final : public Program {
 public:
  FirstIterations(std::unique_ptr<Program> program, std::uint32_t count)
      : program_(std::move(program)), count_(count) {}
  std::string name() const override { return program_->name(); }
  std::uint32_t ranks() const override { return program_->ranks(); }
  Generator<Step> steps(Rank me) const override { return cut(program_->steps(me), count_); }

 private:
  static Generator<Step> cut(Generator<Step> all, std::uint32_t count) {
    std::uint32_t marks = 0;
    while (const Step* step = all.next()) {
      if (std::holds_alternative<IterationMark>(*step) && ++marks > count) co_return;
      co_yield *step;
    }
  }
  std::unique_ptr<Program> program_;
  std::uint32_t count_;
};

GraphTopology ring_with_a_chord() {
  GraphTopology graph{{"a", "b", "c", "d"}, {}};
  for (std::uint32_t node = 0; node < 8; ++node)
    graph.edges.push_back({fmt::format("node:{0}-{0}", node), graph.switches[node / 2], {}, {}});
  const auto edge = [&](const char* from, const char* to, double gbps, double us) {
    graph.edges.push_back({from, to, gbps * 1_GBps, us * 1_us});
  };
  edge("a", "b", 4, 0.5), edge("b", "c", 3, 0.4), edge("c", "d", 4, 0.5), edge("d", "a", 2, 0.3),
      edge("a", "c", 5, 0.7);
  return graph;
}

struct Place {
  const char* name;
  std::uint32_t nodes, ranks;
  Topology topology;
};

const std::vector<Place>& places() {
  static const std::vector<Place> all = {
      {"star", 16, 48, StarTopology{}},
      {"fat-tree", 16, 32, FatTreeTopology{{4, 4}, {1, 2}, {1, 1}}},
      {"torus", 24, 24, TorusTopology{{2, 3, 4}}},
      {"dragonfly", 12, 16, DragonflyTopology{3, 2, 2, 1}},
      {"graph", 8, 8, ring_with_a_chord()},
  };
  return all;
}

/// Overheads, copies, both thresholds and a handshake; links between switches narrower than the NICs.
Platform platform_of(const Place& place) {
  ChannelProperties protocol;
  protocol.eager = Bytes{4096};
  protocol.detach = Bytes{16384};
  protocol.handshake = 2;
  protocol.copies = {1, 1};
  NodeType node;
  node.name = "node";
  node.sockets = 2;
  node.cores_per_socket = 4;
  node.core_speed = FlopsPerSecond{1e9};
  node.memory_bandwidth = 20_GBps;
  node.copy_bandwidth = 6_GBps;
  node.shared_memory_latency = 0.4_us;
  node.shared_memory = protocol;
  Network network;
  network.name = place.name;
  network.bandwidth = 5_GBps;
  network.latency = 1.5_us;
  network.link_bandwidth = 4_GBps;
  network.link_latency = 0.2_us;
  network.protocol = protocol;
  network.protocol.copy_mode = CopyMode::pipelined;
  network.topology = place.topology;
  Platform platform;
  platform.name = place.name;
  platform.node_types = {node};
  platform.node_counts = {place.nodes};
  platform.networks = {network};
  return platform;
}

/// Ranks go round the nodes, so that neighbours of a grid are on different ones.
Layout layout_of(std::uint32_t ranks, std::uint32_t nodes) {
  Layout layout{.name = "round the nodes", .placements = {}};
  for (std::uint32_t r = 0; r < ranks; ++r)
    layout.placements.push_back(
        {NodeId{r % nodes}, HostId{2 * (r % nodes) + (r / nodes) % 2}, 0, 1, false, (r / nodes) % 2});
  return layout;
}

/// Defaults, with what only repeats or enlarges the work cut down. The iterations of HPL are the columns it factors, a
/// round of messages each: without local work, on 16 ranks of the dragonfly below, a difference of 1e-18 s after 30
/// columns is 1e-14 s after 70, 1e-10 s after 110, and 1e-5 s after 1000, from which on the two engines are two samples
/// (docs/engines.md). Hence six panels of 16 columns.
Parameters small_parameters(const KernelEntry& entry) {
  Parameters parameters(entry.parameters);
  for (const auto& parameter : entry.parameters) {
    if (parameter.name == "iterations" || parameter.name == "repetitions") parameters.set(parameter.name, "3", "test");
    if (entry.name == "hpl" && parameter.name == "order") parameters.set(parameter.name, "96", "test");
    if (entry.name == "hpl" && parameter.name == "block") parameters.set(parameter.name, "16", "test");
    if (entry.name == "hpl" && parameter.name == "marks") parameters.set(parameter.name, "panels", "test");
    if (parameter.name == "blocks" || parameter.name == "points") parameters.set(parameter.name, "48", "test");
  }
  return parameters;
}

/// Null when the kernel refuses this number of ranks.
std::unique_ptr<Program> program_of(const KernelEntry& entry, const Parameters& parameters, std::uint32_t ranks) {
  KernelInput input{parameters, ranks, nullptr};
  if (entry.plays_trace) input.trace = test::example_trace(ranks);
  try {
    if (entry.grid) {
      std::vector<double> speeds;
      for (std::uint32_t r = 0; r < ranks; ++r) speeds.push_back(1.0 + (r * 7) % 5);
      const GridSize grid = entry.grid(parameters);
      input.partition = std::make_shared<Partition>(
          partitioners().at("beaumont-columns", "test").make(grid.columns, grid.rows, speeds));
    }
    return std::make_unique<FirstIterations>(entry.make(input), 3);
  } catch (const Error&) {
    return nullptr;
  }
}

/// The kernel on the greatest of some numbers of ranks that it accepts.
std::unique_ptr<Program> program_on(const KernelEntry& entry, const Parameters& parameters, std::uint32_t ranks) {
  for (const std::uint32_t count : {ranks, 16u, 8u, 4u, 2u})
    if (auto program = count <= ranks ? program_of(entry, parameters, count) : nullptr) return program;
  return nullptr;
}

/// One program on one platform, on both engines.
struct Case {
  std::string name;
  const Platform* platform;
  std::unique_ptr<Program> program;
  Layout layout;
};

std::vector<replay::Played> play(const std::vector<Case>& cases, bool flow) {
  static const Drifting compute;
  std::vector<replay::Simulation> simulations;
  simulations.reserve(cases.size());
  for (const Case& one : cases)
    simulations.push_back({one.name, [&one, flow](const ReplayProgress& tell) {
                             ReplayInput input{one.program.get(), one.platform, &one.platform->networks.front(),
                                               &one.layout,       &compute,     {}};
                             input.options.tight_precision = true;
                             input.options.intervals_max = 0;
                             input.options.load_bins = 1;
                             input.options.progress = tell;
                             return (flow ? make_flow_engine() : make_simgrid_engine())->replay(input);
                           }});
  return replay::play_all({.jobs = 2, .threads = flow}, simulations);
}

constexpr double relative_max = 1e-9;
constexpr double instant_s = 1e-13;  ///< below this two dates are one to both engines

void check_near(const PhasePair& pair) {
  INFO("iteration ", pair.iteration, ": simgrid ", pair.shown.si(), " s, flow ", pair.other.si(), " s");
  CHECK(pair.absolute().si() <= relative_max * pair.shown.si() + instant_s);
}

void check_agreement(const std::vector<Case>& cases) {
  const auto simgrid = play(cases, false), flow = play(cases, true);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    INFO(cases[i].name, " on ", cases[i].program->ranks(), " ranks");
    REQUIRE(simgrid[i].error == flow[i].error);
    CHECK(simgrid[i].error.empty());
    const EngineDifference difference = app::difference_between(simgrid[i].result, flow[i].result);
    CHECK(difference.failure.empty());
    CHECK(
        (difference.phases.size() > 0 || simgrid[i].result.makespan == Seconds{}));  // without work nothing may be left
    check_near({0, difference.shown_makespan, difference.makespan});
    for (const auto& phase : difference.phases) {
      INFO(phase.phase);
      check_near(phase.largest_absolute);
      check_near(phase.largest_relative);
    }
  }
}

void every_kernel_over(const Place& place) {
  const Platform platform = platform_of(place);
  std::vector<Case> cases;
  for (const auto& kernel : kernels().entries()) {  // INFO captures no structured binding
    const KernelEntry& entry = kernel.second;
    auto program = program_on(entry, small_parameters(entry), place.ranks);
    INFO(entry.name);
    REQUIRE(program != nullptr);
    const Layout layout = layout_of(program->ranks(), place.nodes);
    cases.push_back({entry.name, &platform, std::move(program), layout});
  }
  check_agreement(cases);
}

/// Every word of every parameter, one at a time.
void every_setting_over(const Place& place) {
  const Platform platform = platform_of(place);
  std::vector<Case> cases;
  for (const auto& [name, entry] : kernels().entries()) {
    for (const auto& parameter : entry.parameters) {
      std::vector<std::string> words = parameter.choices;
      if (parameter.kind == ParameterKind::boolean) words = {"true", "false"};
      for (const auto& word : words) {
        Parameters parameters = small_parameters(entry);
        parameters.set(parameter.name, word, "test");
        auto program = program_on(entry, parameters, place.ranks);
        if (program == nullptr) continue;
        const Layout layout = layout_of(program->ranks(), place.nodes);
        cases.push_back({fmt::format("{} {}={}", name, parameter.name, word), &platform, std::move(program), layout});
      }
    }
  }
  CHECK(cases.size() > 10);
  check_agreement(cases);
}

}  // namespace

TEST_SUITE("replay/engines_agree") {
  TEST_CASE("Both engines agree on the first iterations of every kernel over a star") {
    every_kernel_over(places()[0]);
  }
  TEST_CASE("Both engines agree on the first iterations of every kernel over a fat tree") {
    every_kernel_over(places()[1]);
  }
  TEST_CASE("Both engines agree on the first iterations of every kernel over a torus") {
    every_kernel_over(places()[2]);
  }
  TEST_CASE("Both engines agree on the first iterations of every kernel over a dragonfly") {
    every_kernel_over(places()[3]);
  }
  TEST_CASE("Both engines agree on the first iterations of every kernel over a free graph") {
    every_kernel_over(places()[4]);
  }
}

TEST_SUITE("replay/engines_agree/slow") {
  TEST_CASE("Both engines agree on every setting of every kernel over a star") { every_setting_over(places()[0]); }
  TEST_CASE("Both engines agree on every setting of every kernel over a fat tree") { every_setting_over(places()[1]); }
  TEST_CASE("Both engines agree on every setting of every kernel over a torus") { every_setting_over(places()[2]); }
  TEST_CASE("Both engines agree on every setting of every kernel over a dragonfly") { every_setting_over(places()[3]); }
  TEST_CASE("Both engines agree on every setting of every kernel over a free graph") {
    every_setting_over(places()[4]);
  }
}
